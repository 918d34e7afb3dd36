public import SealedFiles

/// How a store is opened.
public struct OpenOptions: Sendable {
  /// What to do where there is no store.
  public enum Creation: Sendable {
    /// Make one.
    case ifMissing
    /// Throw `.notAStore`.
    case never
    /// Make one; throw `.invalidArgument` where there is one already.
    case always
  }

  /// Whether the store may be written.
  public enum Access: Sendable {
    case readWrite
    /// Nothing is written, not even what opening usually tidies up.
    case readOnly
  }

  /// What to do where a log or the manifest is damaged.
  public enum Recovery: Sendable {
    /// Throw `.damaged`.
    case complete
    /// Answer as of the commit before the damage, for reading only, whatever `access` says;
    /// `recovery.damage` tells where it is.
    case upToDamage
  }

  /// What to do where there is no store.
  public var creation = Creation.ifMissing
  /// What to do where a log or the manifest is damaged.
  public var recovery = Recovery.complete
  /// The oldest state that is accepted: an anchor that the app kept elsewhere. A store that is older
  /// throws `.rolledBack`, one that branched off before it `.forked`.
  public var minimumAnchor: StoreAnchor?
  /// Whether the store may be written.
  public var access = Access.readWrite
  /// Bytes of opened blocks that are kept in memory.
  public var cacheLimit = 64 << 20
  /// Bytes of a memtable; when it is full it is written to tables, while a second one fills.
  public var memtableSize = 32 << 20
  /// What the key slots may cost before an open or unlock is refused, whoever wrote the store.
  public var keyDerivationLimit = KeyDerivationLimit.standard
  /// The medium.
  public var fileSystem: any FileSystem = PosixFileSystem()
  /// Hears of trouble that costs no answers, such as a damaged filter; may be called from any
  /// thread, with locks of the store held: it must not call back into the store.
  public var diagnostics: @Sendable (StoreError) -> Void = { _ in }

  /// Where background work is done.
  package enum Execution: Sendable {
    /// On threads of its own.
    case threads
    /// In the calls that make it necessary, in a fixed order: for simulation.
    case inline
  }
  package var execution = Execution.threads
  /// The first log's size; each next one is twice as large, up to `logSizeLimit`.
  package var logSize = 64 << 10
  package var logSizeLimit = 64 << 20
  /// Where a table that compaction writes is ended.
  package var tableSize = 32 << 20
  /// Bytes that level 1 may have; each level below may have eight times as many.
  package var levelSize: UInt64 = 256 << 20

  /// The usual options.
  public init() {}
}

/// When a commit is reported.
public enum Durability: Sendable, Equatable {
  /// Once it is on the medium: a data sync covers it.
  case full
  /// At once; it is on the medium within the time given, or with the next `.full` commit, `sync`,
  /// or `close`. A crash before loses it, but never a commit before it alone.
  case deferred(within: Duration)
}

/// The number of a commit: commits are ordered by it, and it is never given out twice.
public typealias CommitNumber = UInt64

/// What opening a store found.
public struct RecoveryReport: Sendable {
  /// The store wasn't closed before.
  public var unclean = false
  /// Bytes of unsynced remains behind the last log's end.
  public var discardedTail: UInt64 = 0
  /// Commits read back from logs.
  public var replayedCommits: UInt64 = 0
  /// Files removed that nothing named.
  public var strayFiles = 0
  /// The damage before which `OpenOptions.Recovery.upToDamage` stopped.
  public var damage: StoreError?
}
