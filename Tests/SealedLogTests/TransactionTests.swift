import SealedLog
import TestSupport
import Testing

/// Optimistic transactions: what commits is as if each had run alone.
@Suite struct TransactionTests {
  private let store: LogStore
  private let keyspace: Keyspace

  init() throws {
    var options = OpenOptions()
    options.fileSystem = SimulatedFileSystem(seed: 1)
    options.execution = .inline
    store = try LogStore.open(path: "/s", unlock: .rawKey(testKey), options: options)
    keyspace = try store.keyspace("k")
  }

  private func put(_ key: [UInt8], _ value: [UInt8]) throws {
    try store.write { try $0.put(key, value, in: keyspace) }
  }

  private func value(_ key: [UInt8]) throws -> [UInt8]? {
    try store.snapshot().value(for: key, in: keyspace)
  }

  private func expectConflict(_ transaction: Transaction) {
    do {
      try transaction.commit()
      Issue.record("no conflict")
    } catch { #expect(error.code == .conflict) }
  }

  @Test func itSeesItsOwnWritesAndItsSnapshot() throws {
    try put([1], [1])
    let transaction = try store.beginTransaction()
    transaction.put([2], [2], in: keyspace)
    transaction.delete([1], in: keyspace)
    try put([3], [3])
    #expect(try transaction.value(for: [1], in: keyspace) == nil)
    #expect(try transaction.value(for: [2], in: keyspace) == [2])
    #expect(try transaction.value(for: [3], in: keyspace) == nil)
    #expect(try transaction.entries(in: keyspace).map(\.key) == [[2]])
    #expect(try value([1]) == [1])
    expectConflict(transaction)
    #expect(try value([1]) == [1] && value([2]) == nil)
  }

  @Test func aKeyThatWasReadMustBeTheSame() throws {
    for change in 0..<4 {
      try put([1], [1])
      let transaction = try store.beginTransaction()
      #expect(try transaction.value(for: [1], in: keyspace) == [1])
      transaction.put([9], [9], in: keyspace)
      switch change {
      case 0: try put([1], [2])
      case 1: try store.write { try $0.delete([1], in: keyspace) }
      case 2: try store.write { try $0.deleteRange(from: [0], to: [2], in: keyspace) }
      default:
        // Also where the change left the memtable.
        try put([1], [2])
        try store.compact()
      }
      expectConflict(transaction)
    }
  }

  @Test func whatWasNotReadMayChange() throws {
    let transaction = try store.beginTransaction()
    _ = try transaction.value(for: [1], in: keyspace)
    _ = try transaction.entries(in: keyspace, from: [10], to: [20])
    transaction.put([9], [9], in: keyspace)
    try put([2], [2])
    try put([20], [2])
    try store.flush()
    try store.write { try $0.deleteRange(from: [30], to: [40], in: keyspace) }
    try transaction.commit()
    #expect(try value([9]) == [9])
  }

  @Test func aRangeThatWasReadHasNoPhantoms() throws {
    let transaction = try store.beginTransaction()
    #expect(try transaction.entries(in: keyspace, from: [10], to: [20]).isEmpty)
    transaction.put([9], [9], in: keyspace)
    try put([15], [1])
    expectConflict(transaction)
    // Removed again, it is still a change: what was read may have been acted on in between.
    let second = try store.beginTransaction()
    #expect(try second.entries(in: keyspace).count == 1)
    second.put([9], [9], in: keyspace)
    try store.write { try $0.deleteRange(in: keyspace) }
    expectConflict(second)
  }

  @Test func oneThatOnlyReadsAlwaysCommits() throws {
    let transaction = try store.beginTransaction()
    _ = try transaction.value(for: [1], in: keyspace)
    try put([1], [1])
    #expect(try transaction.commit() == transaction.snapshot.commit)
    do {
      try transaction.commit()
      Issue.record("committed twice")
    } catch { #expect(error.code == .invalidArgument) }
  }

  @Test func countersRaisedByManyThreadsLoseNothing() throws {
    var options = OpenOptions()
    options.creation = .always
    let directory = try TemporaryDirectory()
    let store = try LogStore.open(
      path: directory.path("s"), unlock: .rawKey(testKey), options: options)
    let keyspace = try store.keyspace("k")
    Threads.run(4) { _ in
      for _ in 0..<50 {
        try store.transaction(durability: .deferred(within: .seconds(1)), attempts: .max) {
          let old = try $0.value(for: [1], in: keyspace)?.first ?? 0
          $0.put([1], [old &+ 1], in: keyspace)
        }
      }
    }
    #expect(try store.snapshot().value(for: [1], in: keyspace) == [200])
    try store.close()
  }

  @Test func theHelperGivesUpWhereAskedTo() throws {
    var tries = 0
    do {
      try store.transaction(attempts: 3) { transaction in
        tries += 1
        _ = try transaction.value(for: [1], in: keyspace)
        transaction.put([2], [2], in: keyspace)
        try put([1], [UInt8(tries)])
      }
      Issue.record("committed over a conflict")
    } catch let error as StoreError { #expect(error.code == .conflict && tries == 3) }
  }
}
