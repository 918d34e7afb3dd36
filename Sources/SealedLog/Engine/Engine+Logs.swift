internal import SealedFiles
internal import Synchronization

/// The life of logs: made full of zeros, put in force by an edit, written front to back, ended by an
/// edit, removed once everything in them is in tables.
extension Engine {
  /// A new log, filled with zeros and synced; nothing names it yet.
  static func makeLog(
    files: StoreFiles, previous: FileHeader?, size: Int
  ) throws(StoreError) -> FrameWriter {
    let number = files.takeNumber()
    let cipher = try files.makeCipher(.log, number: number, previous: previous)
    let file = try files.create(.log, number)
    let path = files.path(.log, number)
    do throws(FileError) {
      var offset = 0
      var chunk = [UInt8](repeating: 0, count: min(size, 1 << 20))
      let header = cipher.header.prefixBytes + cipher.commitment
      chunk.replaceSubrange(0..<header.count, with: header)
      while offset < size {
        let count = min(chunk.count, size - offset)
        unsafe try chunk.withRaw { (raw) throws(FileError) in
          try unsafe file.write(
            UnsafeRawBufferPointer(rebasing: raw[0..<count]), at: UInt64(offset))
        }
        if offset == 0 { chunk = [UInt8](repeating: 0, count: chunk.count) }
        offset += count
      }
      try file.sync()
    } catch {
      // Nothing names the file: it goes now, or as a stray at the next open.
      do throws(FileError) { try files.fileSystem.unlink(path) } catch {
        files.report(StoreError(error))
      }
      throw StoreError(error)
    }
    return FrameWriter(
      file: file, path: path, number: number, cipher: cipher, capacity: UInt64(size))
  }

  /// Ends the log and begins the next, which holds at least `needed` bytes of frames.
  func rollLog(needed: Int) throws(StoreError) {
    guard let old = writer.log else { return }
    try syncLog()
    let next = try makeNextLog(previous: old.header, needed: needed)
    old.close()
    try manifest.edit([
      .log(number: next.number, fileID: next.header.fileID),
      .endLog(number: old.number, ordinal: old.syncedThrough, tag: old.syncedTag),
    ])
    use(log: next)
  }

  private func makeNextLog(
    previous: FileHeader?, needed: Int
  ) throws(StoreError) -> FrameWriter {
    var size = writer.nextLogSize
    let least = FileHeader.byteCount + needed + Frame.sectorSize
    if let spare = takeSpare(previous: previous, size: least) { return spare }
    while size < least { size *= 2 }
    let log = try Self.makeLog(files: files, previous: previous, size: size)
    try files.syncDirectory()
    return log
  }

  private func use(log: FrameWriter) {
    writer.log = log
    writer.loggedOffset = log.offset
    writer.nextLogSize = min(writer.nextLogSize * 2, options.logSizeLimit)
  }

  // MARK: After a failure

  /// Makes sure that there is a log to write to: after a failure, a new one.
  func ensureLog() throws(StoreError) {
    if let failure = writer.failure {
      do throws(StoreError) { try beginNewLog() } catch {
        throw StoreError(
          error.code == .diskFull ? .diskFull : .readOnly,
          "writing is not possible at present: \(error.message)", file: error.file,
          cause: failure)
      }
    }
  }

  /// What a failed commit is reported with, after its frames were pinned away.
  ///
  /// The log is closed for ever; its end is fixed, by a synced edit, before the frames that failed;
  /// visible commits that were not synced are logged again. Only then is the failure reported: none
  /// of the failed commits' effects can appear, now or after a crash.
  func recover(from error: StoreError) -> StoreError {
    guard let log = writer.log, log.isClosed || log.ordinal > log.syncedThrough else {
      // Nothing was sealed: an argument, a lock, a state that refuses.
      return error
    }
    log.close()
    writer.pending = PendingRoom()
    writer.failure = error
    do throws(StoreError) {
      try beginNewLog()
      return error
    } catch {
      // Where even the pin failed, a crash now may bring the commit back.
      var unknown = StoreError(
        isPinned ? error.code : .outcomeUnknown,
        "the commit failed, and so did fixing the log's end: \(error.message)",
        file: error.file, cause: error)
      unknown.errorNumber = error.errorNumber
      return unknown
    }
  }

  /// Whether the failed log's end is fixed.
  private var isPinned: Bool {
    guard let log = writer.log else { return true }
    return manifest.state.logs.first { $0.number == log.number }?.end != nil
  }

  private func beginNewLog() throws(StoreError) {
    guard let old = writer.log else { return }
    // Cheapest first, and it needs no room: where the log ends.
    if !isPinned {
      try manifest.editOrRewrite(
        [.endLog(number: old.number, ordinal: old.syncedThrough, tag: old.syncedTag)],
        engine: self)
    }
    let needed = writer.unsynced.reduce(0) {
      $0 + FrameWriter.storedSize(commit: $1.buffer.count)
    }
    let next = try makeNextLog(previous: old.header, needed: needed)
    try manifest.editOrRewrite(
      [.log(number: next.number, fileID: next.header.fileID)], engine: self)
    for (commit, buffer) in writer.unsynced {
      try unsafe next.appendCommit(
        buffer.bytes, kind: .commit, manifest: manifest.position, commit: commit)
    }
    // From here on the new log is the one to fail or go on.
    use(log: next)
    try next.write()
    try syncLog()
    writer.failure = nil
  }
}

extension ManifestLog {
  /// An edit; where the manifest's file has failed, a new manifest with the same change.
  func editOrRewrite(_ records: [ManifestRecord], engine: Engine) throws(StoreError) {
    if !wantsRewriting {
      do throws(StoreError) {
        try edit(records)
        return
      } catch { engine.options.diagnostics(error) }
    }
    try engine.rewriteManifest(applying: records)
  }
}

extension Engine {
  /// Writes the manifest anew and puts it in force by a root switch. After a failure of the switch
  /// the store takes no more writes until a later one is complete.
  ///
  /// - Parameter isFirst: The manifest in force is an earlier open's, which goes with the strays.
  func rewriteManifest(
    applying records: [ManifestRecord] = [], isFirst: Bool = false
  ) throws(StoreError) {
    let retired = manifest.position.number
    try manifest.rewrite(applying: records) { (state) throws(StoreError) in
      var next = state
      next.nextNumber = files.nextNumber + 1
      next.retiredTables = []
      next.retiredLogs = []
      next.isClean = false
      let made = try Self.makeManifest(next, files: files)
      let key = try files.currentKey()
      let outcome = root.withLock { root in
        Result<Void, StoreError>.catching { () throws(StoreError) in
          var copy = root.current
          copy.manifestNumber = made.number
          copy.manifestFileID = made.header.fileID
          try root.switchTo(copy, storeKey: key)
        }
      }
      do throws(StoreError) { try outcome.get() } catch {
        enterReadOnly(error)
        throw error
      }
      return (next, made)
    }
    if retired != 0, !isFirst { unlink(.manifest, retired) }
  }

  /// A new manifest file that says what `state` says, synced together with its directory.
  static func makeManifest(
    _ state: ManifestState, files: StoreFiles
  ) throws(StoreError) -> FrameWriter {
    let number = files.takeNumber()
    let cipher = try files.makeCipher(.manifest, number: number)
    let file = try files.create(.manifest, number)
    let writer = FrameWriter(
      file: file, path: files.path(.manifest, number), number: number, cipher: cipher,
      capacity: .max)
    try ManifestLog.writeSnapshot(state, to: writer)
    try files.syncDirectory()
    return writer
  }

  func enterReadOnly(_ reason: StoreError) {
    state.withLock { state in
      if case .open = state.status {
        state.status = .readOnly(
          StoreError(
            .readOnly,
            "the store takes no writes until resumeWriting() succeeds: \(reason.message)",
            file: reason.file, cause: reason))
      }
    }
  }
}
