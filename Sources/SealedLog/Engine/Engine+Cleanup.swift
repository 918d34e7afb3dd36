internal import Synchronization

/// Giving back the space of what was removed: tables wholly inside a deleted range go unread, those
/// that meet one are rewritten, and removals that nobody needs any more don't stay where they are.
extension Engine {
  /// Drops tables that a deleted range covers, and ranges that hide nothing any more; whether there
  /// were any.
  func retireRanges(_ view: ReadView) throws(StoreError) -> Bool {
    guard !view.ranges.isEmpty else { return false }
    let oldest = liveCommits().first ?? 0
    let known = manifest.state
    var records: [ManifestRecord] = []
    var dropped: [Table] = []
    var retired: [UInt32: [RangeTombstones.Range]] = [:]
    for (keyspace, tombstones) in view.ranges.sorted(by: { $0.key < $1.key }) {
      var tables = view.trees[keyspace]?.levels.flatMap(\.self) ?? []
      for range in tombstones.ranges where range.commit <= min(oldest, known.flushedThrough) {
        let covered = tables.filter { Self.isCovered($0.entry, by: range) }
        dropped += covered
        records += covered.map { .retireTable(number: $0.entry.number) }
        tables.removeAll { table in covered.contains { $0 === table } }
        guard !tables.contains(where: { Self.needs($0.entry, range) }) else { continue }
        records.append(
          .retireRange(keyspace: keyspace, lower: range.lower, commit: range.commit))
        retired[keyspace, default: []].append(range)
      }
    }
    guard !records.isEmpty else { return false }
    try manifest.editOrRewrite(records, engine: self)
    state.withLock { $0.drop(dropped, retired: retired) }
    sweepObsolete()
    return true
  }

  /// Whether a range hides all that a table holds.
  private static func isCovered(_ entry: TableEntry, by range: RangeTombstones.Range) -> Bool {
    entry.largestCommit < range.commit && range.covers(entry.smallestKey, entry.largestKey)
  }

  /// Whether a table may hold what a range hides.
  private static func needs(_ entry: TableEntry, _ range: RangeTombstones.Range) -> Bool {
    entry.appliedCommit < range.commit && entry.smallestCommit < range.commit
      && range.meets(entry.smallestKey, entry.largestKey)
  }

  /// Work that isn't urgent: tables that a deleted range meets, and tables of which a quarter are
  /// removals. Each step takes some away for good, or down a level.
  func pickCleanup(_ view: ReadView) -> CompactionPlan? {
    let oldest = liveCommits().first ?? 0
    for (keyspace, tree) in view.trees.sorted(by: { $0.key < $1.key }) {
      let ranges = (view.ranges[keyspace]?.ranges ?? []).filter { $0.commit <= oldest }
      for (level, tables) in tree.levels.enumerated() {
        let found = tables.first { table in
          ranges.contains { Self.needs(table.entry, $0) }
            || Self.hasIdleTombstones(table.entry, oldest: oldest)
        }
        guard let found else { continue }
        return cleanupPlan(found, level: level, tree, keyspace: keyspace)
      }
    }
    return nil
  }

  private static func hasIdleTombstones(_ entry: TableEntry, oldest: UInt64) -> Bool {
    entry.tombstoneCount * 4 >= max(1, entry.entryCount) && entry.largestCommit <= oldest
  }

  private func cleanupPlan(
    _ table: Table, level: Int, _ tree: Tree, keyspace: UInt32
  ) -> CompactionPlan {
    // Tables of level 0 overlap: they go down together, so that their order stays.
    if level == 0 {
      var plan = planLevelZero(tree, keyspace: keyspace)
      plan.isMove = false
      return plan
    }
    let deeper = tree.levels.dropFirst(level + 1).joined().contains { other in
      compareKeys(other.entry.smallestKey, table.entry.largestKey) <= 0
        && compareKeys(other.entry.largestKey, table.entry.smallestKey) >= 0
    }
    guard deeper, level + 1 < Tree.levelCount else {
      return CompactionPlan(keyspace: keyspace, outputLevel: level, inputs: [[table]])
    }
    let below = tree.overlapping(
      level: level + 1, smallest: table.entry.smallestKey, largest: table.entry.largestKey)
    return CompactionPlan(
      keyspace: keyspace, outputLevel: level + 1, inputs: [[table], below])
  }
}

extension Engine.State {
  /// Takes tables and deleted ranges out of the view.
  fileprivate mutating func drop(
    _ tables: [Table], retired: [UInt32: [RangeTombstones.Range]]
  ) {
    var trees = view.trees
    for (keyspace, tree) in trees {
      let kept = tree.levels.joined().filter { table in !tables.contains { $0 === table } }
      if kept.count < tree.levels.joined().count { trees[keyspace] = Tree(kept) }
    }
    var ranges = view.ranges
    for (keyspace, gone) in retired {
      let kept = (ranges[keyspace]?.ranges ?? []).filter { !gone.contains($0) }
      ranges[keyspace] = kept.isEmpty ? nil : RangeTombstones(kept)
    }
    show(trees: trees, ranges: ranges)
    obsolete += tables
  }
}
