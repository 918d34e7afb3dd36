/// The tables of one keyspace at one time: level 0 may overlap, newest first; the levels below hold
/// tables in key order that don't.
///
/// Immutable, and so shared by readers without a lock.
final class Tree: Sendable {
  static let levelCount = 7

  /// Level by level.
  let levels: [[Table]]
  let byteCount: UInt64

  init(levels: [[Table]]) {
    self.levels = levels
    byteCount = levels.joined().reduce(0) { $0 + $1.entry.length }
  }

  /// A tree of tables in any order.
  convenience init(_ tables: [Table]) {
    var levels = [[Table]](repeating: [], count: Self.levelCount)
    for table in tables { levels[Int(table.entry.level)].append(table) }
    levels[0].sort { left, right in
      (left.entry.largestCommit, left.entry.number)
        > (right.entry.largestCommit, right.entry.number)
    }
    for level in 1..<Self.levelCount {
      levels[level].sort { compareKeys($0.entry.smallestKey, $1.entry.smallestKey) < 0 }
    }
    self.init(levels: levels)
  }

  /// Tables of a level whose ranges meet the one given.
  func overlapping(level: Int, smallest: [UInt8], largest: [UInt8]) -> [Table] {
    levels[level].filter {
      compareKeys($0.entry.smallestKey, largest) <= 0
        && compareKeys($0.entry.largestKey, smallest) >= 0
    }
  }

  func byteCount(level: Int) -> UInt64 { levels[level].reduce(0) { $0 + $1.entry.length } }

  /// The deepest level that holds tables; zero for an empty tree.
  var lastLevel: Int { levels.lastIndex { !$0.isEmpty } ?? 0 }

  /// Asks the tables that may hold the key, newest first, until `body` says that it has its answer.
  ///
  /// - Precondition: the caller is inside the store's reader gate.
  @inline(__always)
  func visit(
    _ key: UnsafeRawBufferPointer, hash: UInt64,
    _ body: (Unmanaged<TableContents>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let base = key.baseAddress else { return }
    let word = unsafe keyPrefix(base, key.count)
    for table in levels[0] where unsafe table.covers(key, word: word) {
      let contents = try unsafe table.loaded()
      if unsafe contents.borrow({ $0.mayContain(hash) }),
        try unsafe body(contents)
      {
        return
      }
    }
    for level in 1..<Self.levelCount where !levels[level].isEmpty {
      let tables = levels[level]
      let index = unsafe Self.lowerBound(tables, key, word: word)
      guard index < tables.count, unsafe tables[index].covers(key, word: word) else { continue }
      let contents = try unsafe tables[index].loaded()
      if unsafe contents.borrow({ $0.mayContain(hash) }),
        try unsafe body(contents)
      {
        return
      }
    }
  }

  /// The first table that doesn't end before the key.
  static func lowerBound(
    _ tables: [Table], _ key: UnsafeRawBufferPointer, word: UInt64
  ) -> Int {
    var low = 0
    var high = tables.count
    while low < high {
      let middle = (low + high) / 2
      if unsafe tables[middle].endsBefore(key, word: word) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
