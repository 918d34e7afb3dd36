internal import SealedCrypto
internal import SealedFiles

/// Opening a store: root, manifest, logs, and for a writer new files in place of the old.
///
/// Order, for a writer: lock; root; key; both root copies rewritten; manifest to its end; logs
/// replayed; anchor checked; then `Engine.beginWriting`.
struct StoreOpening {
  private static let manifestLimit: UInt64 = 64 << 20

  let path: String
  let options: OpenOptions

  private var fileSystem: any FileSystem { options.fileSystem }
  private var directory: String { StoreFiles.directory(of: path) }
  private var isWriter: Bool { options.access == .readWrite && options.recovery == .complete }

  func open(_ credential: Credential) throws(StoreError) -> Engine {
    let rootFile = try openRootFile()
    let lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(directory + "/LOCK", exclusive: isWriter)
    }
    do {
      return try open(credential, rootFile, lock)
    } catch {
      lock.release()
      throw error
    }
  }

  /// The root file, if there is one and it may be a store's.
  private func openRootFile() throws(StoreError) -> any RandomAccessFile {
    let status = try onMedium { () throws(FileError) in try fileSystem.status(path) }
    guard let status else {
      let hasFiles = try onMedium { () throws(FileError) in try fileSystem.status(directory) }
      if hasFiles != nil {
        throw StoreError(
          .rootMissing, "the store's files are there, its root file is not; put it back",
          file: path)
      }
      throw StoreError(.notAStore, "there is no store at the path", file: path)
    }
    guard status.kind == .regular else {
      throw StoreError(.notAStore, "what stands at the path is no file", file: path)
    }
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(path, writable: isWriter)
    }
    let logDirectory = try onMedium { () throws(FileError) in try fileSystem.status(directory) }
    guard logDirectory?.kind == .directory else {
      // Say what the file itself says first: it may be no store's, or an erased one's.
      _ = try RootFile.open(file, path: path, magic: StoreCreation.magic)
      throw .damaged("the store's directory is missing", file: directory, offset: 0)
    }
    return file
  }

  private func open(
    _ credential: Credential, _ rootFile: any RandomAccessFile, _ lock: any FileLock
  ) throws(StoreError) -> Engine {
    var root = try RootFile.open(rootFile, path: path, magic: StoreCreation.magic)
    let key = try root.unlock(credential, limit: options.keyDerivationLimit)
    let files = StoreFiles(
      fileSystem: fileSystem, path: path, storeID: root.current.storeID,
      cache: BlockCache(limit: options.cacheLimit), report: options.diagnostics)
    try files.setKeys(key, root: root.current)
    if isWriter {
      try finishCreation()
      try root.rewriteBoth()
    }
    let (state, position, damage) = try readManifest(root, files: files)
    var recovered = try Replay(files: files, state: state, position: position, options: options)
      .run()
    recovered.report.damage = recovered.report.damage ?? damage
    if options.recovery == .complete { try checkUnnamedLogs(state, position, files: files) }
    files.raiseNumber(to: max(state.nextNumber, try highestNumber() + 1))
    try checkAnchor(state, recovered)
    let engine = try makeEngine(root, state, position, recovered, files: files, lock: lock)
    if isWriter { try begin(engine) }
    return engine
  }

  /// Makes the engine write. Where the medium has no room it reads, and `resumeWriting` tries again.
  private func begin(_ engine: Engine) throws(StoreError) {
    do throws(StoreError) {
      try engine.beginWriting()
      return
    } catch  where error.code == .diskFull {
      // Files that nothing names may be in the way.
      engine.sweepStrays()
    }
    do throws(StoreError) { try engine.beginWriting() } catch  where error.code == .diskFull {
      engine.enterReadOnly(error)
    }
  }

  /// A creation that was reported may have left its marker.
  private func finishCreation() throws(StoreError) {
    let marker = directory + "/creating"
    guard try onMedium({ () throws(FileError) in try fileSystem.status(marker) }) != nil else {
      return
    }
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(StoreFiles.parent(of: path))
      try fileSystem.unlink(marker)
      try fileSystem.syncDirectory(directory)
    }
  }

  private func readManifest(
    _ root: RootFile, files: StoreFiles
  ) throws(StoreError) -> (ManifestState, ManifestPosition, StoreError?) {
    let number = root.current.manifestNumber
    let manifestPath = files.path(.manifest, number)
    let (file, cipher) = try files.open(
      .manifest, number, fileID: root.current.manifestFileID)
    let bytes = try files.contents(of: file, limit: Self.manifestLimit, path: manifestPath)
    let (state, position, discarded, damage) = try ManifestLog.read(
      bytes, cipher: cipher, path: manifestPath, toDamage: options.recovery == .upToDamage)
    if discarded > 0 {
      options.diagnostics(
        StoreError(
          .io, "dropped \(discarded) bytes of an unfinished edit", file: manifestPath))
    }
    guard state.rootGeneration <= root.current.generation else {
      throw StoreError(
        .tampered, "an older root was put back; restore the store from a backup", file: path)
    }
    return (state, position, damage)
  }

  /// A log that nothing names, with a commit that knows of a later manifest frame than there is,
  /// means that the manifest was cut back.
  private func checkUnnamedLogs(
    _ state: ManifestState, _ position: ManifestPosition, files: StoreFiles
  ) throws(StoreError) {
    let named = Set(state.logs.map(\.number)).union(state.retiredLogs)
    let names = try onMedium { () throws(FileError) in try fileSystem.list(directory) }
    for name in names {
      guard let (kind, number) = StoreFiles.parse(name: name), kind == .log,
        !named.contains(number), let header = files.readableHeader(.log, number),
        // Most are logs made ahead: nothing but zeros, and large.
        try hasFrames(files.path(.log, number))
      else { continue }
      var commits = try LogCommits(
        files: files, log: ManifestState.Log(number: number, fileID: header.fileID),
        position: position)
      // What a crash left of the file may end anywhere; a frame that authenticates counts.
      do {
        _ = try commits.next()
      } catch {
        if commits.namesLaterManifest { throw error }
      }
    }
  }

  private func hasFrames(_ path: String) throws(StoreError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: Frame.headerSize)
    try onMedium { () throws(FileError) in
      let file = try fileSystem.open(path, writable: false)
      _ = try unsafe bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: UInt64(FileHeader.byteCount))
      }
    }
    return bytes.contains { $0 != 0 }
  }

  /// Compares what was recovered with the anchor that the app kept.
  private func checkAnchor(
    _ state: ManifestState, _ recovered: Replay.Outcome
  ) throws(StoreError) {
    guard let anchor = options.minimumAnchor else { return }
    try anchor.check(against: state, lastCommit: recovered.lastCommit, path: path)
  }

  private func highestNumber() throws(StoreError) -> UInt64 {
    let names = try onMedium { () throws(FileError) in try fileSystem.list(directory) }
    return names.compactMap { StoreFiles.parse(name: $0)?.number }.max() ?? 0
  }

  // MARK: The engine

  /// An engine over what was recovered, which reads; `beginWriting` makes it one that writes.
  private func makeEngine(
    _ root: RootFile, _ state: ManifestState, _ position: ManifestPosition,
    _ recovered: Replay.Outcome, files: StoreFiles, lock: any FileLock
  ) throws(StoreError) -> Engine {
    let writer = WriterState(
      log: nil, memtable: recovered.memtables[0], nextCommit: recovered.lastCommit + 1,
      nextLogSize: options.logSize)
    return Engine(
      options: options, files: files,
      manifest: ManifestLog(state: state, writer: nil, lastRead: position),
      root: root, fileLock: lock, writer: writer,
      view: ReadView(
        memtables: recovered.memtables, trees: Self.trees(state.tables.values, files: files),
        ranges: recovered.ranges.mapValues { RangeTombstones($0) }),
      recovered: recovered,
      identity: isWriter
        ? ManifestState.Open(
          epoch: state.openEpoch + 1, lineage: try StoreID.random(), firstCommit: 0)
        : ManifestState.Open(epoch: state.openEpoch, lineage: state.lineage, firstCommit: 0))
  }

  static func trees(
    _ entries: some Sequence<TableEntry>, files: StoreFiles
  ) -> [UInt32: Tree] {
    Dictionary(grouping: entries, by: \.keyspace).mapValues { entries in
      Tree(entries.map { Table(entry: $0, files: files) })
    }
  }
}
