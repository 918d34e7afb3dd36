import Foundation

extension PredicateExpressions.OptionalFlatMap: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    let base = try compiler.compile(wrapped)
    guard case .column(let column) = base else {
      throw QueryError.unsupported("an optional that is no path")
    }
    let body = try compiler.bound(variable.key, column, transform)
    // Nil propagates along a path: one that goes on from the optional needs no test of its own.
    if case .column(let end) = body, end.variable == column.variable,
      column.attribute == nil ? end.steps.starts(with: column.steps) : end == column
    {
      return body
    }
    return .ifPresent(base, body)
  }
}
extension PredicateExpressions.NilCoalesce: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .coalesce(try compiler.compile(lhs), try compiler.compile(rhs))
  }
}
extension PredicateExpressions.ForcedUnwrap: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .unwrap(try compiler.compile(inner))
  }
}
extension PredicateExpressions.TypeCheck: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard let model = Desired.self as? any PersistentModel.Type else {
      throw QueryError.unsupported("is \(Desired.self)")
    }
    return .isKind(try compiler.column(input), Entity.of(model).name)
  }
}
extension PredicateExpressions.ConditionalCast: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard let model = Desired.self as? any PersistentModel.Type else {
      throw QueryError.unsupported("as? \(Desired.self)")
    }
    return .column(try compiler.column(input).cast(Entity.of(model).name))
  }
}
