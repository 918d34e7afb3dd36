extension QueryNode {
  /// The same condition, asked of what `base` leads to.
  func rebased(_ base: Column) -> QueryNode {
    if base.variable == 0, base.steps.isEmpty { return self }
    return moved { column in
      guard column.variable == 0 else {
        return Column(
          variable: column.variable + base.variable, steps: column.steps,
          attribute: column.attribute)
      }
      return Column(
        variable: base.variable, steps: base.steps + column.steps, attribute: column.attribute)
    } variables: {
      $0 + base.variable
    }
  }

  private func moved(
    _ move: (Column) -> Column, variables: (Int) -> Int
  ) -> QueryNode {
    func go(_ node: QueryNode) -> QueryNode { node.moved(move, variables: variables) }
    switch self {
    case .constant, .residual: return self
    case .column(let column): return .column(move(column))
    case .compare(let a, let comparison, let b): return .compare(go(a), comparison, go(b))
    case .and(let nodes): return .and(nodes.map(go))
    case .or(let nodes): return .or(nodes.map(go))
    case .not(let node): return .not(go(node))
    case .text(let a, let operation, let b, let folding):
      return .text(go(a), operation, go(b), folding)
    case .member(let node, let set): return .member(go(node), of: set)
    case .listContains(let a, let b): return .listContains(go(a), go(b))
    case .between(let node, let low, let high, let closed):
      return .between(go(node), go(low), go(high), closed: closed)
    case .arithmetic(let a, let operation, let b): return .arithmetic(go(a), operation, go(b))
    case .coalesce(let a, let b): return .coalesce(go(a), go(b))
    case .conditional(let test, let a, let b): return .conditional(go(test), go(a), go(b))
    case .ifPresent(let a, let b): return .ifPresent(go(a), go(b))
    case .unwrap(let node): return .unwrap(go(node))
    case .any(let column, let variable, let node):
      return .any(move(column), variable: variables(variable), go(node))
    case .all(let column, let variable, let node):
      return .all(move(column), variable: variables(variable), go(node))
    case .count(let column, let variable, let node):
      return .count(move(column), variable: variables(variable), node.map(go))
    case .isKind(let column, let entity): return .isKind(move(column), entity)
    }
  }
}
