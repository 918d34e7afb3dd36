internal import Synchronization

/// Finding whether something changed since a commit, for transactions.
///
/// Versions newer than a registered snapshot keep their commit numbers through flushes and
/// compactions, so that looking at what there is now is enough.
extension Engine {
  /// - Precondition: the caller has the right to write, and all commits before are settled.
  /// - Throws: `.conflict` where a commit after `since` changed one of the keys or ranges.
  func checkUnchanged(
    keys: [Keyspace: Set<[UInt8]>], ranges: [Transaction.ReadRange], since: UInt64
  ) throws(StoreError) {
    guard visible.load(ordering: .acquiring) > since else { return }
    let view = state.withLock { $0.view }
    for (keyspace, keys) in keys {
      for key in keys where try hasChanged(key, in: keyspace, view, since: since) {
        throw conflict()
      }
    }
    for range in ranges where try hasChanged(range, view, since: since) { throw conflict() }
  }

  private func conflict() -> StoreError {
    StoreError(
      .conflict, "another commit changed what the transaction read; begin it again",
      file: files.path)
  }

  private func hasChanged(
    _ key: [UInt8], in keyspace: Keyspace, _ view: ReadView, since: UInt64
  ) throws(StoreError) -> Bool {
    let deleted = view.ranges[keyspace.id]?.ranges.contains {
      $0.commit > since && $0.covers(key, key)
    }
    if deleted == true { return true }
    let merge = MergeCursor(try newerSources(view, keyspace, key, key, since: since))
    try unsafe key.withRaw { (raw) throws(StoreError) in try unsafe merge.seek(raw, commit: .max) }
    guard merge.isValid else { return false }
    return merge.withCurrent { source in
      unsafe source.commit > since && key.withRaw { unsafe compareKeys(source.key, $0) == 0 }
    }
  }

  private func hasChanged(
    _ range: Transaction.ReadRange, _ view: ReadView, since: UInt64
  ) throws(StoreError) -> Bool {
    let lower = range.lower ?? [0]
    let deleted = view.ranges[range.keyspace.id]?.ranges.contains { deleted in
      deleted.commit > since && (deleted.upper.isEmpty || compareKeys(lower, deleted.upper) < 0)
        && (range.upper.map { compareKeys(deleted.lower, $0) < 0 } ?? true)
    }
    if deleted == true { return true }
    let merge = MergeCursor(
      try newerSources(view, range.keyspace, lower, range.upper, since: since))
    try unsafe lower.withRaw { (raw) throws(StoreError) in
      try unsafe merge.seek(raw, commit: .max)
    }
    while merge.isValid {
      let (isInside, isNewer) = merge.withCurrent { source in
        let isInside = range.upper.map { upper in
          unsafe upper.withRaw { unsafe compareKeys(source.key, $0) < 0 }
        }
        return (isInside ?? true, source.commit > since)
      }
      guard isInside else { return false }
      if isNewer { return true }
      try merge.next()
    }
    return false
  }

  /// The sources that may hold commits after `since`, newest first.
  private func newerSources(
    _ view: ReadView, _ keyspace: Keyspace, _ lower: [UInt8], _ upper: [UInt8]?, since: UInt64
  ) throws(StoreError) -> [SourceCursor] {
    var cursors: [SourceCursor] = []
    for (index, memtable) in view.memtables.enumerated() {
      // Each holds commits up to the one before the next newer memtable's first.
      if index > 0, view.memtables[index - 1].firstCommit <= since + 1 { break }
      let storage = try memtable.retained()
      cursors += storage.runs(in: keyspace.id).reversed().map {
        RunCursor(storage: storage, run: $0)
      }
    }
    for table in view.trees[keyspace.id]?.levels.joined() ?? [].joined()
    where table.entry.largestCommit > since
      && compareKeys(table.entry.largestKey, lower) >= 0
      && upper.map({ compareKeys(table.entry.smallestKey, $0) <= 0 }) ?? true
    {
      cursors.append(TableCursor(tables: [table], gate: gate))
    }
    return cursors
  }
}
