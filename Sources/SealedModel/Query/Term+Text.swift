public protocol TextValue: Sendable {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}
extension Term where Value: TextValue {
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
  public func contains(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.contains, other, options)
  }
  public func hasPrefix(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.hasPrefix, other, options)
  }
  public func hasSuffix(_ other: String, _ options: Options = .exact) -> Term<Bool> {
    text(.hasSuffix, other, options)
  }
  public func equals(_ other: String, _ options: Options) -> Term<Bool> {
    text(.equals, other, options)
  }
  public func localizedStandardContains(_ other: String) -> Term<Bool> {
    text(.contains, other, .caseAndDiacriticInsensitive)
  }
  public var isEmpty: Term<Bool> { Term<Bool>(.compare(node, .equal, .constant(.string("")))) }
  public var count: Term<Int> { Term<Int>(.text(node, .length, .constant(.null), .none)) }
}
extension Term {
  public func contains<E: AttributeValue>(_ element: E) -> Term<Bool> where Value == [E] {
    Term<Bool>(.listContains(node, .constant(element.scalar)))
  }
}

extension Term where Value: AttributeValue & Numeric {
  public static func + (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .add, .constant(right.scalar)))
  }
  public static func - (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .subtract, .constant(right.scalar)))
  }
  public static func * (left: Term, right: Value) -> Term {
    Term(.arithmetic(left.node, .multiply, .constant(right.scalar)))
  }
  public static func + (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .add, right.node))
  }
  public static func - (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .subtract, right.node))
  }
  public static func * (left: Term, right: Term) -> Term {
    Term(.arithmetic(left.node, .multiply, right.node))
  }
}
