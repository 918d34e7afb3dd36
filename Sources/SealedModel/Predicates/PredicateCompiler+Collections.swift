import Foundation

extension PredicateExpressions.SequenceContains: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    let list = try compiler.compile(sequence), member = try compiler.compile(element)
    if case .constant(.list(let values)) = list { return .member(member, of: Set(values)) }
    if case .column(let column) = list, LHS.Output.self is any AnyRelated.Type {
      compiler.depth += 1
      defer { compiler.depth -= 1 }
      let me = QueryNode.Column(variable: compiler.depth)
      return .any(column, variable: compiler.depth, .compare(.column(me), .equal, member))
    }
    if LHS.Output.self == String.self { throw QueryError.unsupported("contains(Character)") }
    return .listContains(list, member)
  }
}
extension PredicateExpressions.SequenceContainsWhere: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard LHS.Output.self is any AnyRelated.Type else {
      throw QueryError.unsupported("contains(where:) of \(LHS.Output.self)")
    }
    let column = try compiler.column(sequence)
    compiler.depth += 1
    defer { compiler.depth -= 1 }
    let me = QueryNode.Column(variable: compiler.depth)
    return .any(column, variable: compiler.depth, try compiler.bound(variable.key, me, test))
  }
}
extension PredicateExpressions.SequenceAllSatisfy: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard LHS.Output.self is any AnyRelated.Type else {
      throw QueryError.unsupported("allSatisfy of \(LHS.Output.self)")
    }
    let column = try compiler.column(sequence)
    compiler.depth += 1
    defer { compiler.depth -= 1 }
    let me = QueryNode.Column(variable: compiler.depth)
    return .all(column, variable: compiler.depth, try compiler.bound(variable.key, me, test))
  }
}
/// `filter { … }` stands for itself only inside `.count` and `.isEmpty`.
protocol AnyFilter {
  func countNode(_ compiler: inout PredicateCompiler) throws -> QueryNode
}
extension PredicateExpressions.Filter: AnyFilter {
  func countNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard LHS.Output.self is any AnyRelated.Type else {
      throw QueryError.unsupported("filter of \(LHS.Output.self)")
    }
    let column = try compiler.column(sequence)
    compiler.depth += 1
    defer { compiler.depth -= 1 }
    let me = QueryNode.Column(variable: compiler.depth)
    return .count(column, variable: compiler.depth, try compiler.bound(variable.key, me, filter))
  }
}
extension PredicateExpressions.CollectionContainsCollection: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard Base.Output.self == String.self else {
      throw QueryError.unsupported("contains(collection) of \(Base.Output.self)")
    }
    return .text(try compiler.compile(base), .contains, try compiler.compile(other), .none)
  }
}
extension PredicateExpressions.SequenceStartsWith: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    guard Base.Output.self == String.self else {
      throw QueryError.unsupported("starts(with:) of \(Base.Output.self)")
    }
    return .text(try compiler.compile(base), .hasPrefix, try compiler.compile(prefix), .none)
  }
}
extension PredicateExpressions.RangeExpressionContains: QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode {
    let value = try compiler.compile(element)
    if let range = range as? any AnyRangeNode { return try range.between(value, &compiler) }
    func ordered<V: OrderedValue>(_: V.Type) throws -> QueryNode {
      let captured = try (self.range as? any AnyCapturedRange)?.captured
      if let r = captured as? ClosedRange<V> {
        return .between(
          value, .constant(r.lowerBound.scalar), .constant(r.upperBound.scalar), closed: true)
      }
      if let r = captured as? Range<V> {
        return .between(
          value, .constant(r.lowerBound.scalar), .constant(r.upperBound.scalar), closed: false)
      }
      throw QueryError.unsupported("a range of \(V.self)")
    }
    guard let type = Element.Output.self as? any OrderedValue.Type else {
      throw QueryError.unsupported("a range of \(Element.Output.self)")
    }
    return try ordered(type)
  }
}
protocol AnyCapturedRange { var captured: Any { get throws } }
extension PredicateExpressions.Value: AnyCapturedRange { var captured: Any { value } }
protocol AnyRangeNode {
  func between(_ value: QueryNode, _ compiler: inout PredicateCompiler) throws -> QueryNode
}
extension PredicateExpressions.ClosedRange: AnyRangeNode {
  func between(_ value: QueryNode, _ compiler: inout PredicateCompiler) throws -> QueryNode {
    .between(value, try compiler.compile(lower), try compiler.compile(upper), closed: true)
  }
}
extension PredicateExpressions.Range: AnyRangeNode {
  func between(_ value: QueryNode, _ compiler: inout PredicateCompiler) throws -> QueryNode {
    .between(value, try compiler.compile(lower), try compiler.compile(upper), closed: false)
  }
}
