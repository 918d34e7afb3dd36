internal import SealedCrypto
internal import SealedFiles
internal import Synchronization

/// Locking an open store: its keys and what it holds in clear are zeroed; unlocking reads them back.
extension Engine {
  /// Locks the store. What readers still hold is zeroed when they let go of it.
  func lock() throws(StoreError) {
    // Before leading: a worker may wait for the leader.
    flusher.stop()
    compactor.stop()
    try exclusively { () throws(StoreError) in
      switch state.withLock({ $0.status }) {
      case .locked: return
      case .closed: throw StoreError(.closed, "the store was closed", file: files.path)
      case .open, .readOnly: break
      }
      // Deferred commits are synced while there are keys; a failure is the next open's to report.
      do throws(StoreError) { try syncLog() } catch { options.diagnostics(error) }
      discardSpare()
      state.withLock { $0.status = .locked }
      gate.close()
      dropPlaintext()
    }
  }

  private func dropPlaintext() {
    dropViews()
    for reader in state.withLock({ $0.blobReaders }) { reader.reader?.dropKeys() }
    for table in state.withLock({ $0.obsolete }) { table.unload() }
    files.cache.purge()
    files.dropKeys()
    writer.unsynced.removeAll()
    writer.log?.dropKeys()
    manifest.dropKeys()
  }

  /// Empties what all views look at, the ones that only old snapshots hold too.
  func dropViews() {
    for view in state.withLock({ $0.views.compactMap(\.view) }) {
      for memtable in view.memtables { memtable.unload() }
      for table in view.trees.values.flatMap({ $0.levels.joined() }) { table.unload() }
    }
  }

  /// Unlocks the store: keys from the root, memtables from the logs.
  func unlock(_ credential: Credential) throws(StoreError) {
    try exclusively { () throws(StoreError) in
      guard case .locked = state.withLock({ $0.status }) else { return }
      let (key, copy) = try root.withLock { root in
        Result<(SecretBytes, RootCopy), StoreError>.catching { () throws(StoreError) in
          (try root.unlock(credential, limit: options.keyDerivationLimit), root.current)
        }
      }.get()
      try files.setKeys(key, root: copy)
      files.setKey(key, epoch: copy.keyEpoch, openEpoch: openEpoch)
      do throws(StoreError) {
        try reloadMemtables()
        let (view, views) = state.withLock { ($0.view, $0.views.compactMap(\.view)) }
        for old in views where old !== view { old.replace(by: view) }
        if isWriter { try renewWriters() }
      } catch {
        dropPlaintext()
        throw error
      }
      state.withLock { state in
        // A store without a log was opened for reading, or found no room to write.
        state.status =
          writer.log != nil
          ? .open : .readOnly(StoreError(.readOnly, "the store takes no writes", file: files.path))
      }
      gate.open()
      start()
    }
  }

  /// Fills the memtables of the view from the logs, each with the commits that it had.
  private func reloadMemtables() throws(StoreError) {
    let memtables = state.withLock { $0.view.memtables }
    for memtable in memtables { try memtable.reload() }
    let manifestState = manifest.state
    for log in manifestState.logs {
      var commits = try LogCommits(files: files, log: log, position: manifest.position)
      while let commit = try commits.next() {
        guard commit.number > manifestState.flushedThrough, let size = commit.size,
          let owner = memtables.first(where: { $0.firstCommit <= commit.number })
        else { continue }
        let storage = try owner.retained()
        let isInserted = unsafe commit.payload.withRaw {
          unsafe storage.insert($0, operations: size.operations, commit: commit.number)
        }
        guard isInserted else { throw commits.damage("a commit's payload makes no sense") }
      }
    }
  }

  /// A locked store's files have lost their keys: it goes on with a new log and a new manifest.
  private func renewWriters() throws(StoreError) {
    guard let old = writer.log else { return }
    old.close()
    let log = try Self.makeLog(
      files: files, previous: old.header, size: writer.nextLogSize)
    try files.syncDirectory()
    try rewriteManifest(applying: [
      .log(number: log.number, fileID: log.header.fileID),
      .endLog(number: old.number, ordinal: old.syncedThrough, tag: old.syncedTag),
    ])
    writer.log = log
    writer.loggedOffset = log.offset
    writer.failure = nil
  }
}
