import Foundation

extension PredicateExpressions.Conjunction: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .and([try compiler.compile(lhs), try compiler.compile(rhs)])
  }
}
extension PredicateExpressions.Disjunction: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .or([try compiler.compile(lhs), try compiler.compile(rhs)])
  }
}
extension PredicateExpressions.Negation: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .not(try compiler.compile(wrapped))
  }
}
extension PredicateExpressions.Equal: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .compare(try compiler.compile(lhs), .equal, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.NotEqual: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .compare(try compiler.compile(lhs), .notEqual, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.Comparison: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    // A comparison is compiled only where the type's `<` is the order of its scalar.
    guard LHS.Output.self is any OrderedValue.Type else {
      throw QueryError.unsupported("the order of \(LHS.Output.self)")
    }
    let comparison: QueryNode.Comparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw QueryError.unsupported("a comparison")
      }
    return .compare(try compiler.compile(lhs), comparison, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.Conditional: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .conditional(
      try compiler.compile(test), try compiler.compile(trueBranch),
      try compiler.compile(falseBranch))
  }
}

/// Arithmetic is compiled where the tree computes in the same precision as the type.
private func requireExact<T>(_: T.Type) throws {
  let isExact =
    T.self == Int.self || T.self == Int64.self || T.self == UInt.self || T.self == UInt64.self
    || T.self == Double.self || T.self == Decimal.self || T.self == Date.self
    || T.self == TimeInterval.self
  if !isExact { throw QueryError.unsupported("arithmetic on \(T.self)") }
}
extension PredicateExpressions.Arithmetic: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    try requireExact(Output.self)
    let operation: QueryNode.Arithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw QueryError.unsupported("an arithmetic operator")
      }
    return .arithmetic(try compiler.compile(lhs), operation, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.IntDivision: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    try requireExact(Output.self)
    return .arithmetic(try compiler.compile(lhs), .divide, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.FloatDivision: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    try requireExact(Output.self)
    return .arithmetic(try compiler.compile(lhs), .divide, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.IntRemainder: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    try requireExact(Output.self)
    return .arithmetic(try compiler.compile(lhs), .remainder, try compiler.compile(rhs))
  }
}
extension PredicateExpressions.UnaryMinus: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    try requireExact(Output.self)
    let node = try compiler.compile(wrapped)
    return .arithmetic(node, .negate, node)
  }
}
