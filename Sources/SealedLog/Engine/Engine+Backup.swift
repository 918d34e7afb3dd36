internal import SealedCrypto
internal import Synchronization

extension Engine {
  /// Copies the store as it is now to another place.
  func backup(to path: String, isIndependent: Bool) throws(StoreError) -> BackupReport {
    guard path != files.path else {
      throw StoreError(.invalidArgument, "a store can't be copied onto itself", file: path)
    }
    let pinned = try exclusively { () throws(StoreError) in try pinForCopy() }
    defer { releaseSnapshot(pinned.commit) }
    var copy = StoreCopy(engine: self, to: path, isIndependent: isIndependent)
    return try copy.run(
      state: pinned.state, view: pinned.view, commit: pinned.commit,
      storeKey: try files.currentKey(), root: pinned.root)
  }

  private struct Pinned {
    var state: ManifestState
    var view: ReadView
    var commit: UInt64
    var root: RootCopy
  }

  /// A snapshot of which everything is in tables.
  ///
  /// - Precondition: the caller has the right to write: nothing is committed meanwhile.
  private func pinForCopy() throws(StoreError) -> Pinned {
    try checkReadable()
    if manifest.hasWriter {
      try checkWritable()
      try rotateMemtable()
      while state.withLock({ $0.view.memtables.count }) > 1 {
        guard flushStep() else {
          throw StoreError(
            .io, "the memtable could not be written to tables", file: files.path)
        }
      }
    } else if let memtable = state.withLock({ $0.view.memtables.first }),
      try memtable.retained().byteCount > 0 || state.withLock({ $0.view.memtables.count }) > 1
    {
      throw StoreError(
        .readOnly, "the store wasn't closed cleanly: open it for writing once, then copy it",
        file: files.path)
    }
    // Compactions may edit the manifest between the two: none is running while this is held.
    return try compacting.withLock { _ in
      Result<Pinned, StoreError>.catching { () throws(StoreError) in
        let (view, commit) = try registerSnapshot()
        var copied = manifest.state
        copied.logs = []
        copied.retiredLogs = []
        copied.retiredTables = []
        copied.flushedThrough = max(copied.flushedThrough, commit)
        copied.blobsSweptThrough = copied.openEpoch
        copied.isClean = false
        return Pinned(
          state: copied, view: view, commit: commit, root: root.withLock { $0.current })
      }
    }.get()
  }
}
