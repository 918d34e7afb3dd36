internal import Synchronization

/// Figures of an open store; cheap enough to ask for at any time.
public struct StoreStatistics: Sendable, Equatable {
  /// What one keyspace takes.
  public struct KeyspaceFigures: Sendable, Equatable {
    /// The keyspace's name.
    public let name: String
    /// Tables by level.
    public let tables: [Int]
    /// Bytes of tables by level.
    public let bytes: [UInt64]
    /// Entries in tables, overwritten ones and removals included.
    public let entries: UInt64
  }

  /// Keyspaces, sorted by name.
  public let keyspaces: [KeyspaceFigures]
  /// Bytes of entries that are in memory only (and in logs).
  public let memtableBytes: Int
  /// Bytes of opened blocks in memory.
  public let cacheBytes: Int
  /// The cache's limit.
  public let cacheLimit: Int
  /// Log files in use.
  public let logCount: Int
  /// Snapshots that are held.
  public let snapshotCount: Int
  /// The last commit that readers see.
  public let lastCommit: CommitNumber
  /// Commits since the store was opened.
  public let commits: UInt64
  /// Bytes written to logs since then.
  public let logBytes: UInt64
  /// Data syncs of logs since then.
  public let logSyncs: UInt64
  /// Memtables flushed since then.
  public let flushes: UInt64
  /// Bytes of tables that flushes wrote since then.
  public let flushedBytes: UInt64
  /// Compactions since then.
  public let compactions: UInt64
  /// Bytes of tables that compactions wrote since then.
  public let compactedBytes: UInt64
  /// How often a writer waited for background work since then.
  public let stalls: UInt64

  init(_ engine: Engine) {
    let (view, snapshots) = engine.state.withLock {
      ($0.view, $0.snapshots.values.reduce(0, +))
    }
    let manifest = engine.manifest.state
    keyspaces = manifest.keyspaces.filter { !Keyspace(id: $0.key).isInternal }.map { id, name in
      let levels = view.trees[id]?.levels ?? []
      return KeyspaceFigures(
        name: String(decoding: name, as: UTF8.self), tables: levels.map(\.count),
        bytes: levels.map { $0.reduce(0) { $0 + $1.entry.length } },
        entries: levels.joined().reduce(0) { $0 + $1.entry.entryCount })
    }.sorted { $0.name < $1.name }
    memtableBytes = view.memtables.reduce(0) { $0 + ((try? $1.retained().byteCount) ?? 0) }
    cacheBytes = engine.files.cache.byteCount
    cacheLimit = engine.files.cache.limit
    logCount = manifest.logs.count
    snapshotCount = snapshots
    lastCommit = engine.visible.load(ordering: .acquiring)
    let counters = engine.counters
    commits = counters.commits.load(ordering: .relaxed)
    logBytes = counters.logBytes.load(ordering: .relaxed)
    logSyncs = counters.logSyncs.load(ordering: .relaxed)
    flushes = counters.flushes.load(ordering: .relaxed)
    flushedBytes = counters.flushedBytes.load(ordering: .relaxed)
    compactions = counters.compactions.load(ordering: .relaxed)
    compactedBytes = counters.compactedBytes.load(ordering: .relaxed)
    stalls = counters.stalls.load(ordering: .relaxed)
  }
}
