internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Committing: batches to the log, then to the memtable, then visible.
///
/// - Invariant: a commit's effects are visible only once its durability is met; one that failed
///   never becomes visible, since its number is passed over.
extension Engine {
  /// Bytes of other commits that a leader takes along.
  private static let groupLimit = 8 << 20

  func commit(
    _ buffer: BatchBuffer, durability: Durability,
    validation: (() throws(StoreError) -> Void)? = nil
  ) throws(StoreError) -> CommitNumber {
    let request = CommitRequest(
      buffer: buffer, durability: durability, validation: validation)
    if queue.join(request) {
      // Alone most of the time; with others waiting, one sync serves them all.
      let group = [request] + queue.takeGroup(byteLimit: Self.groupLimit)
      lead(group)
      queue.leave()
      for other in group.dropFirst() { other.wake() }
      runInline()
    }
    guard let outcome = request.outcome else {
      throw StoreError(.io, "a commit was left without an outcome", file: files.path)
    }
    return try outcome.get()
  }

  /// Commits a group in order; every request has an outcome afterwards.
  func lead(_ group: [CommitRequest]) {
    var failure: StoreError?
    do throws(StoreError) {
      try checkWritable()
      try ensureLog()
      do throws(StoreError) { try write(group) } catch { failure = recover(from: error) }
    } catch { failure = error }
    guard let failure else { return }
    for request in group where request.outcome == nil {
      if failure.code == .outcomeUnknown {
        for blob in request.buffer?.blobs ?? [] { blob.settle() }
      }
      request.outcome = .failure(failure)
    }
  }

  private func write(_ group: [CommitRequest]) throws(StoreError) {
    var written: [CommitRequest] = []
    for request in group {
      guard let buffer = request.buffer else { continue }
      if buffer.count == 0, buffer.blobRemovals.isEmpty, request.durability != .full {
        request.outcome = .success(visible.load(ordering: .acquiring))
        continue
      }
      if let validation = request.validation {
        // What was sealed before must be there to be compared with.
        try settle(written)
        written = []
        do throws(StoreError) { try validation() } catch {
          request.outcome = .failure(error)
          continue
        }
      }
      if !buffer.blobRemovals.isEmpty {
        try settle(written)
        written = []
        try resolveRemovals(of: buffer)
      }
      if try !hasRoom(for: buffer) {
        // What was sealed so far is settled before the memtable or the log changes.
        try settle(written)
        written = []
        try makeRoom(for: buffer)
      }
      guard let log = writer.log else { throw StoreError(.io, "no log", file: files.path) }
      request.commit = writer.nextCommit
      writer.nextCommit += 1
      if buffer.count > 0 {
        try unsafe log.appendCommit(
          buffer.bytes, kind: .commit, manifest: manifest.position, commit: request.commit)
      }
      written.append(request)
      pendingRoom += buffer
    }
    try settle(written)
  }

  /// Writes (and where asked, syncs) what was sealed, then makes it visible.
  private func settle(_ requests: [CommitRequest]) throws(StoreError) {
    writer.pending = PendingRoom()
    guard let log = writer.log, let last = requests.last else { return }
    let before = log.offset
    try log.write()
    counters.logBytes.add(before - writer.loggedOffset, ordering: .relaxed)
    writer.loggedOffset = before
    requestSpare()
    if requests.contains(where: { $0.durability == .full }) {
      try syncLog()
    }
    let storage = try unsafe writer.memtable.unretained()
    for request in requests {
      guard let buffer = request.buffer else { continue }
      let isInserted = unsafe storage.borrow {
        unsafe $0.insert(
          buffer.bytes, operations: buffer.operationCount, commit: request.commit)
      }
      precondition(isInserted, "a batch that this process encoded does not decode")
      if !buffer.ranges.isEmpty { show(ranges: buffer.ranges, commit: request.commit) }
      if log.syncedThrough < log.ordinal {
        writer.unsynced.append((request.commit, buffer))
        noteDeadline(request.durability)
      }
    }
    visible.store(last.commit, ordering: .releasing)
    counters.commits.add(UInt64(requests.count), ordering: .relaxed)
    for request in requests {
      for blob in request.buffer?.blobs ?? [] { blob.settle() }
      request.outcome = .success(request.commit)
    }
  }

  /// Has readers of the commit see the ranges that it deletes.
  func show(
    ranges: [(keyspace: UInt32, lower: [UInt8], upper: [UInt8])], commit: UInt64
  ) {
    state.withLock { state in
      var all = state.view.ranges
      for range in ranges {
        let made = RangeTombstones.Range(
          lower: range.lower, upper: range.upper, commit: commit)
        all[range.keyspace] =
          all[range.keyspace]?.adding([made]) ?? RangeTombstones([made])
      }
      state.show(ranges: all)
    }
  }

  private func noteDeadline(_ durability: Durability) {
    guard case .deferred(let delay) = durability else { return }
    let milliseconds =
      Int(delay.components.seconds) * 1000
      + Int(delay.components.attoseconds / 1_000_000_000_000_000)
    writer.syncDeadline = min(
      writer.syncDeadline ?? .max, monotonicMilliseconds() + milliseconds)
  }

  /// Makes everything written durable.
  func syncLog() throws(StoreError) {
    guard let log = writer.log, log.syncedThrough < log.ordinal else { return }
    try log.sync()
    durable.store(writer.nextCommit - 1, ordering: .releasing)
    counters.logSyncs.add(1, ordering: .relaxed)
    writer.unsynced.removeAll(keepingCapacity: true)
    writer.syncDeadline = nil
  }

  /// Syncs deferred commits that have waited for as long as they may. Called by the flusher.
  func syncIfDue() {
    do throws(StoreError) {
      try ifIdle { () throws(StoreError) in
        guard let deadline = writer.syncDeadline, monotonicMilliseconds() >= deadline else {
          return
        }
        do throws(StoreError) { try syncLog() } catch { throw recover(from: error) }
      }
    } catch { options.diagnostics(error) }
  }

  // MARK: Room

  private var pendingRoom: PendingRoom {
    get { writer.pending }
    _modify { yield &writer.pending }
  }

  /// Whether the batch fits into memtable and log beside what the group holds already.
  func hasRoom(for buffer: BatchBuffer) throws(StoreError) -> Bool {
    guard let log = writer.log else { return false }
    let operations = writer.pending.operations + buffer.operationCount
    let payload = writer.pending.payload + buffer.payloadCount
    let fits = try unsafe writer.memtable.unretained().borrow {
      $0.hasRoom(operations: operations, payload: payload)
    }
    return fits
      && log.offset + UInt64(FrameWriter.storedSize(commit: buffer.count)) <= log.capacity
  }

  /// Changes memtable or log so that the batch fits.
  private func makeRoom(for buffer: BatchBuffer) throws(StoreError) {
    let storage = try writer.memtable.retained()
    if !storage.hasRoom(operations: buffer.operationCount, payload: buffer.payloadCount) {
      try rotateMemtable(for: buffer)
    }
    let needed = FrameWriter.storedSize(commit: buffer.count)
    if let log = writer.log, log.offset + UInt64(needed) > log.capacity {
      try rollLog(needed: needed)
    }
  }
}

/// What a group has sealed and not yet put into the memtable.
struct PendingRoom {
  var operations = 0
  var payload = 0

  static func += (left: inout Self, right: BatchBuffer) {
    left.operations += right.operationCount
    left.payload += right.payloadCount
  }
}

func monotonicMilliseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
