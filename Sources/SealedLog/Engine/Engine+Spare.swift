internal import SealedFiles
internal import Synchronization

/// The next log, made ahead by the flusher: filling it with zeros and syncing them would else stall
/// the commit that needs it.
struct SpareLog {
  /// What the leader asked for.
  var request: (previous: FileHeader, size: Int)?
  var ready: FrameWriter?
}

extension Engine {
  /// Asks for the next log once the present one is half full. Called by the leader.
  func requestSpare() {
    guard let log = writer.log, log.offset * 2 > log.capacity,
      !hasSpare.load(ordering: .relaxed)
    else { return }
    hasSpare.store(true, ordering: .relaxed)
    // Nobody holds the lock for long while there is no request.
    spare.withLock { $0.request = (log.header, writer.nextLogSize) }
    flusher.wake()
  }

  /// Makes the log that was asked for. Called by the flusher; a leader that needs it meanwhile waits.
  func makeSpare() {
    spare.withLock { spare in
      guard let request = spare.request else { return }
      spare.request = nil
      do throws(StoreError) {
        let log = try Self.makeLog(
          files: files, previous: request.previous, size: request.size)
        spare.ready = log
        try files.syncDirectory()
      } catch {
        // The commit that needs it makes its own, and hears of what is wrong.
        options.diagnostics(error)
        discard(&spare)
      }
    }
  }

  /// The log that was made ahead, if it follows the one given, has room, and is under today's key.
  func takeSpare(previous: FileHeader?, size: Int) -> FrameWriter? {
    guard hasSpare.exchange(false, ordering: .relaxed) else { return nil }
    return spare.withLock { spare in
      spare.request = nil
      guard let log = spare.ready else { return nil }
      let header = log.header
      guard header.previousFileID == previous?.fileID, log.capacity >= UInt64(size),
        header.keyEpoch == files.keyEpoch
      else {
        discard(&spare)
        return nil
      }
      spare.ready = nil
      return log
    }
  }

  /// Removes the log that was made ahead: before a store lock, and at the end.
  func discardSpare() {
    hasSpare.store(false, ordering: .relaxed)
    spare.withLock { discard(&$0) }
  }

  private func discard(_ spare: inout SpareLog) {
    spare.request = nil
    guard let log = spare.ready else { return }
    spare.ready = nil
    log.dropKeys()
    unlink(.log, log.number)
  }
}
