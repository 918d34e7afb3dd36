internal import SealedLog

/// Writes what changed in to-many relationships.
struct EdgeWriter {
  let store: ObjectStore
  let snapshot: Snapshot
  /// What the lists have in the store once the commit stands.
  private var outcomes: [(list: ToManyList, stored: [ToManyList.Stored], count: Int)] = []

  init(store: ObjectStore, snapshot: Snapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  func didCommit() {
    for outcome in outcomes { outcome.list.didSave(stored: outcome.stored, count: outcome.count) }
  }

  /// Writes the changes of one list.
  ///
  /// - Returns: Whether there were any.
  mutating func write(
    _ object: ModelObject, _ slot: Int, _ bound: BoundEntity, to batch: inout WriteBatch
  ) throws -> Bool {
    guard let relation = bound.relations[slot] else { return false }
    let list = object.list(slot)
    let owner = object._entry.reference
    let keys = EdgeKeys(owner: owner.local, relation: relation)
    let reverse = bound.indexes.first { $0.reverseOfMany == slot }
    var change = ListChange(keys: keys, owner: owner, reverse: reverse, store: store)
    if list.isLoaded {
      try writeLoaded(list, &change, to: &batch)
    } else {
      try writeDifference(list, &change, to: &batch)
    }
    return change.isChanged
  }

  private mutating func writeDifference(
    _ list: ToManyList, _ change: inout ListChange, to batch: inout WriteBatch
  ) throws {
    var (count, next) = try store.edgeState(change.keys, snapshot)
    for local in list.removed.keys.sorted() {
      if let position = try store.position(of: local, change.keys, snapshot) {
        try change.remove(local, at: position, from: &batch)
        count -= 1
      }
    }
    for entry in list.entries where !entry.id.isProvisional {
      let reference = entry.reference
      if list.removed[reference.local] == nil,
        try store.position(of: reference.local, change.keys, snapshot) != nil
      {
        continue
      }
      try change.add(reference, at: next, to: &batch)
      next += 1
      count += 1
    }
    if change.isChanged { try change.finish(count: count, next: next, to: &batch) }
    outcomes.append((list, [], count))
  }

  private mutating func writeLoaded(
    _ list: ToManyList, _ change: inout ListChange, to batch: inout WriteBatch
  ) throws {
    let wanted = list.entries.filter { !$0.id.isProvisional }.map(\.reference)
    let places = Dictionary(
      list.stored.map { ($0.local, $0.position) }, uniquingKeysWith: { first, _ in first })
    let now = Set(wanted.map(\.local))
    for member in list.stored where !now.contains(member.local) {
      try change.remove(member.local, at: member.position, from: &batch)
    }
    var next = (list.stored.map(\.position).max() ?? 0) + 1
    // Appending keeps the places of what was there; any other order gets new ones.
    var result: [ToManyList.Stored] = []
    var last: UInt64 = 0
    var isAppended = true
    for member in wanted {
      let position = places[member.local] ?? .max
      if position < last { isAppended = false }
      last = position
    }
    for member in wanted {
      if isAppended, let position = places[member.local] {
        result.append(ToManyList.Stored(local: member.local, position: position))
        continue
      }
      if let position = places[member.local] {
        try change.remove(member.local, at: position, from: &batch)
      }
      try change.add(member, at: next, to: &batch)
      result.append(ToManyList.Stored(local: member.local, position: next))
      next += 1
    }
    if change.isChanged { try change.finish(count: wanted.count, next: next, to: &batch) }
    outcomes.append((list, result, wanted.count))
  }

  /// Removes everything of a deleted object's list.
  func deleteAll(
    of object: ModelObject, _ slot: Int, _ bound: BoundEntity, from batch: inout WriteBatch
  ) throws {
    guard let relation = bound.relations[slot] else { return }
    let owner = object._entry.reference
    let keys = EdgeKeys(owner: owner.local, relation: relation)
    let reverse = bound.indexes.first { $0.reverseOfMany == slot }
    var change = ListChange(keys: keys, owner: owner, reverse: reverse, store: store)
    for member in try store.members(keys, snapshot) {
      try change.remove(member.reference, at: member.position, from: &batch)
    }
    if change.isChanged { try batch.delete(keys.count, in: store.edges) }
  }
}

/// The rows of one list.
struct ListChange {
  let keys: EdgeKeys
  let owner: Reference
  let reverse: BoundIndex?
  let store: ObjectStore
  private(set) var isChanged = false

  init(keys: EdgeKeys, owner: Reference, reverse: BoundIndex?, store: ObjectStore) {
    self.keys = keys
    self.owner = owner
    self.reverse = reverse
    self.store = store
  }

  mutating func add(
    _ member: Reference, at position: UInt64, to batch: inout WriteBatch
  ) throws(StoreError) {
    isChanged = true
    var value = KeyWriter()
    value.append(member)
    try batch.put(keys.position(position), value.bytes, in: store.edges)
    try batch.put(keys.member(member.local), EdgeKeys.bytes(position), in: store.edges)
    if let key = reverseKey(member) { try batch.put(key, [], in: store.indexes) }
  }

  mutating func remove(
    _ local: UInt64, at position: UInt64, from batch: inout WriteBatch
  ) throws(StoreError) {
    // The entity isn't known here: the position's row has it, if the reverse index needs it.
    var member = Reference(local: local, entity: 0)
    if reverse != nil, let snapshot = try? store.log.snapshot(),
      let row = try snapshot.value(for: keys.position(position), in: store.edges)
    {
      member = unsafe row.withUnsafeBytes { unsafe reference(at: 0, of: $0) } ?? member
    }
    try remove(member, at: position, from: &batch)
  }

  mutating func remove(
    _ member: Reference, at position: UInt64, from batch: inout WriteBatch
  ) throws(StoreError) {
    isChanged = true
    try batch.delete(keys.position(position), in: store.edges)
    try batch.delete(keys.member(member.local), in: store.edges)
    if let key = reverseKey(member) { try batch.delete(key, in: store.indexes) }
  }

  func finish(count: Int, next: UInt64, to batch: inout WriteBatch) throws(StoreError) {
    try batch.put(
      keys.count, EdgeKeys.bytes(UInt64(clamping: count), next), in: store.edges)
  }

  private func reverseKey(_ member: Reference) -> [UInt8]? {
    guard let reverse else { return nil }
    var key = KeyWriter()
    key.append(reverse.number)
    key.append(optional: member)
    key.append(owner)
    return key.bytes
  }
}
