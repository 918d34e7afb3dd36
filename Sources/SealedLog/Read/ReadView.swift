/// Everything a reader looks at, at one time: memtables, newest first, and trees by keyspace id.
///
/// Immutable but for what the newest memtable gains, which has higher commit numbers than any
/// snapshot of this view asks for.
final class ReadView: Sendable {
  let memtables: [Memtable]
  let trees: [UInt32: Tree]

  init(memtables: [Memtable], trees: [UInt32: Tree]) {
    self.memtables = memtables
    self.trees = trees
  }
}
