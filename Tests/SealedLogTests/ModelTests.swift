import SealedLog
import TestSupport
import Testing

/// The store against a sorted dictionary, with small tables so that every structure is met.
@Suite struct ModelTests {
  struct Model {
    var content: [[UInt8]: [UInt8]] = [:]

    func sortedKeys() -> [[UInt8]] {
      content.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  static func options() -> OpenOptions {
    var options = OpenOptions()
    options.execution = .inline
    options.memtableSize = 64 << 10
    options.cacheLimit = 64 << 10
    options.tableSize = 16 << 10
    options.levelSize = 64 << 10
    options.logSize = 16 << 10
    options.logSizeLimit = 64 << 10
    return options
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func randomOperationsAgreeWithADictionary(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let path = directory.path("s")
    var held: LogStore? = try LogStore.open(
      path: path, unlock: .rawKey(testKey), options: Self.options())
    var store: LogStore { get throws { try #require(held) } }
    var keyspaces = [try store.keyspace("a"), try store.keyspace("b")]
    var models = [Model(), Model()]
    var pinned: [(snapshot: Snapshot, models: [Model])] = []
    for step in 0..<400 {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<12:
        try Self.write(store, keyspaces, &models, &generator)
      case 12:
        try store.flush()
      case 13 where step % 3 == 0:
        try store.compact()
      case 14:
        pinned.append((try store.snapshot(), models))
        if pinned.count > 3 { pinned.removeFirst() }
      case 15:
        pinned = []
        if Bool.random(using: &generator) { try store.close() }
        held = nil
        held = try LogStore.open(
          path: path, unlock: .rawKey(testKey), options: Self.options())
        keyspaces = [try store.keyspace("a"), try store.keyspace("b")]
      case 16:
        try store.lock()
        try store.unlock(.rawKey(testKey))
      default:
        try Self.compare(store.snapshot(), keyspaces, models, &generator, seed: seed)
        if let old = pinned.randomElement(using: &generator) {
          try Self.compare(old.snapshot, keyspaces, old.models, &generator, seed: seed)
        }
      }
    }
    try Self.compare(store.snapshot(), keyspaces, models, &generator, seed: seed)
    try store.close()
  }

  static func key(_ generator: inout SeededGenerator) -> [UInt8] {
    // Short keys, keys that others begin with, and long shared prefixes.
    let length = Int.random(in: 1...12, using: &generator)
    let tail = (0..<length).map { _ in UInt8.random(in: 0...3, using: &generator) }
    return Bool.random(using: &generator) ? tail : Array("shared prefix ".utf8) + tail
  }

  static func write(
    _ store: LogStore, _ keyspaces: [Keyspace], _ models: inout [Model],
    _ generator: inout SeededGenerator
  ) throws {
    let count = Int.random(in: 1...60, using: &generator)
    let durability: Durability =
      Bool.random(using: &generator) ? .full : .deferred(within: .seconds(1))
    var next = models
    try store.write(durability: durability) { batch in
      for _ in 0..<count {
        let which = Int.random(in: 0...1, using: &generator)
        let key = Self.key(&generator)
        if Int.random(in: 0..<4, using: &generator) == 0 {
          try batch.delete(key, in: keyspaces[which])
          next[which].content[key] = nil
        } else {
          let size = [0, 3, 40, 400, 6000].randomElement(using: &generator) ?? 0
          let value = generator.bytes(size)
          try batch.put(key, value, in: keyspaces[which])
          next[which].content[key] = value
        }
      }
    }
    models = next
  }

  static func compare(
    _ snapshot: Snapshot, _ keyspaces: [Keyspace], _ models: [Model],
    _ generator: inout SeededGenerator, seed: UInt64
  ) throws {
    for (keyspace, model) in zip(keyspaces, models) {
      for _ in 0..<20 {
        let key = Self.key(&generator)
        #expect(
          try snapshot.value(for: key, in: keyspace) == model.content[key], "seed \(seed)")
      }
      let keys = model.sortedKeys()
      let cursor = try snapshot.cursor(in: keyspace)
      var found: [[UInt8]] = []
      while try cursor.next() {
        found.append(cursor.keyBytes)
        let isSame = cursor.valueBytes == model.content[cursor.keyBytes]
        #expect(isSame, "seed \(seed)")
      }
      let isWhole = found == keys
      #expect(isWhole, "seed \(seed)")
      found = []
      while try cursor.previous() {
        found.append(cursor.keyBytes)
        let isSame = cursor.valueBytes == model.content[cursor.keyBytes]
        #expect(isSame, "seed \(seed)")
      }
      let isWholeBack = found == keys.reversed()
      #expect(isWholeBack, "seed \(seed)")
      try walk(snapshot, keyspace, keys, &generator, seed: seed)
    }
  }

  /// A cursor over a part, moved to and fro.
  static func walk(
    _ snapshot: Snapshot, _ keyspace: Keyspace, _ keys: [[UInt8]],
    _ generator: inout SeededGenerator, seed: UInt64
  ) throws {
    let bounds = [key(&generator), key(&generator)].sorted { $0.lexicographicallyPrecedes($1) }
    let part = keys.filter {
      !$0.lexicographicallyPrecedes(bounds[0]) && $0.lexicographicallyPrecedes(bounds[1])
    }
    let cursor = try snapshot.cursor(in: keyspace, from: bounds[0], to: bounds[1])
    var position = -1
    if Bool.random(using: &generator) {
      let target = key(&generator)
      let isFound = try cursor.seek(to: target)
      position = part.firstIndex { !$0.lexicographicallyPrecedes(target) } ?? part.count
      #expect(isFound == (position < part.count), "seed \(seed)")
    }
    for _ in 0..<30 {
      if Bool.random(using: &generator) {
        let isFound = try cursor.next()
        position = min(position + 1, part.count)
        #expect(isFound == (position < part.count), "seed \(seed)")
      } else {
        guard position >= 0 else { continue }
        let isFound = try cursor.previous()
        position -= 1
        #expect(isFound == (position >= 0), "seed \(seed)")
      }
      if part.indices.contains(position) {
        #expect(cursor.keyBytes == part[position], "seed \(seed)")
      }
    }
  }
}
