/// A value in a query, of type `Value`: a property, a constant, what an operator makes of them. Conditions are `Term<Bool>`.
public struct Term<Value: Sendable>: Sendable {
  /// The value as a tree.
  public let node: QueryNode
  init(_ node: QueryNode) { self.node = node }
}

extension Term where Value: AttributeValue {
  /// Equality: nil equals nil and differs from every value.
  public static func == (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, .constant(right.scalar)))
  }
  /// Inequality.
  public static func != (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .notEqual, .constant(right.scalar)))
  }
  /// Equality of two values of the object.
  public static func == (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, right.node))
  }
  /// Inequality of two values of the object.
  public static func != (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .notEqual, right.node))
  }
  /// Whether it is one of the given values.
  public func isIn<S: Sequence>(_ values: S) -> Term<Bool> where S.Element == Value {
    Term<Bool>(.member(node, of: Set(values.map(\.scalar))))
  }
}
extension Term where Value == PersistentIdentifier {
  /// Whether it is this object.
  public static func == (left: Term, right: PersistentIdentifier) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .equal, .constant(.object(right))))
  }
  /// Whether it is one of the given values.
  public func isIn<S: Sequence>(_ values: S) -> Term<Bool> where S.Element == Value {
    Term<Bool>(.member(node, of: Set(values.map { .object($0) })))
  }
}
extension Term where Value: OrderedValue {
  /// Less; false of nil.
  public static func < (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .less, .constant(right.scalar)))
  }
  /// At most; false of nil.
  public static func <= (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .lessOrEqual, .constant(right.scalar)))
  }
  /// Greater; false of nil.
  public static func > (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greater, .constant(right.scalar)))
  }
  /// At least; false of nil.
  public static func >= (left: Term, right: Value) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greaterOrEqual, .constant(right.scalar)))
  }
  /// Less; false of nil.
  public static func < (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .less, right.node))
  }
  /// At most; false of nil.
  public static func <= (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .lessOrEqual, right.node))
  }
  /// Greater; false of nil.
  public static func > (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greater, right.node))
  }
  /// At least; false of nil.
  public static func >= (left: Term, right: Term) -> Term<Bool> {
    Term<Bool>(.compare(left.node, .greaterOrEqual, right.node))
  }
  /// Whether it lies in the range, its ends included.
  public func isIn(_ range: ClosedRange<Value>) -> Term<Bool> {
    Term<Bool>(
      .between(
        node, .constant(range.lowerBound.scalar), .constant(range.upperBound.scalar), closed: true))
  }
  /// Whether it lies in the range, its upper end excluded.
  public func isIn(_ range: Range<Value>) -> Term<Bool> {
    Term<Bool>(
      .between(
        node, .constant(range.lowerBound.scalar), .constant(range.upperBound.scalar), closed: false)
    )
  }
}
/// An optional is compared by its value; nil is neither less nor greater.
extension Term {
  /// Less; false of nil.
  public static func < <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .less, right)
  }
  /// At most; false of nil.
  public static func <= <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .lessOrEqual, right)
  }
  /// Greater; false of nil.
  public static func > <W: OrderedValue>(left: Term, right: W) -> Term<Bool> where Value == W? {
    present(left, .greater, right)
  }
  /// At least; false of nil.
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
  /// The value, or another one where it is nil.
  public static func ?? <W: AttributeValue>(left: Term, right: W) -> Term<W> where Value == W? {
    Term<W>(.coalesce(left.node, .constant(right.scalar)))
  }
}

extension Term where Value == Bool {
  /// Both hold; the right side is not looked at where the left one fails.
  public static func && (left: Term, right: Term) -> Term {
    if case .and(let nodes) = left.node { return Term(.and(nodes + [right.node])) }
    return Term(.and([left.node, right.node]))
  }
  /// One of them holds, or both.
  public static func || (left: Term, right: Term) -> Term {
    if case .or(let nodes) = left.node { return Term(.or(nodes + [right.node])) }
    return Term(.or([left.node, right.node]))
  }
  /// It does not hold.
  public static prefix func ! (term: Term) -> Term { Term(.not(term.node)) }
}
