import SealedLog
import TestSupport
import Testing

/// Deleting ranges: the same as deleting each key, without looking at them.
@Suite struct RangeDeleteTests {
  private let fileSystem = SimulatedFileSystem(seed: 1)
  private let store: LogStore
  private let keyspace: Keyspace

  private static func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.memtableSize = 64 << 10
    options.tableSize = 32 << 10
    options.levelSize = 128 << 10
    return options
  }

  init() throws {
    store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: Self.options(fileSystem))
    keyspace = try store.keyspace("k")
  }

  private static func key(_ index: Int) -> [UInt8] { [UInt8(index / 256), UInt8(index % 256)] }

  private func fill(_ range: Range<Int>, _ value: UInt8 = 1) throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 100) {
      try store.write { batch in
        for index in start..<min(start + 100, range.upperBound) {
          try batch.put(Self.key(index), [UInt8](repeating: value, count: 100), in: keyspace)
        }
      }
    }
  }

  private func keys(_ snapshot: Snapshot) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    let cursor = try snapshot.cursor(in: keyspace)
    while try cursor.next() { found.append(cursor.keyBytes) }
    var back: [[UInt8]] = []
    while try cursor.previous() { back.append(cursor.keyBytes) }
    #expect(back == found.reversed())
    return found
  }

  @Test func keysInTheRangeAreGoneAndOthersStay() throws {
    try fill(0..<1_000)
    let before = try store.snapshot()
    try store.write { try $0.deleteRange(from: Self.key(100), to: Self.key(900), in: keyspace) }
    try fill(500..<501, 9)
    let expected = (Array(0..<100) + [500] + Array(900..<1_000)).map(Self.key)
    for step in 0..<4 {
      #expect(try keys(store.snapshot()) == expected, "step \(step)")
      #expect(try store.snapshot().value(for: Self.key(300), in: keyspace) == nil)
      #expect(try store.snapshot().value(for: Self.key(500), in: keyspace)?.first == 9)
      #expect(try keys(before).count == 1_000)
      #expect(try before.value(for: Self.key(500), in: keyspace)?.first == 1)
      switch step {
      case 0: try store.flush()
      case 1: try store.compact()
      default: try fill(0..<1, UInt8(step))
      }
    }
  }

  @Test func openEndsReachTheFirstAndTheLastKey() throws {
    try fill(0..<300)
    try store.write { try $0.deleteRange(to: Self.key(100), in: keyspace) }
    try store.write { try $0.deleteRange(from: Self.key(200), in: keyspace) }
    #expect(try keys(store.snapshot()) == (100..<200).map(Self.key))
    try store.write { try $0.deleteRange(in: keyspace) }
    #expect(try keys(store.snapshot()).isEmpty)
    // Nothing to do, or the wrong way round.
    try store.write { try $0.deleteRange(from: [5], to: [5], in: keyspace) }
    try store.write { try $0.deleteRange(from: [6], to: [5], in: keyspace) }
    #expect(try keys(store.snapshot()).isEmpty)
  }

  @Test func orderWithinABatchCounts() throws {
    try store.write { batch in
      try batch.put([1], [1], in: keyspace)
      try batch.put([200], [1], in: keyspace)
      try batch.deleteRange(from: [0], to: [100], in: keyspace)
      try batch.put([2], [2], in: keyspace)
    }
    #expect(try keys(store.snapshot()) == [[2], [200]])
  }

  @Test func spaceComesBackWithoutReadingTheKeys() throws {
    try fill(0..<5_000)
    try store.compact()
    let full = store.statistics.keyspaces[0].bytes.reduce(0, +)
    #expect(full > 500_000)
    let compacted = store.statistics.compactedBytes
    try store.write { try $0.deleteRange(from: Self.key(10), to: Self.key(4_990), in: keyspace) }
    try store.flush()
    let rest = store.statistics.keyspaces[0].bytes.reduce(0, +)
    #expect(rest < full / 50, "\(rest) of \(full) bytes are left")
    // Only tables at the ends were read and written.
    #expect(store.statistics.compactedBytes - compacted < 100_000)
    #expect(try keys(store.snapshot()).count == 20)
    #expect(try store.verify().isSound)
  }

  @Test func itOutlastsReopening() throws {
    try fill(0..<500)
    try store.flush()
    try store.write { try $0.deleteRange(from: Self.key(100), in: keyspace) }
    for _ in 0..<3 {
      // Killed, so that the log is what remembers; then closed.
      let medium = fileSystem.afterKill()
      let again = try LogStore.open(
        path: "/s", unlock: .rawKey(testKey), options: Self.options(medium))
      #expect(try keys(again.snapshot()).count == 100)
      try again.close()
      let closed = try LogStore.open(
        path: "/s", unlock: .rawKey(testKey), options: Self.options(medium))
      #expect(try keys(closed.snapshot()).count == 100)
    }
  }

  @Test func boundsPastTheLimitAreRefused() throws {
    let long = [UInt8](repeating: 1, count: WriteBatch.keyLimit + 1)
    for (lower, upper) in [(long, nil), (nil, long)] as [([UInt8]?, [UInt8]?)] {
      do {
        try store.write { try $0.deleteRange(from: lower, to: upper, in: keyspace) }
        Issue.record("accepted")
      } catch let error as StoreError { #expect(error.code == .limitExceeded) }
    }
  }

  @Test func idleRemovalsGiveTheirSpaceBack() throws {
    try fill(0..<2_000)
    try store.compact()
    for index in 0..<2_000 { try store.write { try $0.delete(Self.key(index), in: keyspace) } }
    try store.flush()
    try store.compact()
    #expect(store.statistics.keyspaces[0].entries == 0)
  }
}
