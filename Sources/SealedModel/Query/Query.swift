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
  public func `where`(_ body: (QueryPath<M>) -> Term<Bool>) -> Query {
    var copy = self
    copy.filter = filter.map { $0 && Filter(body) } ?? Filter(body)
    return copy
  }
  public func limit(_ count: Int) -> Query { var copy = self; copy.limit = count; return copy }
  public func offset(_ count: Int) -> Query { var copy = self; copy.offset = count; return copy }
}
extension PersistentModel {
  public static func `where`(_ body: (QueryPath<Self>) -> Term<Bool>) -> Query<Self> {
    Query(filter: Filter(body))
  }
  public static func `where`(_ filter: Filter<Self>) -> Query<Self> { Query(filter: filter) }
  public static var all: Query<Self> { Query() }
}
