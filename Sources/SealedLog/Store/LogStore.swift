internal import SealedFiles
internal import Synchronization

/// An encrypted, ordered key-value store with keyspaces, in a directory of its own.
///
/// One handle writes; any number of threads use it. Reads go through snapshots; writes are batches
/// that commit as one, over any number of keyspaces:
///
///     let store = try LogStore.open(path: path, unlock: .rawKey(key))
///     let notes = try store.keyspace("notes")
///     try store.write { batch in try batch.put(key, value, in: notes) }
///     let value = try store.snapshot().value(for: key, in: notes)
///     try store.close()
///
/// Everything on disk is sealed by AES-256-GCM under keys derived for each file; FORMAT.md has every
/// byte. A store that isn't closed is closed by the last reference, without writing anything.
public final class LogStore: Sendable {
  let engine: Engine

  private init(_ engine: Engine) { self.engine = engine }

  deinit { engine.abandon() }

  // MARK: Opening

  /// Opens the store whose root file is at `path`, or makes one.
  ///
  /// - Throws: `.wrongKey`, `.damaged`, `.tampered`, `.notAStore`, `.newerFormat`, `.erased`,
  ///   `.rootMissing`, `.storeInUse`, `.io`, `.diskFull`.
  public static func open(
    path: String, unlock credential: Credential, options: OpenOptions = OpenOptions()
  ) throws(StoreError) -> LogStore {
    let status = try onMedium { () throws(FileError) in
      try options.fileSystem.status(path)
    }
    switch options.creation {
    case .ifMissing where status == nil && options.access == .readWrite:
      try StoreCreation(path: path, options: options).create(credential)
    case .always:
      guard status == nil else {
        throw StoreError(.invalidArgument, "there is a file at the path already", file: path)
      }
      try StoreCreation(path: path, options: options).create(credential)
    case .ifMissing, .never: break
    }
    let engine = try StoreOpening(path: path, options: options).open(credential)
    engine.start()
    if engine.manifest.hasWriter { engine.finishInterruptedWork() }
    return LogStore(engine)
  }

  /// Opens a store at a path with its unlock key given as `unlock`; `path` is the root file's.
  public var path: String { engine.files.path }
  /// The store's identity, drawn when it was created.
  public var id: StoreID { engine.files.storeID }
  /// The number of this open for writing; it rises with each.
  public var openEpoch: UInt32 { engine.openEpoch }
  /// Six random bytes drawn for this open: tells copies of a store apart.
  public var lineage: UInt64 { engine.identity.lineage.high >> 16 }
  /// What opening found.
  public var recovery: RecoveryReport { engine.report.withLock { $0 } }

  /// What the store has reached for certain, for the app to keep elsewhere and to give to
  /// `OpenOptions.minimumAnchor` when it opens the store again.
  ///
  /// A store opened for reading has one only if both copies of its root agree.
  public var anchor: StoreAnchor? {
    if !engine.isWriter, !engine.root.withLock({ $0.copiesAgree }) { return nil }
    return StoreAnchor(
      openEpoch: engine.identity.epoch, lineage: engine.identity.lineage,
      commit: engine.durable.load(ordering: .acquiring))
  }

  /// Why the store takes no writes, where that is so: opened for reading only, no room, a root that
  /// couldn't be switched.
  public var readOnlyReason: StoreError? {
    if case .readOnly(let reason) = engine.state.withLock({ $0.status }) { return reason }
    return nil
  }

  /// Has a store that became read-only after a failure write again, with new files; does nothing to
  /// one that writes.
  ///
  /// - Throws: what still stands in the way; the store goes on reading.
  public func resumeWriting() throws(StoreError) { try engine.resumeWriting() }
  /// Whether the store is locked.
  public var isLocked: Bool {
    if case .locked = engine.state.withLock({ $0.status }) { return true }
    return false
  }

  // MARK: Keyspaces

  /// The keyspace of the given name, made durably if there is none.
  ///
  /// - Parameter compression: How compaction stores the keyspace's last level while this store is
  ///   open. What is there already stays as it is until it is next compacted; either is read.
  /// - Throws: `.limitExceeded` for a name that is empty or too long, or too many keyspaces.
  public func keyspace(
    _ name: String, compression: Compression = .none
  ) throws(StoreError) -> Keyspace {
    var found = try existingKeyspace(name)
    if found == nil { found = try engine.makeKeyspaces([name]).first }
    guard let keyspace = found else {
      throw StoreError(.closed, "the keyspace was dropped meanwhile", file: path)
    }
    if compression != .none { engine.setCompression(compression, of: keyspace) }
    return keyspace
  }

  /// The keyspaces of the given names, those that are missing made by one edit.
  public func keyspaces(_ names: [String]) throws(StoreError) -> [Keyspace] {
    try engine.makeKeyspaces(names)
  }

  /// The keyspace of the given name, if there is one.
  public func existingKeyspace(_ name: String) throws(StoreError) -> Keyspace? {
    try engine.checkReadable()
    let bytes = Array(name.utf8)
    return engine.manifest.state.keyspaces.first { $0.value == bytes }
      .map { Keyspace(id: $0.key) }.flatMap { $0.isInternal ? nil : $0 }
  }

  /// The names of all keyspaces, sorted.
  public func keyspaceNames() throws(StoreError) -> [String] {
    try engine.checkReadable()
    return engine.manifest.state.keyspaces.filter { !Keyspace(id: $0.key).isInternal }
      .values.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Removes a keyspace and all its keys; its space is reclaimed once no snapshot sees it.
  public func dropKeyspace(_ keyspace: Keyspace) throws(StoreError) {
    try engine.dropKeyspace(keyspace)
  }

  /// Puts `new` in `old`'s place, atomically: it takes the name, and what the old one held is gone.
  ///
  /// - Throws: `.invalidArgument` where one of them isn't there, and as `write`.
  public func replaceKeyspace(_ old: Keyspace, by new: Keyspace) throws(StoreError) {
    try engine.replaceKeyspace(old, by: new)
  }

  // MARK: Writing

  /// Commits what `body` puts into a batch.
  ///
  /// - Throws: what `body` throws (then nothing is committed), `.readOnly`, `.locked`, `.closed`,
  ///   `.diskFull`, `.io`; `.outcomeUnknown` where a crash now may bring the commit back.
  public func write<R>(
    durability: Durability = .full, _ body: (inout WriteBatch) throws -> R
  ) throws -> R {
    var batch = WriteBatch()
    let result = try body(&batch)
    _ = try commit(batch, durability: durability)
    return result
  }

  /// Commits a batch.
  ///
  /// - Returns: the number of the commit.
  /// - Throws: as `write`.
  @discardableResult
  public func commit(
    _ batch: consuming WriteBatch, durability: Durability = .full
  ) throws(StoreError) -> CommitNumber {
    try engine.commit(batch.buffer, durability: durability)
  }

  /// Makes every commit so far durable.
  public func sync() throws(StoreError) {
    try engine.exclusively { () throws(StoreError) in
      try engine.checkReadable()
      do throws(StoreError) { try engine.syncLog() } catch { throw engine.recover(from: error) }
    }
  }

  /// Writes what is in memory to tables.
  public func flush() throws(StoreError) {
    try engine.exclusively { () throws(StoreError) in
      try engine.checkWritable()
      try engine.rotateMemtable()
    }
    while engine.flushStep() {}
  }

  /// Merges every keyspace into one level, dropping what nobody sees.
  public func compact() throws(StoreError) {
    try flush()
    for keyspace in engine.manifest.state.keyspaces.keys.sorted() {
      try engine.compactAll(keyspace: keyspace)
    }
  }

  // MARK: Reading

  /// The store as it is now.
  ///
  /// - Throws: `.locked`, `.closed`.
  public func snapshot() throws(StoreError) -> Snapshot {
    let (view, commit) = try engine.registerSnapshot()
    return Snapshot(store: self, view: view, commit: commit)
  }

  // MARK: Locking and closing

  /// Locks the store: keys and plaintext are zeroed, every call throws `.locked` until `unlock`.
  ///
  /// What a cursor or a closure holds at that moment is zeroed when it lets go.
  public func lock() throws(StoreError) { try engine.lock() }

  /// Unlocks a locked store; snapshots taken before go on. Does nothing to one that isn't locked.
  ///
  /// - Throws: `.wrongKey`, `.damaged`, `.io`.
  public func unlock(_ credential: Credential) throws(StoreError) {
    try engine.unlock(credential)
  }

  /// Closes the store; every later call throws `.closed`. A second call does nothing.
  public func close() throws(StoreError) { try engine.close() }

  // MARK: The whole store

  /// Reads and authenticates every byte, and checks what must hold between the parts.
  ///
  /// Writers wait while root, manifest and logs are read, not while tables are.
  /// - Parameter progress: Called now and then with what was found so far.
  /// - Throws: `.io`, `.locked`, `.closed`; damage is in the report.
  public func verify(
    progress: @escaping (VerifyReport) -> Void = { _ in }
  ) throws(StoreError) -> VerifyReport {
    try StoreVerifier.run(engine, progress: progress)
  }

  /// Destroys a store: first its keys, so that nothing opens it any more, then its files.
  ///
  /// Needs no credential. Finishes an erase that was interrupted; does nothing where there is no
  /// store. Files in the store's directory that aren't the store's stay.
  /// - Throws: `.storeInUse` while it is open, `.notAStore`, `.io`.
  public static func erase(
    path: String, options: OpenOptions = OpenOptions()
  ) throws(StoreError) {
    try StoreEraser(path: path, fileSystem: options.fileSystem).erase()
  }

  /// What the store holds and did, as of now.
  public var statistics: StoreStatistics { StoreStatistics(engine) }

  var gate: ReaderGate { engine.gate }
  func release(snapshot commit: UInt64) { engine.releaseSnapshot(commit) }
}
