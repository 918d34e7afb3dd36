internal import Synchronization

/// The store as it was at one commit: reads through it agree with each other, whatever is written
/// meanwhile.
///
/// Cheap to take and to keep for a while; the space of what it alone can see is reclaimed once it
/// is released. May be used from any number of threads.
public final class Snapshot: Sendable {
  let store: LogStore
  let view: ReadView
  /// The last commit that the snapshot sees.
  public let commit: UInt64

  init(store: LogStore, view: ReadView, commit: UInt64) {
    self.store = store
    self.view = view
    self.commit = commit
  }

  deinit { store.release(snapshot: commit) }

  var gateGeneration: Int { store.gate.generation.load(ordering: .relaxed) }

  // MARK: Points

  /// The value of a key, or nil.
  ///
  /// - Throws: `.damaged` where it can't be read, `.locked`, `.io`.
  public func value(
    for key: [UInt8], in keyspace: Keyspace
  ) throws(StoreError) -> [UInt8]? {
    unsafe try key.withRaw { (raw) throws(StoreError) in
      guard let found = try unsafe find(raw, keyspace) else { return nil }
      return unsafe Array(found.value)
    }
  }

  /// Calls `body` with the value of a key in place, or nil; the bytes are good until it returns.
  ///
  /// The plaintext stays in memory while `body` runs, also where the store is locked meanwhile.
  /// - Throws: as `value(for:in:)`, and what `body` throws.
  public func withValue<R>(
    for key: UnsafeRawBufferPointer, in keyspace: Keyspace,
    _ body: (UnsafeRawBufferPointer?) throws -> R
  ) throws -> R {
    guard let found = try unsafe find(key, keyspace) else { return try body(nil) }
    return try unsafe body(found.value)
  }

  /// The values of several keys, in their order.
  public func values(
    for keys: [[UInt8]], in keyspace: Keyspace
  ) throws(StoreError) -> [[UInt8]?] {
    var results: [[UInt8]?] = []
    results.reserveCapacity(keys.count)
    for key in keys { results.append(try value(for: key, in: keyspace)) }
    return results
  }

  // MARK: Ranges

  /// A cursor over the keys from `lower` (or the first) to before `upper` (or the last).
  ///
  /// - Throws: `.locked`, `.damaged`.
  public func cursor(
    in keyspace: Keyspace, from lower: [UInt8]? = nil, to upper: [UInt8]? = nil
  ) throws(StoreError) -> Cursor {
    let generation = gateGeneration
    let sources = try store.gate.read { () throws(StoreError) in
      try Sources(view: view, keyspace: keyspace.id, gate: store.gate, lower: lower, upper: upper)
    }
    return Cursor(
      snapshot: self, keyspace: keyspace.id, merge: MergeCursor(sources.cursors), lower: lower,
      upper: upper, generation: generation)
  }

  // MARK: Finding

  /// A value, and what keeps it in memory.
  @safe struct Found: ~Copyable {
    let value: UnsafeRawBufferPointer
    private let storage: MemtableStorage?
    private let pin: BlockPin?

    init(value: UnsafeRawBufferPointer, storage: MemtableStorage) {
      unsafe self.value = value
      self.storage = storage
      pin = nil
    }

    init(value: UnsafeRawBufferPointer, pin: consuming BlockPin) {
      unsafe self.value = value
      storage = nil
      self.pin = consume pin
    }
  }

  /// The newest version at or before the snapshot's commit, unless that is a removal.
  @inline(__always)
  private func find(
    _ key: UnsafeRawBufferPointer, _ keyspace: Keyspace
  ) throws(StoreError) -> Found? {
    guard let base = key.baseAddress else { return nil }
    let hash = unsafe keyHash(base, key.count)
    return try store.gate.read { () throws(StoreError) -> Found? in
      let slotHash = MemtableStorage.hash(hash, keyspace.id)
      for memtable in view.memtables {
        let storage = try unsafe memtable.unretained()
        let entry = unsafe storage.borrow {
          unsafe $0.find(key, hash: slotHash, keyspace: keyspace.id, commit: commit)
        }
        guard let entry = unsafe entry else { continue }
        guard unsafe entry.kind == OperationKind.put.rawValue,
          unsafe !view.hides(key, in: keyspace.id, version: entry.commit, from: commit)
        else { return nil }
        return unsafe Found(value: entry.value, storage: storage.takeUnretainedValue())
      }
      guard let tree = view.trees[keyspace.id] else { return nil }
      return try unsafe find(key, hash: hash, in: tree, keyspace.id)
    }
  }

  @inline(__always)
  private func find(
    _ key: UnsafeRawBufferPointer, hash: UInt64, in tree: Tree, _ keyspace: UInt32
  ) throws(StoreError) -> Found? {
    var result: Found?
    try unsafe tree.visit(key, hash: hash) { (contents) throws(StoreError) in
      try unsafe contents.borrow { (contents) throws(StoreError) in
        try unsafe search(contents, key, keyspace, &result)
      }
    }
    return result
  }

  /// Looks for the key in one table; true where the search is over.
  @inline(__always)
  private func search(
    _ contents: TableContents, _ key: UnsafeRawBufferPointer, _ keyspace: UInt32,
    _ result: inout Found?
  ) throws(StoreError) -> Bool {
    var blockIndex = max(0, unsafe contents.index.lowerBound(key) - 1)
    while true {
      let pin = try contents.pin(blockIndex)
      let block = unsafe Block(base: pin.plaintext)
      let index = unsafe block.lowerBound(key, commit: commit)
      if unsafe index < block.count {
        let entry = unsafe block.entry(index)
        guard unsafe block.holds(key, at: index, entry) else { return false }
        if unsafe entry.kind == OperationKind.put.rawValue,
          unsafe !view.hides(key, in: keyspace, version: entry.commit, from: commit)
        {
          let value = unsafe UnsafeRawBufferPointer(start: entry.value, count: entry.valueCount)
          result = unsafe Found(value: value, pin: consume pin)
        }
        return true
      }
      // The key may begin the next block, or its older versions go on there.
      blockIndex += 1
      guard blockIndex < contents.index.count,
        unsafe compareKeys(contents.index.firstKey(blockIndex), key) <= 0
      else { return false }
    }
  }
}

/// The sources of one keyspace in a view, newest first.
struct Sources {
  let cursors: [SourceCursor]

  init(
    view: ReadView, keyspace: UInt32, gate: ReaderGate, lower: [UInt8]? = nil,
    upper: [UInt8]? = nil
  ) throws(StoreError) {
    var cursors: [SourceCursor] = []
    for memtable in view.memtables {
      let storage = try memtable.retained()
      for run in storage.runs(in: keyspace).reversed() {
        cursors.append(RunCursor(storage: storage, run: run))
      }
    }
    if let tree = view.trees[keyspace] {
      for table in tree.levels[0] where Self.meets(table.entry, lower, upper) {
        cursors.append(TableCursor(tables: [table], gate: gate))
      }
      for level in tree.levels.dropFirst() where !level.isEmpty {
        let tables = level.filter { Self.meets($0.entry, lower, upper) }
        if !tables.isEmpty { cursors.append(TableCursor(tables: tables, gate: gate)) }
      }
    }
    self.cursors = cursors
  }

  private static func meets(_ entry: TableEntry, _ lower: [UInt8]?, _ upper: [UInt8]?) -> Bool {
    if let lower, compareKeys(entry.largestKey, lower) < 0 { return false }
    if let upper, compareKeys(entry.smallestKey, upper) >= 0 { return false }
    return true
  }
}
