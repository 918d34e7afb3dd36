internal import SealedCrypto
internal import SealedFiles

/// Opening a store: root, manifest, logs, and for a writer new files in place of the old.
///
/// Order, for a writer: lock; root; key; both root copies rewritten; manifest to its end; logs
/// replayed and what they held written to tables; new log, new manifest with the next epoch, synced;
/// root switch; retired and stray files removed.
struct StoreOpening {
  private static let manifestLimit: UInt64 = 64 << 20

  let path: String
  let options: OpenOptions

  private var fileSystem: any FileSystem { options.fileSystem }
  private var directory: String { StoreFiles.directory(of: path) }
  private var isWriter: Bool { options.access == .readWrite }

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
    files.setKey(key, epoch: root.current.keyEpoch, openEpoch: 0)
    if isWriter {
      try finishCreation()
      try root.rewriteBoth()
    }
    let (state, position) = try readManifest(root, files: files)
    let recovered = try Replay(files: files, state: state, position: position, options: options)
      .run()
    try checkUnnamedLogs(state, position, files: files)
    files.raiseNumber(to: max(state.nextNumber, try highestNumber() + 1))
    if !isWriter {
      return try makeReader(root, state, position, recovered, files: files, lock: lock)
    }
    return try makeWriter(root, state, recovered, files: files, lock: lock)
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
  ) throws(StoreError) -> (ManifestState, ManifestPosition) {
    let number = root.current.manifestNumber
    let manifestPath = files.path(.manifest, number)
    let (file, cipher) = try files.open(
      .manifest, number, fileID: root.current.manifestFileID)
    let bytes = try files.contents(of: file, limit: Self.manifestLimit, path: manifestPath)
    let (state, position, discarded) = try ManifestLog.read(
      bytes, cipher: cipher, path: manifestPath)
    if discarded > 0 {
      options.diagnostics(
        StoreError(
          .io, "dropped \(discarded) bytes of an unfinished edit", file: manifestPath))
    }
    guard state.rootGeneration <= root.current.generation else {
      throw StoreError(
        .tampered, "an older root was put back; restore the store from a backup", file: path)
    }
    return (state, position)
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
        !named.contains(number), let header = files.readableHeader(.log, number)
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

  private func highestNumber() throws(StoreError) -> UInt64 {
    let names = try onMedium { () throws(FileError) in try fileSystem.list(directory) }
    return names.compactMap { StoreFiles.parse(name: $0)?.number }.max() ?? 0
  }

  // MARK: Reading only

  private func makeReader(
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
        memtables: recovered.memtables, trees: Self.trees(state.tables.values, files: files)),
      visible: recovered.lastCommit, report: recovered.report)
  }

  static func trees(
    _ entries: some Sequence<TableEntry>, files: StoreFiles
  ) -> [UInt32: Tree] {
    Dictionary(grouping: entries, by: \.keyspace).mapValues { entries in
      Tree(entries.map { Table(entry: $0, files: files) })
    }
  }

  // MARK: Writing

  private func makeWriter(
    _ opened: RootFile, _ old: ManifestState, _ recovered: Replay.Outcome, files: StoreFiles,
    lock: any FileLock
  ) throws(StoreError) -> Engine {
    var root = opened
    let key = try files.currentKey()
    files.setKey(key, epoch: root.current.keyEpoch, openEpoch: old.openEpoch + 1)
    var report = recovered.report
    var state = old
    state.openEpoch += 1
    state.lineage = try StoreCreation.randomLineage()
    if old.openEpoch > 0 {
      state.pastOpens.append(
        ManifestState.Open(
          epoch: old.openEpoch, lineage: old.lineage, firstCommit: recovered.lastCommit + 1))
      state.pastOpens = Array(state.pastOpens.suffix(ManifestState.pastOpenLimit))
    }
    // An engine without files of its own writes what was replayed.
    let bridge = bridgeEngine(root, old, recovered, files: files, lock: lock)
    for memtable in recovered.memtables.reversed() {
      let entries = try bridge.writeTables(
        of: try memtable.retained(), lastCommit: recovered.lastCommit)
      for entry in entries { state.tables[entry.number] = entry }
    }
    let retiredLogs = state.logs.map(\.number) + Array(state.retiredLogs)
    let retiredTables = Array(state.retiredTables)
    state.flushedThrough = max(state.flushedThrough, recovered.lastCommit)
    let log = try Engine.makeLog(files: files, previous: nil, size: options.logSize)
    state.logs = [ManifestState.Log(number: log.number, fileID: log.header.fileID)]
    state.retiredLogs = []
    state.retiredTables = []
    state.isClean = false
    state.nextNumber = files.nextNumber + 1
    try files.syncDirectory()
    let manifest = try Engine.makeManifest(state, files: files)
    var copy = root.current
    copy.manifestNumber = manifest.number
    copy.manifestFileID = manifest.header.fileID
    try root.switchTo(copy, storeKey: key)
    report.strayFiles = sweep(
      state: state, manifestNumber: manifest.number,
      expected: Set(retiredLogs).union(retiredTables).union([opened.current.manifestNumber]))
    let memtable = try Memtable(
      firstCommit: recovered.lastCommit + 1, firstLog: log.number,
      capacity: options.memtableSize)
    let writer = WriterState(
      log: log, memtable: memtable, nextCommit: recovered.lastCommit + 1,
      nextLogSize: min(options.logSize * 2, options.logSizeLimit))
    writer.loggedOffset = log.offset
    return Engine(
      options: options, files: files, manifest: ManifestLog(state: state, writer: manifest),
      root: root, fileLock: lock, writer: writer,
      view: ReadView(
        memtables: [memtable], trees: Self.trees(state.tables.values, files: files)),
      visible: recovered.lastCommit, report: report)
  }

  private func bridgeEngine(
    _ root: RootFile, _ state: ManifestState, _ recovered: Replay.Outcome, files: StoreFiles,
    lock: any FileLock
  ) -> Engine {
    let writer = WriterState(
      log: nil, memtable: recovered.memtables[0], nextCommit: recovered.lastCommit + 1,
      nextLogSize: options.logSize)
    return Engine(
      options: options, files: files, manifest: ManifestLog(state: state, writer: nil),
      root: root, fileLock: lock, writer: writer,
      view: ReadView(memtables: recovered.memtables, trees: [:]),
      visible: recovered.lastCommit, report: recovered.report)
  }

  /// Removes every file that the new manifest doesn't name; how many of them were no old one's.
  private func sweep(
    state: ManifestState, manifestNumber: UInt64, expected: Set<UInt64>
  ) -> Int {
    let live = Set(state.tables.keys).union(state.logs.map(\.number)).union([manifestNumber])
    var strays = 0
    do throws(FileError) {
      for name in try fileSystem.list(directory) {
        guard let (_, number) = StoreFiles.parse(name: name), !live.contains(number) else {
          continue
        }
        if !expected.contains(number) { strays += 1 }
        try fileSystem.unlink(directory + "/" + name)
      }
    } catch {
      // They cost space; the next open tries again.
      options.diagnostics(StoreError(error))
    }
    return strays
  }
}
