import Foundation

extension PredicateExpressions.Variable: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard let column = compiler.variables[key] else {
      throw QueryError.unsupported("a variable from outside")
    }
    return .column(column)
  }
}
extension PredicateExpressions.Value: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    .constant(try scalar(of: value))
  }
}
extension PredicateExpressions.NilLiteral: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode { .constant(.null) }
}
/// Sets have one form whatever their order; other collections are converted element by element.
protocol AnySet {}
extension Set: AnySet {}

protocol AnyOptional { var wrappedAny: Any? { get } }
extension Optional: AnyOptional { var wrappedAny: Any? { self } }

func scalar(of value: Any) throws -> Scalar {
  if let id = value as? PersistentIdentifier { return .object(id) }
  if let object = value as? ModelObject { return .object(object.persistentModelID) }
  if let optional = value as? any AnyOptional {
    guard let wrapped = optional.wrappedAny else { return .null }
    return try scalar(of: wrapped)
  }
  if let value = value as? any AttributeValue,
    !(value is any Collection) || value is String || value is Data || value is any AnySet
  {
    return value.scalar
  }
  if let values = value as? any Collection { return .list(try values.map { try scalar(of: $0) }) }
  throw QueryError.unsupported("a captured \(type(of: value))")
}
