import Foundation

extension PredicateExpressions.KeyPath: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    if let filter = root as? any AnyFilter, let list = Root.Output.self as? any AnyArray.Type {
      if keyPath == list.countPath { return try filter.countNode(&compiler) }
      if keyPath == list.isEmptyPath {
        return .compare(try filter.countNode(&compiler), .equal, .constant(.int(0)))
      }
    }
    let base = try compiler.compile(root)
    // A property of a model.
    if let model = Root.Output.self as? any PersistentModel.Type {
      guard case .column(var column) = base, column.attribute == nil else {
        throw QueryError.unsupported("a path through \(base)")
      }
      func identity<M: PersistentModel>(_: M.Type) -> [AnyKeyPath] {
        [\M.persistentModelID, \M.id]
      }
      if identity(model).contains(keyPath) { return base }
      let entity = Entity.of(model)
      guard let slot = entity.byKeyPath[keyPath] else {
        throw QueryError.notStored("\(model).\(keyPath) (a descriptor must be a `let`)")
      }
      let definition = unsafe entity.definitions[slot]
      if let relationship = definition as? RelationshipDefinition, relationship.cardinality == .one
      {
        column.steps.append(.relationship(definition.name))
      } else {
        column.attribute = definition.name
      }
      return .column(column)
    }
    // What Foundation lets through besides: count, isEmpty, first …; and rawValue of an enum.
    if let related = Root.Output.self as? any AnyRelated.Type, case .column(let column) = base {
      if keyPath == related.countPath { return .count(column, variable: compiler.depth + 1, nil) }
      if keyPath == related.isEmptyPath {
        return .compare(
          .count(column, variable: compiler.depth + 1, nil), .equal, .constant(.int(0)))
      }
    }
    if Root.Output.self == String.self {
      if keyPath == \String.isEmpty { return .compare(base, .equal, .constant(.string(""))) }
      if keyPath == \String.count { return .text(base, .length, .constant(.null), .none) }
    }
    // \Status.rawValue as a client writes it isn't equal to the one of generic code; over all
    // cases the two can be compared.
    if let raw = Root.Output.self as? any (RawRepresentable & CaseIterable & AttributeValue).Type,
      isRawValue(raw)
    {
      return base
    }
    throw QueryError.unsupported("the path \(keyPath)")
  }
}
extension PredicateExpressions.KeyPath {
  private func isRawValue<R: RawRepresentable & CaseIterable>(_: R.Type) -> Bool {
    guard R.RawValue.self == Output.self, let path = keyPath as? Swift.KeyPath<R, R.RawValue> else {
      return false
    }
    func equal<E: Equatable>(_ left: E, _ right: Any) -> Bool { left == right as? E }
    return R.allCases.allSatisfy { value in
      guard let left = value[keyPath: path] as? any Equatable else { return false }
      return equal(left, value.rawValue)
    }
  }
}
protocol AnyArray {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
}
extension Array: AnyArray {
  static var countPath: AnyKeyPath { \[Element].count }
  static var isEmptyPath: AnyKeyPath { \[Element].isEmpty }
}
protocol AnyRelated {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
}
extension RelatedObjects: AnyRelated {
  static var countPath: AnyKeyPath { \RelatedObjects<Element>.count }
  static var isEmptyPath: AnyKeyPath { \RelatedObjects<Element>.isEmpty }
}
