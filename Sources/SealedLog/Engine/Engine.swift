internal import SealedCrypto
internal import SealedFiles
internal import Synchronization

/// The store behind `LogStore`: what it shares between writers, readers and background work.
///
/// Locks, in the order in which they may be taken: leadership of the commit queue, `flushing` or
/// `compacting`, the manifest's, `root`, `state`. A leader that waits for a worker holds none.
final class Engine: Sendable {
  let options: OpenOptions
  let files: StoreFiles
  let manifest: ManifestLog
  let root: Mutex<RootFile>
  let gate = ReaderGate()
  let queue = CommitQueue()
  /// Used by the leader of the commit queue alone.
  let writer: WriterState
  /// What opening found.
  let report: Mutex<RecoveryReport>
  /// This open, as the manifest names it: its epoch and its random lineage.
  let identity: ManifestState.Open
  var openEpoch: UInt32 { identity.epoch }

  /// The last commit that readers see.
  let visible: Atomic<UInt64>
  /// The last commit that is on the medium for certain.
  let durable: Atomic<UInt64>
  /// Tells the process that opened the store from its children.
  let owner = ProcessMark()
  let state: Mutex<State>
  let counters = EngineCounters()

  /// Held around one flush, and around one compaction: each has one at a time.
  let flushing = Mutex<Void>(())
  let compacting = Mutex<Void>(())
  let flusher = Worker()
  /// The next log, made ahead; and whether there is one, or one was asked for.
  let spare = Mutex<SpareLog>(SpareLog())
  let hasSpare = Atomic<Bool>(false)
  let compactor = Worker()
  /// Raised when a memtable was flushed, or writing has failed: stalled writers look again.
  let flushed = Signal()
  private let fileLock: Mutex<(any FileLock)?>

  /// What may be done with the store.
  enum Status {
    case open
    case locked
    case closed
    case readOnly(StoreError)
  }

  struct State {
    var view: ReadView
    var status = Status.open
    /// How many snapshots there are of each commit.
    var snapshots: [UInt64: Int] = [:]
    /// Tables that nothing names any more, until no reader holds them.
    var obsolete: [Table] = []
    /// The views that some reader may hold, the present one among them.
    var views: [WeakView] = []
    /// Files of blobs that no commit has taken over yet.
    var unnamedBlobs: Set<BlobFile> = []
    /// Readers whose keys a store lock must drop.
    var blobReaders: [WeakBlobReader] = []
    /// Keyspaces that were opened to be compressed.
    var compressed: [UInt32: Compression] = [:]
  }

  init(
    options: OpenOptions, files: StoreFiles, manifest: ManifestLog, root: RootFile,
    fileLock: any FileLock, writer: WriterState, view: ReadView, recovered: Replay.Outcome,
    identity: ManifestState.Open
  ) {
    self.options = options
    self.files = files
    self.manifest = manifest
    self.root = Mutex(root)
    self.fileLock = Mutex(fileLock)
    self.writer = writer
    self.identity = identity
    report = Mutex(recovered.report)
    visible = Atomic(recovered.lastCommit)
    durable = Atomic(recovered.attestedCommit)
    state = Mutex(State(view: view, views: [WeakView(view)]))
    if !isWriter {
      state.withLock {
        $0.status = .readOnly(
          StoreError(.readOnly, "the store was opened for reading only", file: files.path))
      }
    }
  }

  /// Whether the store was opened to be written.
  var isWriter: Bool { options.access == .readWrite && options.recovery == .complete }

  /// Starts the background threads, where there are to be any.
  func start() {
    guard options.execution == .threads, isWriter else { return }
    flusher.start(interval: 50) { [weak self] in self?.flushStep() ?? false }
    compactor.start { [weak self] in self?.compactionStep() ?? false }
  }

  /// Lets go of the lock file: other processes may open the store.
  func releaseFileLock() {
    fileLock.withLock { lock in
      lock?.release()
      lock = nil
    }
  }

  // MARK: Status

  func checkReadable() throws(StoreError) {
    try checkProcess()
    try Self.readableError(state.withLock { $0.status }, path: files.path)
  }

  private static func readableError(_ status: Status, path: String) throws(StoreError) {
    switch status {
    case .open, .readOnly: return
    case .locked: throw StoreError(.locked, "the store is locked; unlock it first", file: path)
    case .closed: throw StoreError(.closed, "the store was closed", file: path)
    }
  }

  /// Refuses the child of a fork: two processes would use the same nonces.
  func checkProcess() throws(StoreError) {
    guard !owner.isForeign else {
      var error = StoreError(
        .storeInUse,
        "the store was opened before this process was forked; open it anew in one of the two",
        file: files.path)
      error.processID = owner.process
      throw error
    }
  }

  func checkWritable() throws(StoreError) {
    try checkProcess()
    let status = state.withLock { $0.status }
    try Self.readableError(status, path: files.path)
    if case .readOnly(let reason) = status { throw reason }
  }

  // MARK: Snapshots

  /// The view and the last visible commit, registered as a snapshot.
  func registerSnapshot() throws(StoreError) -> (view: ReadView, commit: UInt64) {
    try checkProcess()
    let (status, view, commit) = state.withLock { state in
      let commit = visible.load(ordering: .acquiring)
      switch state.status {
      case .open, .readOnly: state.snapshots[commit, default: 0] += 1
      case .locked, .closed: break
      }
      return (state.status, state.view, commit)
    }
    try Self.readableError(status, path: files.path)
    return (view, commit)
  }

  func releaseSnapshot(_ commit: UInt64) {
    let hasObsolete = state.withLock { state in
      if let count = state.snapshots[commit] {
        state.snapshots[commit] = count > 1 ? count - 1 : nil
      }
      return !state.obsolete.isEmpty
    }
    if hasObsolete { compactor.wake() }
  }

  /// The commits that some reader may still ask for, ascending; the last is the newest visible.
  func liveCommits() -> [UInt64] {
    state.withLock { state in
      let newest = visible.load(ordering: .acquiring)
      return Set(state.snapshots.keys).union([newest]).sorted()
    }
  }

  /// Runs `body` with the right to write, after those that came before.
  func exclusively<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    _ = queue.join(CommitRequest(buffer: nil, durability: .full))
    defer { queue.leave() }
    return try body()
  }

  /// Runs `body` with the right to write, if nobody has it: for workers, which a leader may wait for.
  func ifIdle(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    guard queue.tryLead() else { return }
    defer { queue.leave() }
    try body()
  }

  // MARK: Obsolete files

  /// Unlinks tables that no reader holds any more.
  func sweepObsolete() {
    let free = state.withLock { state -> [UInt64] in
      var numbers: [UInt64] = []
      var kept: [Table] = []
      while var table = state.obsolete.popLast() {
        if isKnownUniquelyReferenced(&table) {
          numbers.append(table.entry.number)
        } else {
          kept.append(table)
        }
      }
      state.obsolete = kept
      return numbers
    }
    for number in free { unlink(.table, number) }
  }

  /// Removes a file that the manifest has retired. A failure costs space until the next open.
  func unlink(_ kind: FileKind, _ number: UInt64) {
    let path = files.path(kind, number)
    do { try files.fileSystem.unlink(path) } catch { options.diagnostics(StoreError(error)) }
  }
}

/// What the leader of the commit queue works with.
final class WriterState: @unchecked Sendable {
  // Touched only by whoever leads the commit queue (and before the store is handed out).
  /// The log that takes frames; nil for a store opened for reading.
  var log: FrameWriter?
  /// The memtable that takes entries.
  var memtable: Memtable
  var nextCommit: UInt64
  var nextLogSize: Int
  /// Commits that are visible and not yet synced: logged again should the sync fail.
  var unsynced: [(commit: UInt64, buffer: BatchBuffer)] = []
  /// When the oldest of them must be on the medium, in milliseconds of the monotonic clock.
  var syncDeadline: Int?
  /// What the present group has sealed and not yet settled.
  var pending = PendingRoom()
  /// How far the log was counted as written.
  var loggedOffset: UInt64 = 0
  /// What closed the log, where no new one could be made yet.
  var failure: StoreError?

  init(log: FrameWriter?, memtable: Memtable, nextCommit: UInt64, nextLogSize: Int) {
    self.log = log
    self.memtable = memtable
    self.nextCommit = nextCommit
    self.nextLogSize = nextLogSize
  }

  /// Takes the first log of this open, with an empty memtable.
  func begin(log: FrameWriter, memtable: Memtable, nextLogSize: Int) {
    self.log = log
    self.memtable = memtable
    self.nextLogSize = nextLogSize
    loggedOffset = log.offset
    failure = nil
  }
}

/// Counts of what the engine did, cheap enough to be always on.
final class EngineCounters: Sendable {
  let commits = Atomic<UInt64>(0)
  let logBytes = Atomic<UInt64>(0)
  let logSyncs = Atomic<UInt64>(0)
  let flushes = Atomic<UInt64>(0)
  let flushedBytes = Atomic<UInt64>(0)
  let compactions = Atomic<UInt64>(0)
  let compactedBytes = Atomic<UInt64>(0)
  let stalls = Atomic<UInt64>(0)
}
