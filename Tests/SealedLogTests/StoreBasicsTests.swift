import SealedCrypto
import SealedLog
import TestSupport
import Testing

/// A raw key for stores that tests open in loops.
let testKey = SecretBytes([UInt8](repeating: 7, count: 32))

@Suite struct StoreBasicsTests {
  @Test func whatIsWrittenIsReadAlsoAfterReopening() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("Notes.store")
    do {
      let store = try LogStore.open(path: path, unlock: .rawKey(testKey))
      let notes = try store.keyspace("notes")
      try store.write { batch in
        try batch.put([1, 2, 3], [4, 5], in: notes)
        try batch.put([1, 2], [6], in: notes)
      }
      let snapshot = try store.snapshot()
      #expect(try snapshot.value(for: [1, 2, 3], in: notes) == [4, 5])
      #expect(try snapshot.value(for: [1], in: notes) == nil)
      try store.close()
    }
    let store = try LogStore.open(path: path, unlock: .rawKey(testKey))
    let notes = try #require(try store.existingKeyspace("notes"))
    let snapshot = try store.snapshot()
    #expect(try snapshot.value(for: [1, 2], in: notes) == [6])
    #expect(!store.recovery.unclean)
    try store.close()
  }

  @Test func aStoreThatWasNotClosedIsReplayed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("s")
    do {
      let store = try LogStore.open(path: path, unlock: .rawKey(testKey))
      let keyspace = try store.keyspace("k")
      for index in 0..<100 {
        try store.write { try $0.put([UInt8(index), 1], [UInt8(index)], in: keyspace) }
      }
    }
    let store = try LogStore.open(path: path, unlock: .rawKey(testKey))
    #expect(store.recovery.unclean)
    #expect(store.recovery.replayedCommits == 100)
    let keyspace = try store.keyspace("k")
    let snapshot = try store.snapshot()
    for index in 0..<100 {
      #expect(try snapshot.value(for: [UInt8(index), 1], in: keyspace) == [UInt8(index)])
    }
  }

  @Test func wrongKeyIsTold() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("s")
    try LogStore.open(path: path, unlock: .rawKey(testKey)).close()
    let other = SecretBytes([UInt8](repeating: 8, count: 32))
    let error = #expect(throws: StoreError.self) {
      try LogStore.open(path: path, unlock: .rawKey(other))
    }
    #expect(error?.code == .wrongKey)
  }

  @Test func aSecondWriterIsToldWhoHoldsTheStore() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("s")
    let store = try LogStore.open(path: path, unlock: .rawKey(testKey))
    let error = #expect(throws: StoreError.self) {
      try LogStore.open(path: path, unlock: .rawKey(testKey))
    }
    #expect(error?.code == .storeInUse)
    #expect(error?.processID != nil)
    try store.close()
    try LogStore.open(path: path, unlock: .rawKey(testKey)).close()
  }

  @Test func aLockedStoreRefusesUntilItIsUnlocked() throws {
    let directory = try TemporaryDirectory()
    let store = try LogStore.open(path: directory.path("s"), unlock: .rawKey(testKey))
    let keyspace = try store.keyspace("k")
    try store.write { try $0.put([1], [1], in: keyspace) }
    try store.flush()
    try store.write { try $0.put([2], [2], in: keyspace) }
    let before = try store.snapshot()
    try store.lock()
    #expect(throws: StoreError.self) { try store.snapshot() }
    #expect(throws: StoreError.self) { try before.value(for: [2], in: keyspace) }
    #expect(throws: StoreError.self) {
      try store.write { try $0.put([3], [3], in: keyspace) }
    }
    try store.unlock(.rawKey(testKey))
    #expect(try before.value(for: [1], in: keyspace) == [1])
    #expect(try before.value(for: [2], in: keyspace) == [2])
    try store.write { try $0.put([3], [3], in: keyspace) }
    #expect(try before.value(for: [3], in: keyspace) == nil)
    #expect(try store.snapshot().value(for: [3], in: keyspace) == [3])
    try store.close()
  }
}
