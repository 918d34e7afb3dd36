internal import SealedFiles
internal import Synchronization

/// Flushing: a full memtable becomes tables of level 0, and the logs behind it go.
extension Engine {
  /// Begins a new memtable, with room for the batch; waits while the one before is still being
  /// flushed. Called by the leader.
  func rotateMemtable(for buffer: BatchBuffer? = nil) throws(StoreError) {
    // Everything in the old memtable must be on the medium before it is flushed.
    try syncLog()
    try waitForRoom()
    var capacity = options.memtableSize
    if let buffer {
      let needed =
        buffer.payloadCount
        + buffer.operationCount * (MemtableArena.headerSize + 8) * 2 + 4096
      capacity = max(capacity, needed)
    }
    let next = try Memtable(
      firstCommit: writer.nextCommit, firstLog: writer.log?.number ?? 0, capacity: capacity)
    state.withLock { state in
      state.show(memtables: [next] + state.view.memtables)
    }
    writer.memtable = next
    flusher.wake()
  }

  /// Waits until at most one memtable is full: a bounded stall, never an error for load.
  private func waitForRoom() throws(StoreError) {
    while true {
      try checkWritable()
      let (memtables, files) = state.withLock { state in
        (
          state.view.memtables.count,
          state.view.trees.values.reduce(0) { max($0, $1.levels[0].count) }
        )
      }
      if memtables < 2, files < Self.levelZeroStop { return }
      counters.stalls.add(1, ordering: .relaxed)
      if flusher.isRunning {
        flusher.wake()
        compactor.wake()
        _ = flushed.wait(milliseconds: 100)
      } else {
        let worked = memtables >= 2 ? flushStep() : compactionStep()
        if !worked { return }
      }
    }
  }

  /// Tables of level 0 in one keyspace at which writers wait for compaction.
  static let levelZeroStop = 24

  /// Does background work here and now, where there are no threads for it.
  func runInline() {
    guard options.execution == .inline, isWriter else { return }
    makeSpare()
    while flushStep() {}
    while compactionStep() {}
    if manifest.wantsRewriting, writer.failure == nil {
      do throws(StoreError) {
        try exclusively { () throws(StoreError) in try rewriteManifest() }
      } catch {
        options.diagnostics(error)
      }
    }
  }

  /// One step of the flusher; whether it did something.
  func flushStep() -> Bool {
    if flusher.isRunning {
      syncIfDue()
      makeSpare()
    }
    let worked = flushing.withLock { _ -> Bool in
      let memtables = state.withLock { state -> [Memtable] in
        if case .open = state.status { return state.view.memtables }
        return []
      }
      guard memtables.count > 1, let oldest = memtables.last else { return false }
      do throws(StoreError) {
        try flush(oldest, next: memtables[memtables.count - 2])
        return true
      } catch {
        // The memtable stays, with its logs; the flush is tried again when something changes.
        options.diagnostics(error)
        return false
      }
    }
    flushed.raise()
    if worked { compactor.wake() }
    return worked
  }

  /// Writes a memtable to tables and takes it out of the view.
  func flush(_ memtable: Memtable, next: Memtable) throws(StoreError) {
    let storage = try memtable.retained()
    let entries = try writeTables(of: storage, lastCommit: next.firstCommit - 1)
    let retiredLogs = manifest.state.logs.map(\.number).filter { $0 < next.firstLog }
    var records: [ManifestRecord] = entries.map { .table($0) }
    records += rangeRecords(through: next.firstCommit - 1)
    records.append(.flushed(through: next.firstCommit - 1))
    records += retiredLogs.map { .retireLog(number: $0) }
    try manifest.editOrRewrite(records, engine: self)
    install(entries: entries, removing: memtable)
    for number in retiredLogs { unlink(.log, number) }
    counters.flushes.add(1, ordering: .relaxed)
    counters.flushedBytes.add(entries.reduce(0) { $0 + $1.length }, ordering: .relaxed)
  }

  /// Tables of level 0 for all that a memtable holds, synced together with their names.
  func writeTables(
    of storage: MemtableStorage, lastCommit: UInt64
  ) throws(StoreError) -> [TableEntry] {
    let live = liveCommits()
    let ranges = state.withLock { $0.view.ranges }
    let manifestState = manifest.state
    var entries: [TableEntry] = []
    for keyspace in storage.keyspaces {
      guard let name = manifestState.keyspaces[keyspace] else { continue }
      let runs = storage.runs(in: keyspace).reversed().map {
        RunCursor(storage: storage, run: $0)
      }
      let merge = MergeCursor(runs)
      try merge.seekToEnd(first: true)
      let isBottom = !manifestState.tables.values.contains { $0.keyspace == keyspace }
      let policy = unsafe VersionPolicy(
        live: live, dropsTombstones: { _ in isBottom }, ranges: ranges[keyspace])
      var output = TableOutput(
        engine: self, keyspace: keyspace, name: name, level: 0, sizeLimit: .max, policy: policy)
      try output.write(merge)
      entries += try output.finish()
    }
    if !entries.isEmpty { try files.syncDirectory() }
    return entries
  }

  /// What the manifest must say of ranges deleted by commits that are about to leave the logs.
  func rangeRecords(through commit: UInt64) -> [ManifestRecord] {
    let known = manifest.state
    let ranges = state.withLock { $0.view.ranges }
    return ranges.sorted { $0.key < $1.key }.flatMap { keyspace, tombstones in
      tombstones.ranges.filter {
        $0.commit <= commit && $0.commit > known.flushedThrough
          && known.keyspaces[keyspace] != nil
      }.map { .deleteRange(keyspace: keyspace, $0) }
    }
  }

  private func install(entries: [TableEntry], removing memtable: Memtable) {
    let tables = entries.map { Table(entry: $0, files: files) }
    state.withLock { state in
      var trees = state.view.trees
      for table in tables {
        let present = trees[table.entry.keyspace]?.levels.joined() ?? [].joined()
        trees[table.entry.keyspace] = Tree(Array(present) + [table])
      }
      state.show(
        memtables: state.view.memtables.filter { $0 !== memtable }, trees: trees)
    }
  }
}
