internal import SealedFiles

/// Writes entries in key order to one or more tables of a level.
struct TableOutput: ~Copyable {
  private let engine: Engine
  private let keyspace: UInt32
  private let name: [UInt8]
  private let level: UInt8
  private let sizeLimit: UInt64
  private let inputs: [TableEntry]
  private let policy: VersionPolicy
  private let compression: Compression
  /// The oldest reader: ranges deleted before it are applied to all that is written.
  private let applied: UInt64
  private var writer: TableWriter?
  private var smallestCommit = UInt64.max
  private var largestCommit: UInt64 = 0
  private var entries: [TableEntry] = []

  init(
    engine: Engine, keyspace: UInt32, name: [UInt8], level: UInt8, sizeLimit: UInt64,
    policy: VersionPolicy, inputs: [TableEntry] = [], compression: Compression = .none
  ) {
    self.policy = policy
    applied = policy.live.first ?? 0
    self.compression = compression
    self.engine = engine
    self.keyspace = keyspace
    self.name = name
    self.level = level
    self.sizeLimit = sizeLimit
    self.inputs = inputs
    for input in inputs {
      smallestCommit = min(smallestCommit, input.smallestCommit)
      largestCommit = max(largestCommit, input.largestCommit)
    }
  }

  /// Writes what the policy keeps of all that the merge gives from where it stands.
  mutating func write(_ merge: MergeCursor) throws(StoreError) {
    let policy = policy
    var lastKey = HeldBytes()
    var hasLast = false
    var newer: UInt64?
    while merge.isValid {
      var failure: StoreError?
      merge.withCurrent { source in
        let isSame = hasLast && (unsafe lastKey.equals(source.key))
        if !isSame {
          unsafe lastKey.replace(by: source.key)
          hasLast = true
          newer = nil
        }
        let isTombstone = source.kind == OperationKind.delete.rawValue
        let kept = unsafe policy.keptCommit(
          source.commit, newer: newer, isTombstone: isTombstone, key: source.key)
        newer = source.commit
        guard let kept else { return }
        do throws(StoreError) {
          if !isSame { try endIfFull() }
          try add(source, commit: kept)
        } catch { failure = error }
      }
      if let failure { throw failure }
      try merge.next()
    }
  }

  private mutating func add(_ source: SourceCursor, commit: UInt64) throws(StoreError) {
    if source.commit > 0 {
      smallestCommit = min(smallestCommit, source.commit)
      largestCommit = max(largestCommit, source.commit)
    }
    if writer == nil {
      let number = engine.files.takeNumber()
      let cipher = try engine.files.makeCipher(.table, number: number)
      let file = try engine.files.create(.table, number)
      writer = try TableWriter(
        file: file, path: engine.files.path(.table, number), cipher: cipher,
        keyspace: keyspace, level: level, compression: compression)
    }
    try unsafe writer?.add(
      key: source.key, value: source.value, kind: source.kind, commit: commit)
  }

  /// Ends the table once it is large enough; versions of one key stay in one table.
  private mutating func endIfFull() throws(StoreError) {
    if let size = writer?.byteCount, size >= sizeLimit { try end() }
  }

  private mutating func end() throws(StoreError) {
    guard var open = writer.take() else { return }
    let low = min(smallestCommit, largestCommit)
    entries.append(
      try open.finish(
        name: name, commits: low...largestCommit, applied: applied, inputs: inputs.map(\.number)))
  }

  /// The tables written; their directory is not yet synced.
  mutating func finish() throws(StoreError) -> [TableEntry] {
    try end()
    return entries
  }
}
