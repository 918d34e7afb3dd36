/// A value in a query, of type `Value`: a property, a constant, what an operator makes of them. Conditions are `Term<Bool>`.
public struct Term<Value: Sendable>: Sendable {
  public let node: QueryNode
  init(_ node: QueryNode) { self.node = node }
}

extension Term where Value: AttributeValue {
  public static func == (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, .constant(right.scalar)))
  }
  public static func != (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .notEqual, .constant(right.scalar)))
  }
  public static func == (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, right.node))
  }
  public static func != (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .notEqual, right.node))
  }
  public func isIn<S: Sequence>(_ values: S) -> Term<Bool> where S.Element == Value {
    Term<Bool>(.member(node, of: Set(values.map(\.scalar))))
  }
}
extension Term where Value == PersistentIdentifier {
  public static func == (left: Term, right: PersistentIdentifier) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, .constant(.object(right))))
  }
  public func isIn<S: Sequence>(_ values: S) -> Term<Bool> where S.Element == Value {
    Term<Bool>(.member(node, of: Set(values.map { .object($0) })))
  }
}
extension Term where Value: OrderedValue {
  public static func < (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .less, .constant(right.scalar)))
  }
  public static func <= (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .lessOrEqual, .constant(right.scalar)))
  }
  public static func > (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greater, .constant(right.scalar)))
  }
  public static func >= (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greaterOrEqual, .constant(right.scalar)))
  }
  public static func < (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .less, right.node))
  }
  public static func <= (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .lessOrEqual, right.node))
  }
  public static func > (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greater, right.node))
  }
  public static func >= (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greaterOrEqual, right.node))
  }
  public func isIn(_ range: ClosedRange<Value>) -> Term<Bool> {
    Term<Bool>(
      .between(
        node, .constant(range.lowerBound.scalar), .constant(range.upperBound.scalar), closed: true))
  }
  public func isIn(_ range: Range<Value>) -> Term<Bool> {
    Term<Bool>(
      .between(
        node, .constant(range.lowerBound.scalar), .constant(range.upperBound.scalar), closed: false)
    )
  }
}
/// An optional is compared by its value; nil is neither less nor greater.
extension Term {
  public static func < <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .less, right)
  }
  public static func <= <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .lessOrEqual, right)
  }
  public static func > <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .greater, right)
  }
  public static func >= <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .greaterOrEqual, right)
  }
  private static func present<W: OrderedValue>(
    _ left: Term, _ comparison: QueryNode.Comparison, _ right: W
  ) -> Term<Bool> {
    Term<Bool>(
      .coalesce(
        .ifPresent(left.node, .compare(left.node, comparison, .constant(right.scalar))),
        .constant(.bool(false))))
  }
  public static func ?? <W: AttributeValue>(left: Term, right: W) -> Term<W> where Value == W? {
    Term<W>(.coalesce(left.node, .constant(right.scalar)))
  }
}

extension Term where Value == Bool {
  public static func && (left: Term, right: Term) -> Term {
    if case .and(let nodes) = left.node { return Term(.and(nodes + [right.node])) }
    return Term(.and([left.node, right.node]))
  }
  public static func || (left: Term, right: Term) -> Term {
    if case .or(let nodes) = left.node { return Term(.or(nodes + [right.node])) }
    return Term(.or([left.node, right.node]))
  }
  public static prefix func ! (term: Term) -> Term { Term(.not(term.node)) }
}
