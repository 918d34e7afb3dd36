/// `String` and `String?`.
public protocol TextValue: Sendable {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}
extension Term where Value: TextValue {
  /// Which differences between letters count.
  public enum Options: Sendable { case exact, caseInsensitive, caseAndDiacriticInsensitive }
  private func text(_ operation: QueryNode.Text, _ other: String, _ options: Options) -> Term<Bool>
  {
    let folding: QueryNode.Folding =
      switch options {
      case .exact: .none
      case .caseInsensitive: .caseInsensitive
      case .caseAndDiacriticInsensitive: .caseAndDiacriticInsensitive
      }
    return Term<Bool>(.text(node, operation, .constant(.string(other)), folding))
  }
  /// Whether the text holds another one; false of nil.
  public func contains(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.contains, other, options)
  }
  /// Whether the text begins with another one; false of nil.
  public func hasPrefix(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.hasPrefix, other, options)
  }
  /// Whether the text ends with another one; false of nil.
  public func hasSuffix(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.hasSuffix, other, options)
  }
  /// Whether the texts are equal, but for what the options let pass.
  public func equals(_ other: String, _ options: Options) -> Term<Bool> {
    text(.equals, other, options)
  }
  /// Whether the text holds another one, case and diacritics aside; false of nil.
  public func localizedStandardContains(_ other: String) -> Term<Bool> {
    text(.contains, other, .caseAndDiacriticInsensitive)
  }
  /// Whether the text is empty; false of nil.
  public var isEmpty: Term<Bool> { Term<Bool>(.compare(node, .equal, .constant(.string("")))) }
  /// How many characters the text has.
  public var count: Term<Int> { Term<Int>(.text(node, .length, .constant(.null), .none)) }
}
extension Term {
  /// Whether the list holds an element.
  public func contains<E: AttributeValue>(_ element: E) -> Term<Bool> where Value == [E] {
    Term<Bool>(.listContains(node, .constant(element.scalar)))
  }
}

extension Term where Value: AttributeValue & Numeric {
  /// The sum; integers wrap around at 64 bits.
  public static func + (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .add, .constant(right.scalar)))
  }
  /// The difference; integers wrap around at 64 bits.
  public static func - (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .subtract, .constant(right.scalar)))
  }
  /// The product; integers wrap around at 64 bits.
  public static func * (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .multiply, .constant(right.scalar)))
  }
  /// The sum; integers wrap around at 64 bits.
  public static func + (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .add, right.node))
  }
  /// The difference; integers wrap around at 64 bits.
  public static func - (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .subtract, right.node))
  }
  /// The product; integers wrap around at 64 bits.
  public static func * (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .multiply, right.node))
  }
}
