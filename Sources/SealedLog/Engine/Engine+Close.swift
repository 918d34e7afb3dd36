internal import SealedFiles
internal import Synchronization

extension Engine {
  /// Closes the store: what is in memory goes to tables, logs go, the manifest says that all is in
  /// place. Where that fails the store is closed all the same, and the next open replays.
  func close() throws(StoreError) {
    // Before leading: a worker may wait for the leader.
    flusher.stop()
    compactor.stop()
    try exclusively { () throws(StoreError) in
      let status = state.withLock { $0.status }
      if case .closed = status { return }
      defer {
        gate.close()
        state.withLock { $0.status = .closed }
        dropPlaintextAtClose()
        releaseFileLock()
      }
      guard case .open = status, isWriter else { return }
      discardSpare()
      try syncLog()
      try discardUnnamedBlobs()
      try flushForClose()
      sweepObsolete()
    }
  }

  private func flushForClose() throws(StoreError) {
    guard let log = writer.log, !log.isClosed else { return }
    let memtables = state.withLock { $0.view.memtables }
    var records: [ManifestRecord] = []
    var entries: [TableEntry] = []
    for memtable in memtables.reversed() {
      entries += try writeTables(
        of: try memtable.retained(), lastCommit: writer.nextCommit - 1)
    }
    let logs = manifest.state.logs
    records += entries.map { .table($0) }
    records += rangeRecords(through: writer.nextCommit - 1)
    records.append(.flushed(through: max(manifest.state.flushedThrough, writer.nextCommit - 1)))
    records += logs.map { .retireLog(number: $0.number) }
    records.append(.nextNumber(files.nextNumber))
    records.append(.clean)
    log.close()
    try manifest.edit(records)
    for retired in logs { unlink(.log, retired.number) }
  }

  /// Gives the store up without its user's help: nothing is written.
  func abandon() {
    // In a forked child the threads are gone, and the files are the parent's.
    if owner.isForeign { return }
    flusher.stop()
    compactor.stop()
    let wasOpen = state.withLock { state in
      if case .closed = state.status { return false }
      state.status = .closed
      return true
    }
    guard wasOpen else { return }
    gate.close()
    dropPlaintextAtClose()
    releaseFileLock()
  }

  private func dropPlaintextAtClose() {
    dropViews()
    for reader in state.withLock({ $0.blobReaders }) { reader.reader?.dropKeys() }
    files.cache.purge()
    files.dropKeys()
  }
}
