public import Foundation

// What Apple's Foundation has and the open-source one lacks; `#Predicate` finds these by name.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// Contains, as the user's language sees it: case and diacritics don't count.
    public struct LocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// What it evaluates to.
      public typealias Output = Bool
      /// The string.
      public let root: Root
      /// What it is held against.
      public let other: Other
      /// Evaluates on the bound values.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let folding = QueryNode.Folding.caseAndDiacriticInsensitive
        let text = try folding.fold(String(root.evaluate(bindings))),
          part = try folding.fold(String(other.evaluate(bindings)))
        return part.isEmpty || text.contains(part)
      }
    }
    /// What `#Predicate` calls for the method of that name.
    public static func build_localizedStandardContains<Root, Other>(_ root: Root, _ other: Other)
      -> LocalizedStandardContains<Root, Other>
    {
      LocalizedStandardContains(root: root, other: other)
    }
    /// Comparison regardless of case.
    public struct CaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// What it evaluates to.
      public typealias Output = ComparisonResult
      /// The string.
      public let root: Root
      /// What it is held against.
      public let other: Other
      /// Evaluates on the bound values.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        let a = try String(root.evaluate(bindings)).lowercased(),
          b = try String(other.evaluate(bindings)).lowercased()
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
      }
    }
    /// What `#Predicate` calls for the method of that name.
    public static func build_caseInsensitiveCompare<Root, Other>(_ root: Root, _ other: Other)
      -> CaseInsensitiveCompare<Root, Other>
    {
      CaseInsensitiveCompare(root: root, other: other)
    }
  }
  extension PredicateExpressions.LocalizedStandardContains: Sendable
  where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.LocalizedStandardContains: Codable
  where Root: Codable, Other: Codable {}
  extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
  extension PredicateExpressions.CaseInsensitiveCompare: Sendable
  where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.CaseInsensitiveCompare: Codable
  where Root: Codable, Other: Codable {}
  extension PredicateExpressions.CaseInsensitiveCompare: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.LocalizedStandardContains: QueryCompilable {
    func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
      .text(
        try compiler.compile(root), .contains, try compiler.compile(other),
        .caseAndDiacriticInsensitive)
    }
  }
#endif
