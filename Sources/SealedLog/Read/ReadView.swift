internal import Synchronization

/// Everything a reader looks at, at one time: memtables, newest first, and trees by keyspace id.
///
/// Immutable but for what the newest memtable gains, which has higher commit numbers than any
/// snapshot of this view asks for, and for `replace`.
final class ReadView: @unchecked Sendable {
  // Written only while the reader gate is closed; every reader looks from inside it.
  private(set) var memtables: [Memtable]
  private(set) var trees: [UInt32: Tree]
  /// Deleted ranges by keyspace id.
  private(set) var ranges: [UInt32: RangeTombstones]

  init(
    memtables: [Memtable], trees: [UInt32: Tree], ranges: [UInt32: RangeTombstones] = [:]
  ) {
    self.memtables = memtables
    self.trees = trees
    self.ranges = ranges
  }

  /// Whether there is anything of a keyspace.
  func mayHold(_ keyspace: Keyspace) -> Bool {
    trees[keyspace.id] != nil || memtables.contains { $0.mayHold(keyspace.id) }
  }

  /// Whether a version is hidden from a reader by a deleted range.
  @inline(__always)
  func hides(
    _ key: UnsafeRawBufferPointer, in keyspace: UInt32, version commit: UInt64,
    from reader: UInt64
  ) -> Bool {
    if _fastPath(ranges.isEmpty) { return false }
    return unsafe ranges[keyspace]?.hides(key, version: commit, from: reader) ?? false
  }

  /// Takes over what a newer view looks at: after a store lock the memtables of an old view are
  /// gone, and what they held is in the newer one's tables and memtables, with all versions that
  /// the old view's snapshots may ask for.
  ///
  /// - Precondition: the reader gate is closed.
  func replace(by newer: ReadView) {
    memtables = newer.memtables
    trees = newer.trees
    ranges = newer.ranges
  }
}

/// A view that somebody else keeps alive.
struct WeakView {
  weak var view: ReadView?

  init(_ view: ReadView) { self.view = view }
}

extension Engine.State {
  /// Puts a new view in the present one's place.
  mutating func show(
    memtables: [Memtable]? = nil, trees: [UInt32: Tree]? = nil,
    ranges: [UInt32: RangeTombstones]? = nil
  ) {
    view = ReadView(
      memtables: memtables ?? view.memtables, trees: trees ?? view.trees,
      ranges: ranges ?? view.ranges)
    views.removeAll { $0.view == nil }
    views.append(WeakView(view))
  }
}
