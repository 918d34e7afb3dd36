import Foundation

/// Adopted by the expression types of `PredicateExpressions` that become query nodes.
///
/// The conformances are unconditional and the children are cast: one unknown leaf loses its
/// conjunct, not the whole predicate.
protocol QueryCompilable {
  func queryNode(_ compiler: inout PredicateCompiler) throws -> QueryNode
}

struct PredicateCompiler {
  /// What each variable of the predicate stands for.
  var variables: [PredicateExpressions.VariableID: QueryNode.Column] = [:]
  var depth = 0

  mutating func compile<E: PredicateExpression>(_ expression: E) throws -> QueryNode {
    guard let compilable = expression as? any QueryCompilable else {
      throw QueryError.unsupported("\(E.self)".prefix { $0 != "<" }.description)
    }
    return try compilable.queryNode(&self)
  }
  mutating func column<E: PredicateExpression>(_ expression: E) throws -> QueryNode.Column {
    guard case .column(let column) = try compile(expression) else {
      throw QueryError.unsupported("\(E.self) as a path")
    }
    return column
  }
  mutating func bound<E: PredicateExpression>(
    _ id: PredicateExpressions.VariableID, _ column: QueryNode.Column, _ body: E
  ) throws -> QueryNode {
    variables[id] = column
    defer { variables[id] = nil }
    return try compile(body)
  }
}

/// A predicate split at its top-level `&&`: what compiled, and what must be evaluated on objects.
struct CompiledPredicate<M: PersistentModel> {
  var node: QueryNode
  var residuals: [(ModelObject) throws -> Bool] = []
  var reasons: [String] = []

  init(_ predicate: Predicate<M>) {
    node = .true
    var conjuncts: [QueryNode] = []
    split(predicate.expression, predicate.variable, &conjuncts)
    node = conjuncts.count == 1 ? conjuncts[0] : .and(conjuncts)
  }
  private mutating func split(
    _ expression: any PredicateExpression<Bool>, _ variable: PredicateExpressions.Variable<M>,
    _ conjuncts: inout [QueryNode]
  ) {
    if let conjunction = expression as? any AnyConjunction {
      let (left, right) = conjunction.sides
      split(left, variable, &conjuncts)
      split(right, variable, &conjuncts)
      return
    }
    do {
      var compiler = PredicateCompiler()
      compiler.variables[variable.key] = QueryNode.Column(variable: 0)
      func go<E: PredicateExpression>(_ e: E) throws -> QueryNode { try compiler.compile(e) }
      conjuncts.append(try go(expression))
    } catch {
      reasons.append("\(error)")
      conjuncts.append(.residual(residuals.count))
      residuals.append { object in
        guard let object = object as? M else { return false }
        return try expression.evaluate(PredicateBindings((variable, object)))
      }
    }
  }
}
protocol AnyConjunction {
  var sides: (any PredicateExpression<Bool>, any PredicateExpression<Bool>) { get }
}
extension PredicateExpressions.Conjunction: AnyConjunction {
  var sides: (any PredicateExpression<Bool>, any PredicateExpression<Bool>) { (lhs, rhs) }
}
