/// Which way a sort goes; nil comes before every value, so last in reverse.
public enum SortDirection: String, Sendable, Codable { case forward, reverse }

/// A fetch without macros: `Note.where { … }.sorted(by: \.createdAt, .reverse).limit(50)`.
public struct Query<M: PersistentModel>: Sendable, Codable, Hashable {
  struct Sort: Sendable, Codable, Hashable {
    var column: QueryNode.Column; var direction: SortDirection
  }
  var filter: Filter<M>?
  var sorts: [Sort] = []
  var limit: Int?
  var offset: Int = 0
  /// Sorted by an attribute, behind the sorts given before.
  public func sorted<V>(
    by field: KeyPath<M.Properties, Attribute<V>>, _ direction: SortDirection = .forward
  ) -> Query {
    sorted({ $0[dynamicMember: field] }, direction)
  }
  /// Through a to-one path: `.sorted { $0.folder.name }`.
  public func sorted<V>(_ body: (QueryPath<M>) -> Term<V>, _ direction: SortDirection = .forward)
    -> Query
  {
    guard case .column(let column) = body(QueryPath(QueryNode.Column(variable: 0))).node else {
      return self
    }
    var copy = self
    copy.sorts.append(Sort(column: column, direction: direction))
    return copy
  }
  /// With a further condition.
  public func `where`(_ body: (QueryPath<M>) -> Term<Bool>) -> Query {
    var copy = self
    copy.filter = filter.map { $0 && Filter(body) } ?? Filter(body)
    return copy
  }
  /// With at most `count` results.
  public func limit(_ count: Int) -> Query { var copy = self; copy.limit = count; return copy }
  /// Without the first `count` results.
  public func offset(_ count: Int) -> Query { var copy = self; copy.offset = count; return copy }
}
extension PersistentModel {
  /// The objects that meet a condition: `Note.where { $0.days > 3 && $0.folder.name == "Inbox" }`.
  public static func `where`(_ body: (QueryPath<Self>) -> Term<Bool>) -> Query<Self> {
    Query(filter: Filter(body))
  }
  /// The objects that meet a stored condition.
  public static func `where`(_ filter: Filter<Self>) -> Query<Self> { Query(filter: filter) }
  /// All objects of the model.
  public static var all: Query<Self> { Query() }
}
