/// Reads and writes that commit as if nothing else had happened meanwhile (serializable), or not at
/// all: optimistic, without locks.
///
/// Reads see the store as it was when the transaction began, and the transaction's own writes. At
/// commit everything that was read is looked at again; what another commit changed is a `.conflict`.
/// Not thread-safe.
public final class Transaction {
  private let store: LogStore
  /// The store as the transaction sees it, its own writes aside.
  public let snapshot: Snapshot
  private var writes: [Keyspace: [[UInt8]: [UInt8]?]] = [:]
  private var readKeys: [Keyspace: Set<[UInt8]>] = [:]
  private var readRanges: [ReadRange] = []
  private var isFinished = false

  /// A range that was read, up to the end where `upper` is nil.
  struct ReadRange: Sendable {
    var keyspace: Keyspace
    var lower: [UInt8]?
    var upper: [UInt8]?
  }

  init(store: LogStore, snapshot: Snapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  // MARK: Reading

  /// The value of a key, or nil; the key must then be the same at commit.
  ///
  /// - Throws: as `Snapshot.value(for:in:)`.
  public func value(for key: [UInt8], in keyspace: Keyspace) throws(StoreError) -> [UInt8]? {
    if let own = writes[keyspace]?[key] { return own }
    readKeys[keyspace, default: []].insert(key)
    return try snapshot.value(for: key, in: keyspace)
  }

  /// The entries from `lower` (or the first) to before `upper` (or the last), in order; the whole
  /// range must then be the same at commit.
  ///
  /// - Throws: as `Snapshot.cursor(in:from:to:)`.
  public func entries(
    in keyspace: Keyspace, from lower: [UInt8]? = nil, to upper: [UInt8]? = nil
  ) throws(StoreError) -> [(key: [UInt8], value: [UInt8])] {
    readRanges.append(ReadRange(keyspace: keyspace, lower: lower, upper: upper))
    let own = writes[keyspace] ?? [:]
    var found: [(key: [UInt8], value: [UInt8])] = []
    let cursor = try snapshot.cursor(in: keyspace, from: lower, to: upper)
    while try cursor.next() {
      let key = cursor.keyBytes
      if own[key] == nil { found.append((key, cursor.valueBytes)) }
    }
    for case (let key, let value?) in own where Self.isInside(key, lower, upper) {
      found.append((key, value))
    }
    return found.sorted { compareKeys($0.key, $1.key) < 0 }
  }

  private static func isInside(_ key: [UInt8], _ lower: [UInt8]?, _ upper: [UInt8]?) -> Bool {
    if let lower, compareKeys(key, lower) < 0 { return false }
    if let upper, compareKeys(key, upper) >= 0 { return false }
    return true
  }

  // MARK: Writing

  /// Sets `key` to `value`, once the transaction commits.
  public func put(_ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace) {
    writes[keyspace, default: [:]][key] = .some(value)
  }

  /// Removes `key`, once the transaction commits.
  public func delete(_ key: [UInt8], in keyspace: Keyspace) {
    writes[keyspace, default: [:]][key] = .some(nil)
  }

  /// Commits what was written, if everything that was read is as it was.
  ///
  /// One that wrote nothing always commits: its reads agree with each other as of its snapshot.
  /// - Throws: `.conflict` where another commit changed what was read; then nothing is written, and
  ///   a new transaction may try again. `.invalidArgument` for a second call. Else as
  ///   `LogStore.commit`.
  @discardableResult
  public func commit(durability: Durability = .full) throws(StoreError) -> CommitNumber {
    guard !isFinished else {
      throw StoreError(.invalidArgument, "the transaction was committed before; begin a new one")
    }
    isFinished = true
    guard !writes.isEmpty else { return snapshot.commit }
    var batch = WriteBatch()
    for (keyspace, changes) in writes.sorted(by: { $0.key.id < $1.key.id }) {
      for (key, value) in changes.sorted(by: { compareKeys($0.key, $1.key) < 0 }) {
        if let value {
          try batch.put(key, value, in: keyspace)
        } else {
          try batch.delete(key, in: keyspace)
        }
      }
    }
    let (engine, keys, ranges, since) = (store.engine, readKeys, readRanges, snapshot.commit)
    return try engine.commit(batch.buffer, durability: durability) { () throws(StoreError) in
      try engine.checkUnchanged(keys: keys, ranges: ranges, since: since)
    }
  }
}

extension LogStore {
  /// Begins a transaction.
  ///
  /// - Throws: `.locked`, `.closed`.
  public func beginTransaction() throws(StoreError) -> Transaction {
    Transaction(store: self, snapshot: try snapshot())
  }

  /// Runs `body` in a transaction and commits it, again with a new one after each conflict.
  ///
  /// - Parameter attempts: How often to try at most.
  /// - Throws: what `body` throws (then nothing is written), the last `.conflict`, and as `commit`.
  public func transaction<R>(
    durability: Durability = .full, attempts: Int = 16, _ body: (Transaction) throws -> R
  ) throws -> R {
    var attempt = 1
    while true {
      let transaction = try beginTransaction()
      let result = try body(transaction)
      do throws(StoreError) {
        try transaction.commit(durability: durability)
        return result
      } catch {
        guard error.code == .conflict, attempt < attempts else { throw error }
        attempt += 1
      }
    }
  }
}
