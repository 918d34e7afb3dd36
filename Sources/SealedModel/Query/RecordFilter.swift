/// A query's conjuncts, the frequent ones in a form that runs on a record's bytes.
struct RecordFilter {
  private enum Test {
    case int(slot: Int, QueryNode.Comparison, Int64)
    case double(slot: Int, QueryNode.Comparison, Double)
    case text(slot: Int, [UInt8])
    case general(QueryNode)
  }

  private let tests: [Test]
  private let node: QueryNode
  let evaluator: QueryEvaluator

  init(_ node: QueryNode, entity: Entity, evaluator: QueryEvaluator) {
    self.node = node
    self.evaluator = evaluator
    let conjuncts = node.conjuncts
    // Cheap tests first; what needs an object last.
    let quick = conjuncts.compactMap { Self.quick($0, entity) }
    let general = conjuncts.filter { Self.quick($0, entity) == nil }
    tests =
      quick + general.filter { !$0.isResidual }.map { Test.general($0) }
      + general.filter(\.isResidual).map { Test.general($0) }
  }

  private static func quick(_ node: QueryNode, _ entity: Entity) -> Test? {
    guard case .compare(.column(let column), let comparison, .constant(let value)) = node,
      column.variable == 0, column.steps.isEmpty, let name = column.attribute,
      let slot = entity.slot(named: name),
      let kind = entity.definition(slot).storageKind
    else { return nil }
    let isNotEqual = comparison == .notEqual
    switch (kind.base, value) {
    case (.int(bits: 64), .int(let number)) where !isNotEqual:
      return .int(slot: slot, comparison, number)
    case (.double, .double(let number)), (.date, .date(let number)):
      return isNotEqual ? nil : .double(slot: slot, comparison, number)
    case (.string, .string(let text)) where comparison == .equal:
      return text.utf8.allSatisfy { $0 < 0x80 } ? .text(slot: slot, Array(text.utf8)) : nil
    default: return nil
    }
  }

  func matches(_ row: QueryRow) throws -> Bool {
    guard case .record(_, let view) = row else { return try evaluator.matches(node, [row]) }
    for test in tests {
      if try !matches(test, view, row) { return false }
    }
    return true
  }

  private func matches(_ test: Test, _ view: RecordView, _ row: QueryRow) throws -> Bool {
    switch test {
    case .int(let slot, let comparison, let number):
      guard let field = view.layout.fields[slot] else { break }
      guard view.isPresent(field) else { return false }
      let value = unsafe view.bytes.loadUnaligned(fromByteOffset: field.offset, as: Int64.self)
      return Scalar.ordered(Int64(littleEndian: value), comparison, number)
    case .double(let slot, let comparison, let number):
      guard let field = view.layout.fields[slot] else { break }
      guard view.isPresent(field) else { return false }
      let bits = unsafe view.bytes.loadUnaligned(fromByteOffset: field.offset, as: UInt64.self)
      return Scalar.ordered(
        Double(bitPattern: UInt64(littleEndian: bits)), comparison, number)
    case .text(let slot, let wanted):
      guard let field = view.layout.fields[slot] else { break }
      guard view.isPresent(field) else { return false }
      let bytes = unsafe view.bytes(of: field)
      if unsafe bytes.elementsEqual(wanted) { return true }
      // Some characters outside ASCII are canonically equivalent to one inside.
      if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return false }
      return unsafe String(decoding: bytes, as: UTF8.self)
        == String(decoding: wanted, as: UTF8.self)
    case .general(let node): return try evaluator.matches(node, [row])
    }
    return try evaluator.matches(node, [row])
  }
}

extension QueryNode {
  fileprivate var isResidual: Bool {
    if case .residual = self { return true }
    return false
  }
}
