import Foundation
internal import SealedLog

/// Runs a request: candidates by the plan, the filter, unsaved changes, order, offset and limit.
struct FetchRun {
  /// Something that matched.
  struct Match {
    let reference: Reference
    /// The object, where there is one already.
    let object: ModelObject?
    /// What it is sorted by.
    let keys: [Scalar]
  }

  let context: ModelContext
  let request: FetchRequest
  let bound: BoundEntity
  let snapshot: Snapshot
  /// Whether all results are wanted as objects, at once.
  var makesObjects = false
  private let filter: RecordFilter
  private let evaluator: QueryEvaluator
  private(set) var plan: FetchPlan
  /// Unsaved objects that may match: they stand for their records.
  private let overlay: [ModelObject]
  private let hasOverlay: Bool

  init(
    context: ModelContext, request: FetchRequest, bound: BoundEntity, snapshot: Snapshot
  ) {
    self.context = context
    self.request = request
    self.bound = bound
    self.snapshot = snapshot
    evaluator = QueryEvaluator(source: context, residuals: request.residuals)
    filter = RecordFilter(request.node, entity: bound.entity, evaluator: evaluator)
    plan = Planner(store: context.store, request: request, bound: bound).plan()
    if request.includesPending {
      overlay = (ModelContext.sorted(context.changed) + ModelContext.sorted(context.inserted))
        .filter { unsafe $0._entity.isKind(of: bound.entity) }
    } else {
      overlay = []
    }
    hasOverlay = request.includesPending && context.hasChanges
  }

  /// Whether results can be handed on as they are found.
  private var isStreaming: Bool {
    request.comparison == nil && (request.sorts.isEmpty || (plan.isOrdered && overlay.isEmpty))
  }

  /// Calls `body` with each result in order, until it says false.
  func forEach(_ body: (QueryRow) throws -> Bool) throws {
    var skipped = 0
    var taken = 0
    func hand(_ row: QueryRow) throws -> Bool {
      if skipped < request.offset {
        skipped += 1
        return true
      }
      if let limit = request.limit, taken >= limit { return false }
      taken += 1
      return try body(row) && taken < request.limit ?? .max
    }
    if request.limit == 0 { return }
    if isStreaming {
      var isDone = false
      try candidates { row in
        isDone = try !hand(row)
        return !isDone
      }
      if !isDone { _ = try overlayMatches { try hand(.object($0)) } }
      return
    }
    for match in try sortedMatches() {
      let goesOn: Bool
      if let object = match.object {
        goesOn = try hand(.object(object))
      } else {
        goesOn = try context.store.withRecord(match.reference, snapshot) { view in
          try view.map { try hand(.record(match.reference, $0)) } ?? true
        }
      }
      if !goesOn { return }
    }
  }

  // MARK: Candidates

  private func overlayMatches(_ body: (ModelObject) throws -> Bool) throws -> Bool {
    for object in overlay where try filter.matches(.object(object)) {
      if try !body(object) { return false }
    }
    return true
  }

  private func isHidden(_ reference: Reference) -> Bool {
    hasOverlay
      && (context.changed[reference.local] != nil || context.deleted[reference.local] != nil)
  }

  /// Stored records that match, in the plan's order.
  private func candidates(_ body: (QueryRow) throws -> Bool) throws {
    func offer(_ reference: Reference, _ view: RecordView) throws -> Bool {
      if isHidden(reference) { return true }
      let row = QueryRow.record(reference, view)
      return try filter.matches(row) ? body(row) : true
    }
    func fetch(_ reference: Reference) throws -> Bool {
      guard context.store.entities[reference.entity]?.entity.isKind(of: bound.entity) == true
      else { return true }
      return try context.store.withRecord(reference, snapshot) { view in
        try view.map { try offer(reference, $0) } ?? true
      }
    }
    switch plan.access {
    case .nothing: return
    case .identifiers(let references):
      for reference in references where try !fetch(reference) { return }
    case .scan(let entities):
      for entity in entities where try !scan(entity, offer) { return }
    case .index(let index, let ranges, let isReverse):
      _ = index
      for range in ranges {
        let goesOn = try isReverse ? backwards(range, fetch) : forwards(range, fetch)
        if !goesOn { return }
      }
    }
  }

  private func scan(
    _ entity: BoundEntity, _ body: (Reference, RecordView) throws -> Bool
  ) throws -> Bool {
    var prefix = KeyWriter()
    prefix.append(entity.number)
    let cursor = try snapshot.cursor(
      in: context.store.records, from: prefix.bytes,
      to: KeyWriter.successor(ofPrefix: prefix.bytes))
    while try cursor.next() {
      guard unsafe cursor.key.count == 10, let view = unsafe context.store.view(cursor.value) else {
        throw StoreError(
          .damaged, "a record of \(entity.entity.name) makes no sense; restore from a backup")
      }
      let local = unsafe UInt64(
        bigEndian: cursor.key.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
      if try !body(Reference(local: local, entity: entity.number), view) { return false }
    }
    return true
  }

  private func forwards(
    _ range: FetchPlan.KeyRange, _ body: (Reference) throws -> Bool
  ) throws -> Bool {
    let cursor = try snapshot.cursor(
      in: context.store.indexes, from: range.lower, to: range.upper)
    while try cursor.next() {
      guard let reference = unsafe trailingReference(cursor.key) else { continue }
      if try !body(reference) { return false }
    }
    return true
  }

  /// Equal ones come in order of creation, backwards too.
  private func backwards(
    _ range: FetchPlan.KeyRange, _ body: (Reference) throws -> Bool
  ) throws -> Bool {
    let cursor = try snapshot.cursor(
      in: context.store.indexes, from: range.lower, to: range.upper)
    var group: [Reference] = []
    var groupKey: [UInt8] = []
    while try cursor.previous() {
      guard let reference = unsafe trailingReference(cursor.key) else { continue }
      let key = cursor.keyBytes.dropLast(Reference.width)
      if key != groupKey[...] {
        for member in group.reversed() where try !body(member) { return false }
        group = []
        groupKey = Array(key)
      }
      group.append(reference)
    }
    for member in group.reversed() where try !body(member) { return false }
    return true
  }

  // MARK: Order

  private func sortedMatches() throws -> [Match] {
    var matches: [Match] = []
    func add(_ row: QueryRow) throws -> Bool {
      let keys = try request.sorts.map { try evaluator.value(.column($0.column), [row]) }
      switch row {
      case .object(let object):
        matches.append(
          Match(reference: object._entry.reference, object: object, keys: keys))
      case .record(let reference, let view):
        let object =
          (makesObjects && request.limit == nil) || request.comparison != nil
          ? context.object(reference, view) : nil
        matches.append(Match(reference: reference, object: object, keys: keys))
      }
      return true
    }
    try candidates(add)
    _ = try overlayMatches { try add(.object($0)) }
    var failure: (any Error)?
    matches.sort { left, right in
      do { return try isBefore(left, right) } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    return matches
  }

  private func isBefore(_ left: Match, _ right: Match) throws -> Bool {
    if let comparison = request.comparison, let a = left.object, let b = right.object {
      let result = comparison(a, b)
      if result != .orderedSame { return result == .orderedAscending }
    }
    for (index, sort) in request.sorts.enumerated() {
      let a = left.keys[index]
      let b = right.keys[index]
      if try Scalar.isLess(a, b) { return !sort.isReverse }
      if try Scalar.isLess(b, a) { return sort.isReverse }
    }
    return left.reference < right.reference
  }
}
