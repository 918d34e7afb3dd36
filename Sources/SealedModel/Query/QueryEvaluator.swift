import Foundation

/// What a query is asked of: an object, or a record that no object was made of.
enum QueryRow {
  case object(ModelObject)
  case record(Reference, RecordView)

  var entity: Entity {
    switch self {
    case .object(let object): unsafe object._entity
    case .record(_, let view): view.layout.entity
    }
  }

  /// Where a to-one relationship leads to, by record.
  func reference(_ slot: Int) -> Reference? {
    switch self {
    case .object(let object): object.entry(one: slot)?.reference
    case .record(_, let view): view.layout.fields[slot].flatMap { view.reference(of: $0) }
    }
  }

  /// An attribute's value.
  func scalar(_ slot: Int) -> Scalar {
    switch self {
    case .object(let object): return object.scalar(slot)
    case .record(_, let view):
      guard let field = view.layout.fields[slot] else {
        return view.layout.entity.definition(slot).defaultScalar
      }
      return view.value(of: field).scalar
    }
  }
}

/// What the evaluator asks of the context: other objects than the row's.
protocol QuerySource: AnyObject {
  /// Calls `body` with the row of a related object; with nil where it is deleted or gone.
  func withRow<R>(_ reference: Reference, _ body: (QueryRow?) throws -> R) throws -> R
  /// Calls `body` with the row of each related object, in order, until it says false.
  func forEachMember(
    of row: QueryRow, _ slot: Int, _ body: (QueryRow) throws -> Bool) throws
  /// How many objects a to-many relationship leads to.
  func memberCount(of row: QueryRow, _ slot: Int) throws -> Int
  /// The object of a row.
  func object(of row: QueryRow) -> ModelObject?
  /// The identifier of a row.
  func identifier(of row: QueryRow) -> PersistentIdentifier
}

/// Evaluates a query's tree on a row. The semantics are Swift's: nil equals nil and differs from
/// every value; a broken path is nil.
struct QueryEvaluator {
  let source: any QuerySource
  var residuals: [(ModelObject) throws -> Bool] = []

  func matches(_ node: QueryNode, _ rows: [QueryRow]) throws -> Bool {
    guard case .bool(let result) = try value(node, rows) else { return false }
    return result
  }

  func value(_ node: QueryNode, _ rows: [QueryRow]) throws -> Scalar {
    switch node {
    case .constant(let scalar): return scalar
    case .column(let column): return try value(of: column, rows)
    case .compare(let left, let comparison, let right):
      return .bool(try Scalar.compare(value(left, rows), comparison, value(right, rows)))
    case .and(let nodes):
      for node in nodes where try !matches(node, rows) { return .bool(false) }
      return .bool(true)
    case .or(let nodes):
      for node in nodes where try matches(node, rows) { return .bool(true) }
      return .bool(false)
    case .not(let node): return .bool(try !matches(node, rows))
    case .text(let left, let operation, let right, let folding):
      return try text(value(left, rows), operation, value(right, rows), folding)
    case .member(let node, let set): return .bool(set.contains(try value(node, rows)))
    case .listContains(let list, let element):
      guard case .list(let values) = try value(list, rows) else { return .bool(false) }
      return .bool(values.contains(try value(element, rows)))
    case .between(let node, let low, let high, let closed):
      let value = try value(node, rows)
      return .bool(
        try Scalar.compare(value, .greaterOrEqual, self.value(low, rows))
          && Scalar.compare(value, closed ? .lessOrEqual : .less, self.value(high, rows)))
    case .arithmetic(let left, let operation, let right):
      return try Scalar.arithmetic(value(left, rows), operation, value(right, rows))
    default: return try valueOfOptional(node, rows)
    }
  }

  private func valueOfOptional(_ node: QueryNode, _ rows: [QueryRow]) throws -> Scalar {
    switch node {
    case .coalesce(let left, let right):
      let value = try value(left, rows)
      return value == .null ? try self.value(right, rows) : value
    case .conditional(let test, let yes, let no):
      return try matches(test, rows) ? value(yes, rows) : value(no, rows)
    case .ifPresent(let test, let node):
      return try value(test, rows) == .null ? .null : value(node, rows)
    case .unwrap(let node):
      let value = try value(node, rows)
      if value == .null { throw QueryError.unwrappedNil }
      return value
    case .any(let column, let variable, let node):
      return .bool(try holdsForAny(column, variable, rows) { try matches(node, $0) })
    case .all(let column, let variable, let node):
      return .bool(try !holdsForAny(column, variable, rows) { try !matches(node, $0) })
    case .count(let column, let variable, let node):
      return .int(Int64(try count(column, variable, node, rows)))
    case .isKind(let column, let entity):
      return .bool(
        try withTarget(column, rows) { $0?.entity.isKind(ofName: entity) == true })
    case .residual(let index):
      guard index < residuals.count, let object = source.object(of: rows[0]) else {
        return .bool(false)
      }
      return .bool(try residuals[index](object))
    default: return .null
    }
  }

  // MARK: Columns

  private func value(of column: QueryNode.Column, _ rows: [QueryRow]) throws -> Scalar {
    try withTarget(column, rows) { row in
      guard let row else { return .null }
      guard let name = column.attribute else { return .object(source.identifier(of: row)) }
      guard let slot = row.entity.slot(named: name) else { return .null }
      return row.scalar(slot)
    }
  }

  private func withTarget<R>(
    _ column: QueryNode.Column, _ rows: [QueryRow], _ body: (QueryRow?) throws -> R
  ) throws -> R {
    guard column.variable < rows.count else { return try body(nil) }
    return try follow(column.steps[...], from: rows[column.variable], body)
  }

  private func follow<R>(
    _ steps: ArraySlice<QueryNode.Column.Step>, from row: QueryRow,
    _ body: (QueryRow?) throws -> R
  ) throws -> R {
    guard let step = steps.first else { return try body(row) }
    switch step {
    case .cast(let entity):
      guard row.entity.isKind(ofName: entity) else { return try body(nil) }
      return try follow(steps.dropFirst(), from: row, body)
    case .relationship(let name):
      guard let slot = row.entity.slot(named: name), let reference = row.reference(slot) else {
        return try body(nil)
      }
      return try source.withRow(reference) { next in
        guard let next else { return try body(nil) }
        return try follow(steps.dropFirst(), from: next, body)
      }
    }
  }

  // MARK: To-many

  private func holdsForAny(
    _ column: QueryNode.Column, _ variable: Int, _ rows: [QueryRow],
    _ test: ([QueryRow]) throws -> Bool
  ) throws -> Bool {
    try withTarget(column, rows) { row in
      guard let row, let name = column.attribute, let slot = row.entity.slot(named: name) else {
        return false
      }
      var found = false
      try source.forEachMember(of: row, slot) { member in
        found = try test(Array(rows.prefix(variable)) + [member])
        return !found
      }
      return found
    }
  }

  private func count(
    _ column: QueryNode.Column, _ variable: Int, _ node: QueryNode?, _ rows: [QueryRow]
  ) throws -> Int {
    try withTarget(column, rows) { row in
      guard let row, let name = column.attribute, let slot = row.entity.slot(named: name) else {
        return 0
      }
      guard let node else { return try source.memberCount(of: row, slot) }
      var count = 0
      try source.forEachMember(of: row, slot) { member in
        if try matches(node, Array(rows.prefix(variable)) + [member]) { count += 1 }
        return true
      }
      return count
    }
  }

  // MARK: Text

  private func text(
    _ left: Scalar, _ operation: QueryNode.Text, _ right: Scalar, _ folding: QueryNode.Folding
  ) throws -> Scalar {
    guard case .string(let text) = left else {
      return operation == .length ? .null : .bool(false)
    }
    if operation == .length { return .int(Int64(text.count)) }
    guard case .string(let part) = right else { return .bool(false) }
    let a = folding.fold(text)
    let b = folding.fold(part)
    switch operation {
    case .contains: return .bool(b.isEmpty || a.contains(b))
    case .hasPrefix: return .bool(a.hasPrefix(b))
    case .hasSuffix: return .bool(a.hasSuffix(b))
    case .equals, .length: return .bool(a == b)
    }
  }
}

extension QueryNode.Folding {
  func fold(_ string: String) -> String {
    switch self {
    case .none: string
    case .caseInsensitive: string.lowercased()
    case .caseAndDiacriticInsensitive:
      string.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: .current)
    }
  }
}
