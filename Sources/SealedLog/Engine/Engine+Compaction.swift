internal import SealedFiles
internal import Synchronization

/// Compaction: tables of one level are merged into the next, so that reads look in few places and
/// what was overwritten or removed gives its space back.
extension Engine {
  /// Tables of level 0 at which they are merged into level 1.
  private static let levelZeroTrigger = 4

  /// What a compaction reads and where it writes.
  struct CompactionPlan {
    var keyspace: UInt32
    var outputLevel: Int
    /// Newest first, as the merge wants its sources.
    var inputs: [[Table]]
    /// Nothing is rewritten: the tables go down as they are.
    var isMove = false

    var tables: [Table] { Array(inputs.joined()) }
  }

  /// One step of the compactor; whether it did something.
  func compactionStep() -> Bool {
    sweepObsolete()
    if flusher.isRunning, manifest.wantsRewriting {
      do throws(StoreError) { try ifIdle { () throws(StoreError) in try rewriteManifest() } } catch
      {
        options.diagnostics(error)
      }
    }
    let worked = compacting.withLock { _ -> Bool in
      let view = state.withLock { state -> ReadView? in
        if case .open = state.status { return state.view }
        return nil
      }
      guard let view else { return false }
      do throws(StoreError) {
        if try retireRanges(view) { return true }
        if try emptyTrash() { return true }
        guard let plan = pickCompaction(view) ?? pickCleanup(view) else { return false }
        try compact(plan)
        return true
      } catch {
        options.diagnostics(error)
        return false
      }
    }
    if worked { flushed.raise() }
    return worked
  }

  private func levelLimit(_ level: Int) -> UInt64 {
    (1..<level).reduce(options.levelSize) { limit, _ in limit * 8 }
  }

  /// The keyspace and level that want compaction most; nil where none does.
  private func pickCompaction(_ view: ReadView) -> CompactionPlan? {
    var best: (score: Double, keyspace: UInt32, level: Int)?
    for (keyspace, tree) in view.trees.sorted(by: { $0.key < $1.key }) {
      let zero = Double(tree.levels[0].count) / Double(Self.levelZeroTrigger)
      if zero >= 1, zero > best?.score ?? 0 { best = (zero, keyspace, 0) }
      for level in 1..<Tree.levelCount - 1 {
        let score = Double(tree.byteCount(level: level)) / Double(levelLimit(level))
        if score > 1, score > best?.score ?? 0 { best = (score, keyspace, level) }
      }
    }
    guard let best, let tree = view.trees[best.keyspace] else { return nil }
    return plan(tree, keyspace: best.keyspace, level: best.level)
  }

  private func plan(_ tree: Tree, keyspace: UInt32, level: Int) -> CompactionPlan {
    if level == 0 { return planLevelZero(tree, keyspace: keyspace) }
    // The table with the least below it: the least is rewritten for what is gained.
    let candidates = tree.levels[level].map { table in
      let below = tree.overlapping(
        level: level + 1, smallest: table.entry.smallestKey, largest: table.entry.largestKey)
      let weight = below.reduce(0) { $0 + $1.entry.length }
      return (table: table, below: below, ratio: Double(weight) / Double(table.entry.length))
    }
    guard let chosen = candidates.min(by: { $0.ratio < $1.ratio }) else {
      return CompactionPlan(keyspace: keyspace, outputLevel: level + 1, inputs: [])
    }
    return CompactionPlan(
      keyspace: keyspace, outputLevel: level + 1, inputs: [[chosen.table], chosen.below],
      isMove: chosen.below.isEmpty)
  }

  func planLevelZero(_ tree: Tree, keyspace: UInt32) -> CompactionPlan {
    let zero = tree.levels[0]
    let smallest = zero.map(\.entry.smallestKey).min { compareKeys($0, $1) < 0 } ?? []
    let largest = zero.map(\.entry.largestKey).max { compareKeys($0, $1) < 0 } ?? []
    let below = tree.overlapping(level: 1, smallest: smallest, largest: largest)
    let ordered = zero.sorted { compareKeys($0.entry.smallestKey, $1.entry.smallestKey) < 0 }
    let areApart = zip(ordered, ordered.dropFirst()).allSatisfy {
      compareKeys($0.entry.largestKey, $1.entry.smallestKey) < 0
    }
    return CompactionPlan(
      keyspace: keyspace, outputLevel: 1, inputs: zero.map { [$0] } + [below],
      isMove: below.isEmpty && areApart)
  }

  /// Merges a keyspace wholly into its last level.
  func compactAll(keyspace: UInt32) throws(StoreError) {
    try compacting.withLock { _ in
      Result<Void, StoreError>.catching { () throws(StoreError) in
        try compactHere(keyspace: keyspace)
      }
    }.get()
  }

  private func compactHere(keyspace: UInt32) throws(StoreError) {
    let view = state.withLock { $0.view }
    guard let tree = view.trees[keyspace] else { return }
    let inputs = tree.levels[0].map { [$0] } + tree.levels.dropFirst().filter { !$0.isEmpty }
    guard !inputs.isEmpty else { return }
    try compact(
      CompactionPlan(
        keyspace: keyspace, outputLevel: max(1, tree.lastLevel), inputs: inputs))
  }

  func compact(_ plan: CompactionPlan) throws(StoreError) {
    guard !plan.tables.isEmpty else { return }
    var plan = plan
    // A table that goes down to be the last one of its keys is compressed on the way.
    if compression(of: plan.keyspace) != .none { plan.isMove = false }
    let entries = plan.isMove ? try move(plan) : try merge(plan)
    install(entries, replacing: plan)
    if !plan.isMove {
      counters.compactions.add(1, ordering: .relaxed)
      counters.compactedBytes.add(entries.reduce(0) { $0 + $1.length }, ordering: .relaxed)
    }
    sweepObsolete()
  }

  private func move(_ plan: CompactionPlan) throws(StoreError) -> [TableEntry] {
    try manifest.editOrRewrite(
      plan.tables.map {
        .moveTable(number: $0.entry.number, level: UInt8(plan.outputLevel))
      }, engine: self)
    return plan.tables.map { table in
      var entry = table.entry
      entry.level = UInt8(plan.outputLevel)
      return entry
    }
  }

  private func merge(_ plan: CompactionPlan) throws(StoreError) -> [TableEntry] {
    guard let name = manifest.state.keyspaces[plan.keyspace],
      let tree = state.withLock({ $0.view.trees[plan.keyspace] })
    else { return [] }
    let sources = plan.inputs.filter { !$0.isEmpty }.map {
      TableCursor(tables: $0, gate: gate)
    }
    let merge = MergeCursor(sources)
    try merge.seekToEnd(first: true)
    let below = Array(tree.levels.dropFirst(plan.outputLevel + 1).joined())
    // Readers first: a range deleted after that may not be in `ranges`, and isn't said to be applied.
    let live = liveCommits()
    let ranges = state.withLock { $0.view.ranges[plan.keyspace] }
    let policy = unsafe VersionPolicy(
      live: live,
      dropsTombstones: { key in
        !below.contains { table in
          unsafe table.entry.smallestKey.withRaw { unsafe compareKeys($0, key) <= 0 }
            && table.entry.largestKey.withRaw { unsafe compareKeys($0, key) >= 0 }
        }
      }, ranges: ranges)
    var output = TableOutput(
      engine: self, keyspace: plan.keyspace, name: name, level: UInt8(plan.outputLevel),
      sizeLimit: UInt64(options.tableSize), policy: policy, inputs: plan.tables.map(\.entry),
      compression: below.isEmpty ? compression(of: plan.keyspace) : .none)
    try output.write(merge)
    let entries = try output.finish()
    if !entries.isEmpty { try files.syncDirectory() }
    try manifest.editOrRewrite(
      entries.map { .table($0) } + plan.tables.map { .retireTable(number: $0.entry.number) },
      engine: self)
    return entries
  }

  private func install(_ entries: [TableEntry], replacing plan: CompactionPlan) {
    let made = entries.map { Table(entry: $0, files: files) }
    let replaced = Set(plan.tables.map(\.entry.number))
    state.withLock { state in
      var trees = state.view.trees
      let kept = (trees[plan.keyspace]?.levels.joined() ?? [].joined()).filter {
        !replaced.contains($0.entry.number)
      }
      trees[plan.keyspace] = Tree(kept + made)
      state.show(trees: trees)
      if !plan.isMove { state.obsolete += plan.tables }
    }
  }
}
