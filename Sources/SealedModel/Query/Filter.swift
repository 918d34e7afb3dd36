/// A condition on its own: kept, combined, saved, applied to a path.
public struct Filter<M: PersistentModel>: Sendable, Codable, Hashable {
  /// The condition as a tree, of variable 0.
  public let node: QueryNode
  /// A condition on an object.
  public init(_ body: (QueryPath<M>) -> Term<Bool>) {
    node = body(QueryPath(QueryNode.Column(variable: 0))).node
  }
  init(node: QueryNode) { self.node = node }
  /// Both hold.
  public static func && (left: Filter, right: Filter) -> Filter {
    Filter(node: .and([left.node, right.node]))
  }
  /// One of them holds, or both.
  public static func || (left: Filter, right: Filter) -> Filter {
    Filter(node: .or([left.node, right.node]))
  }
  /// It does not hold.
  public static prefix func ! (filter: Filter) -> Filter { Filter(node: .not(filter.node)) }
  /// This condition, asked of what `path` leads to: `inbox($0.folder) && …`.
  public func callAsFunction(_ path: QueryPath<M>) -> Term<Bool> { Term(node.rebased(path.column)) }
}
