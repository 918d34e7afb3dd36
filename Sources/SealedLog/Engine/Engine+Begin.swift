internal import SealedFiles
internal import Synchronization

/// Beginning to write: what a store that was just opened, or whose medium had no room, must do first.
extension Engine {
  /// Writes what was replayed to tables, makes a log and a manifest of this open's epoch, and puts
  /// them in force by a root switch; then files that are no longer named go.
  ///
  /// - Precondition: the caller has the right to write. After an error the call may be repeated.
  func beginWriting() throws(StoreError) {
    let old = manifest.state
    let view = state.withLock { $0.view }
    let last = visible.load(ordering: .acquiring)
    files.setKey(
      try files.currentKey(), epoch: root.withLock { $0.current.keyEpoch }, openEpoch: openEpoch)
    let oldManifest = root.withLock { $0.current.manifestNumber }
    var entries: [TableEntry] = []
    for memtable in view.memtables.reversed() {
      entries += try writeTables(of: try memtable.retained(), lastCommit: last)
    }
    let log = try Self.makeLog(files: files, previous: nil, size: options.logSize)
    let memtable = try Memtable(
      firstCommit: last + 1, firstLog: log.number, capacity: options.memtableSize)
    try files.syncDirectory()
    var records: [ManifestRecord] = []
    if old.openEpoch > 0 {
      records.append(
        .pastOpen(epoch: old.openEpoch, lineage: old.lineage, firstCommit: last + 1))
    }
    records.append(.open(epoch: openEpoch, lineage: identity.lineage))
    // After a clean end every blob of that open is named by a row, or in the trash.
    if old.isClean { records.append(.blobsSwept(through: old.openEpoch)) }
    records += entries.map { .table($0) }
    records += rangeRecords(through: last)
    records.append(.flushed(through: last))
    records += old.logs.map { .retireLog(number: $0.number) }
    records.append(.log(number: log.number, fileID: log.header.fileID))
    try rewriteManifest(applying: records, isFirst: true)
    writer.begin(
      log: log, memtable: memtable,
      nextLogSize: min(
        options.logSize * 2, options.logSizeLimit))
    durable.store(last, ordering: .releasing)
    state.withLock { state in
      state.show(
        memtables: [memtable],
        trees: StoreOpening.trees(manifest.state.tables.values, files: files))
      state.status = .open
    }
    let expected = Set(old.logs.map(\.number)).union(old.retiredLogs).union(old.retiredTables)
      .union([oldManifest])
    let strays = sweepStrays(expected: expected)
    report.withLock { $0.strayFiles += strays }
  }

  /// Goes on with what an earlier open was interrupted at, blobs that were never committed among it;
  /// a failure is left to the next one.
  func finishInterruptedWork() {
    do throws(StoreError) {
      try sweepBlobs()
      try finishRotation()
    } catch { options.diagnostics(error) }
  }

  /// Tries to write again, after a failure made the store refuse to; does nothing where it didn't.
  func resumeWriting() throws(StoreError) {
    try exclusively { () throws(StoreError) in
      try checkReadable()
      guard case .readOnly = state.withLock({ $0.status }) else { return }
      guard isWriter else {
        throw StoreError(.readOnly, "the store was opened for reading only", file: files.path)
      }
      if writer.log == nil {
        try beginWriting()
        start()
        return
      }
      try rewriteManifest()
      state.withLock { $0.status = .open }
      try ensureLog()
    }
    flushed.raise()
  }

  /// Removes every file that nothing names; how many of them were not expected.
  @discardableResult
  func sweepStrays(expected: Set<UInt64> = []) -> Int {
    let state = manifest.state
    var named = Set(state.tables.keys).union(state.logs.map(\.number))
    named.insert(root.withLock { $0.current.manifestNumber })
    if !manifest.hasWriter {
      // What the old manifest retired may be named by what the medium holds of it.
      named.formUnion(state.retiredLogs)
      named.formUnion(state.retiredTables)
    }
    var strays = 0
    do throws(FileError) {
      for name in try files.fileSystem.list(files.directory) {
        guard let (_, number) = StoreFiles.parse(name: name), !named.contains(number) else {
          continue
        }
        if !expected.contains(number) { strays += 1 }
        try files.fileSystem.unlink(files.directory + "/" + name)
      }
    } catch {
      // They cost space; the next open tries again.
      options.diagnostics(StoreError(error))
    }
    return strays
  }
}
