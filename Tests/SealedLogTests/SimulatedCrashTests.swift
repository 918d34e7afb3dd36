import SealedCrypto
import SealedLog
import TestSupport
import Testing

/// A power cut at any call leaves a prefix of the commits, with every acknowledged one in it.
@Suite struct SimulatedCrashTests {
  private typealias Content = [[UInt8]: [UInt8]]

  /// What a run did: the content after each commit, and how many commits were acknowledged.
  private struct History {
    var states: [Content] = [[:]]
    var acknowledged = 0
  }

  private func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.memtableSize = 16 << 10
    options.logSize = 8 << 10
    options.logSizeLimit = 16 << 10
    options.tableSize = 16 << 10
    options.levelSize = 32 << 10
    return options
  }

  private func open(_ fileSystem: SimulatedFileSystem) throws -> LogStore {
    try LogStore.open(path: "/s", unlock: .rawKey(testKey), options: options(fileSystem))
  }

  /// Commits until something fails.
  private func work(
    _ fileSystem: SimulatedFileSystem, seed: UInt64, commits: Int, _ history: inout History
  ) throws {
    var random = SeededGenerator(seed: seed)
    for part in 0..<2 {
      let store = try open(fileSystem)
      let keyspace = try store.keyspace("k")
      for index in 0..<commits {
        var content = history.states[history.states.count - 1]
        let count = Int.random(in: 1...4, using: &random)
        let changes = (0..<count).map { _ in
          (
            key: [UInt8.random(in: 0..<40, using: &random)],
            value: Int.random(in: 0..<5, using: &random) == 0
              ? nil : random.bytes(Int.random(in: 0...700, using: &random))
          )
        }
        for change in changes { content[change.key] = change.value }
        history.states.append(content)
        let isFull = Int.random(in: 0..<3, using: &random) > 0
        try store.write(durability: isFull ? .full : .deferred(within: .seconds(1))) { batch in
          for change in changes {
            if let value = change.value {
              try batch.put(change.key, value, in: keyspace)
            } else {
              try batch.delete(change.key, in: keyspace)
            }
          }
        }
        if isFull { history.acknowledged = history.states.count - 1 }
        if index % 12 == 11 { try store.flush() }
        if index == commits / 2 { try store.compact() }
      }
      // The second part isn't closed: its end is a crash in any case.
      if part == 0 {
        try store.close()
        history.acknowledged = history.states.count - 1
      }
    }
  }

  private func content(_ store: LogStore) throws -> Content {
    guard let keyspace = try store.existingKeyspace("k") else { return [:] }
    let cursor = try store.snapshot().cursor(in: keyspace)
    var content = Content()
    while try cursor.next() { content[unsafe Array(cursor.key)] = unsafe Array(cursor.value) }
    return content
  }

  private func check(_ fileSystem: SimulatedFileSystem, _ history: History, _ run: String) throws {
    let found: Content
    do {
      let store = try open(fileSystem)
      found = try content(store)
      try store.close()
    } catch {
      Issue.record("\(run): \(error)")
      return
    }
    let isPrefix = history.states[history.acknowledged...].contains(found)
    #expect(isPrefix, "\(run): \(history.acknowledged) commits acknowledged")
    // What the open left is whole as well.
    #expect(try content(open(fileSystem.afterKill())) == found, "\(run)")
  }

  private func rehearse(seed: UInt64, commits: Int) throws -> Int {
    let fileSystem = SimulatedFileSystem(seed: seed)
    var history = History()
    try work(fileSystem, seed: seed, commits: commits, &history)
    // Enough happens for the crashes to be worth something: flushes, new logs, tables merged.
    #expect(history.states.count == 2 * commits + 1 && fileSystem.operationCount > 200)
    return fileSystem.operationCount
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aPowerCutAnywhereLosesNothingAcknowledged(seed: UInt64) throws {
    let commits = 40
    let calls = try rehearse(seed: seed, commits: commits)
    // All calls of creating the store and its first commits, then every few.
    let operations = Array(1...min(60, calls)) + Array(stride(from: 61, through: calls, by: 9))
    for operation in operations {
      let fileSystem = SimulatedFileSystem(seed: seed &* 1000 &+ UInt64(operation))
      fileSystem.crash(at: operation)
      var history = History()
      try? work(fileSystem, seed: seed, commits: commits, &history)
      try check(
        fileSystem.afterPowerCut(), history, "seed \(seed), call \(operation) of \(calls)")
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func anErrorOfTheMediumLosesNothingAcknowledged(seed: UInt64) throws {
    let commits = 40
    let calls = try rehearse(seed: seed, commits: commits)
    for operation in stride(from: 1, through: calls, by: 7) {
      let fileSystem = SimulatedFileSystem(seed: seed &* 1000 &+ UInt64(operation))
      fileSystem.fail(at: operation, errno: operation % 2 == 1 ? 28 : 5)
      var history = History()
      try? work(fileSystem, seed: seed, commits: commits, &history)
      let run = "seed \(seed), failed call \(operation) of \(calls)"
      try check(fileSystem.afterPowerCut(), history, run)
    }
  }
}
