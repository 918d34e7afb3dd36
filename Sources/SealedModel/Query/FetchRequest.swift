import Foundation

/// What is to be fetched, whichever way it was asked.
struct FetchRequest {
  struct Sort {
    let column: QueryNode.Column
    let isReverse: Bool
  }

  let entity: Entity
  var node: QueryNode = .true
  var residuals: [(ModelObject) throws -> Bool] = []
  /// Why parts are evaluated on objects.
  var reasons: [String] = []
  var sorts: [Sort] = []
  /// Where the order isn't that of stored values: whether the first comes before the second.
  var comparison: ((ModelObject, ModelObject) -> ComparisonResult)?
  var sortTexts: [String] = []
  var offset = 0
  var limit: Int?
  var includesPending = true

  /// A request of a descriptor.
  init<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) {
    entity = Entity.of(M.self)
    if let predicate = descriptor.predicate {
      let compiled = CompiledPredicate(predicate)
      node = compiled.node
      residuals = compiled.residuals
      reasons = compiled.reasons
    }
    let columns = descriptor.sortBy.map { SortPath.resolve($0) }
    for (sort, column) in zip(descriptor.sortBy, columns) {
      sortTexts.append("sort \(column?.text ?? "by comparing objects") \(sort.order)")
      if let column { sorts.append(Sort(column: column, isReverse: sort.order == .reverse)) }
    }
    if sorts.count < columns.count {
      let descriptors = descriptor.sortBy
      sorts = []
      comparison = { left, right in
        guard let left = left as? M, let right = right as? M else { return .orderedSame }
        for descriptor in descriptors {
          let result = descriptor.compare(left, right)
          if result != .orderedSame { return result }
        }
        return .orderedSame
      }
    }
    offset = max(0, descriptor.fetchOffset)
    limit = descriptor.fetchLimit.map { max(0, $0) }
    includesPending = descriptor.includePendingChanges
  }

  /// A request of a query.
  init<M: PersistentModel>(_ query: Query<M>) {
    entity = Entity.of(M.self)
    node = query.filter?.node ?? .true
    sorts = query.sorts.map { Sort(column: $0.column, isReverse: $0.direction == .reverse) }
    sortTexts = query.sorts.map { "sort \($0.column.text) \($0.direction)" }
    offset = max(0, query.offset)
    limit = query.limit.map { max(0, $0) }
  }

  /// How many results are of interest; nil for all.
  var end: Int? { limit.map { $0 > Int.max - offset ? Int.max : offset + $0 } }
}
