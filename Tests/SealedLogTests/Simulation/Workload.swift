import SealedCrypto
import SealedLog
import TestSupport

/// Random work on a store in a simulated medium, beside a plain model of what it must hold.
struct Workload {
  /// Keys and values by keyspace; an empty keyspace is as good as none.
  typealias Content = [String: [[UInt8]: [UInt8]]]

  /// What happened, by the calls that the medium had counted.
  struct History {
    /// The content after each step, the empty store first, and how many calls there were when the
    /// step began.
    var states: [(content: Content, begunAt: Int)] = [([:], 0)]
    /// Steps that were acknowledged, with the calls counted by then.
    var acknowledged: [(step: Int, calls: Int)] = [(0, 0)]

    /// The contents that a crash in a call may leave.
    func allowed(at operation: Int) -> ArraySlice<Content> {
      let first = acknowledged.last { $0.calls < operation }?.step ?? 0
      let last = states.lastIndex { $0.begunAt < operation } ?? 0
      return states[first...max(first, last)].map(\.content)[...]
    }

    /// The contents that may be there at the end, where the last step may have failed.
    var allowedAtEnd: ArraySlice<Content> { allowed(at: .max) }
  }

  /// Something that no store should show.
  struct Surprise: Error {}

  static let path = "/s"
  static let names = ["a", "b", "c"]
  /// Under this name the contents have the blobs, by their ids.
  static let blobName = "blobs"
  /// Begins every key and value: found in no file.
  static let marker = Array("PLAINTEXT".utf8)

  let seed: UInt64
  let steps: Int
  let durability: Durability
  var random: SeededGenerator
  var history = History()
  /// The content as of the last step, whether it was acknowledged or not.
  private var content: Content = [:]
  private var key = Workload.firstKey
  private var rotations: UInt8 = 0

  static let firstKey = SecretBytes([UInt8](repeating: 7, count: 32))

  /// Even seeds commit durably, odd ones mix in deferred commits.
  init(seed: UInt64, steps: Int) {
    self.seed = seed
    self.steps = steps
    random = SeededGenerator(seed: seed)
    durability = seed % 2 == 0 ? .full : .deferred(within: .seconds(3600))
  }

  func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    // Small, so that every structure is met; differently, so that they meet in other orders.
    options.memtableSize = [8, 16, 64][Int(seed % 3)] << 10
    options.logSize = 4 << 10
    options.logSizeLimit = [8, 16][Int(seed / 2 % 2)] << 10
    options.tableSize = 8 << 10
    options.levelSize = 16 << 10
    options.cacheLimit = 64 << 10
    return options
  }

  /// Opens a store that a crash left: with the first key, unless a rotation's is in force.
  func open(_ fileSystem: SimulatedFileSystem) throws -> LogStore {
    for rotation in 0...rotations {
      do {
        return try LogStore.open(
          path: Self.path, unlock: .rawKey(Self.key(rotation)), options: options(fileSystem))
      } catch {
        guard error.code == .wrongKey, rotation < rotations else { throw error }
      }
    }
    return try LogStore.open(
      path: Self.path, unlock: .rawKey(Self.key(rotations)), options: options(fileSystem))
  }

  static func key(_ rotation: UInt8) -> SecretBytes {
    rotation == 0 ? firstKey : SecretBytes([UInt8](repeating: 100 + rotation, count: 32))
  }

  /// Everything that a store holds.
  static func content(_ store: LogStore) throws -> Content {
    var content = Content()
    let snapshot = try store.snapshot()
    for name in names {
      guard let keyspace = try store.existingKeyspace(name) else { continue }
      let cursor = try snapshot.cursor(in: keyspace)
      while try cursor.next() { content[name, default: [:]][cursor.keyBytes] = cursor.valueBytes }
    }
    for id in try snapshot.blobIDs() {
      content[blobName, default: [:]][id.bytes] = try snapshot.blob(id)?.bytes()
    }
    return content
  }

  // MARK: Work

  /// Works until a step fails or all are done; ends as a process that is killed.
  mutating func run(_ fileSystem: SimulatedFileSystem) throws {
    var store = try open(fileSystem)
    for step in 0..<steps {
      if Int.random(in: 0..<40, using: &random) == 0 {
        try store.close()
        acknowledge(fileSystem)
        store = try open(fileSystem)
      }
      try work(store, fileSystem, step: step)
    }
  }

  private mutating func work(
    _ store: LogStore, _ fileSystem: SimulatedFileSystem, step: Int
  ) throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60: try commit(store, fileSystem)
    case 60..<66: try makeBlob(store, fileSystem)
    case 66..<70: try removeBlob(store, fileSystem)
    case 70..<76: try deleteRange(store, fileSystem)
    case 76..<80: try transact(store, fileSystem)
    case 80..<86: try store.flush()
    case 86..<88: try store.compact()
    case 88..<91: try dropOrReplace(store, fileSystem)
    case 91..<93:
      try store.sync()
      acknowledge(fileSystem)
    case 93..<95:
      try store.lock()
      try store.unlock(.rawKey(key))
    case 95..<97:
      let id = try store.addKeySlot(.rawKey(SecretBytes([UInt8](repeating: 50, count: 32))))
      try store.removeKeySlot(id)
    case 97 where rotations < 2:
      // Either key may be in force from here on.
      rotations += 1
      key = Self.key(rotations)
      let id = try store.addKeySlot(.rawKey(key))
      try store.rotateStoreKey(credentials: [.rawKey(key)])
      guard store.keySlots.map(\.id) == [id] else { throw Surprise() }
    default: _ = try store.snapshot()
    }
  }

  private mutating func randomKey() -> [UInt8] {
    Self.marker + random.bytes(Int.random(in: 1...2, using: &random)).map { $0 % 16 }
  }

  private mutating func randomValue() -> [UInt8] {
    Self.marker + random.bytes([0, 10, 100, 700][Int.random(in: 0...3, using: &random)])
  }

  private mutating func begin(_ next: Content, _ fileSystem: SimulatedFileSystem) {
    content = next
    history.states.append((next, fileSystem.operationCount))
  }

  private mutating func acknowledge(_ fileSystem: SimulatedFileSystem) {
    history.acknowledged.append((history.states.count - 1, fileSystem.operationCount))
  }

  private mutating func commit(_ store: LogStore, _ fileSystem: SimulatedFileSystem) throws {
    var next = content
    var changes: [(name: String, key: [UInt8], value: [UInt8]?)] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
      let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : randomValue()
      changes.append((name, randomKey(), value))
    }
    for change in changes { next[change.name, default: [:]][change.key] = change.value }
    let keyspaces = try store.keyspaces(Self.names)
    begin(Self.normal(next), fileSystem)
    let isFull = durability == .full || Int.random(in: 0..<3, using: &random) == 0
    try store.write(durability: isFull ? .full : durability) { batch in
      for change in changes {
        guard let index = Self.names.firstIndex(of: change.name) else { continue }
        if let value = change.value {
          try batch.put(change.key, value, in: keyspaces[index])
        } else {
          try batch.delete(change.key, in: keyspaces[index])
        }
      }
    }
    if isFull { acknowledge(fileSystem) }
  }

  private mutating func deleteRange(_ store: LogStore, _ fileSystem: SimulatedFileSystem) throws {
    let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
    let bounds = [randomKey(), randomKey()].sorted { $0.lexicographicallyPrecedes($1) }
    let lower = Bool.random(using: &random) ? bounds[0] : nil
    let upper = Bool.random(using: &random) ? bounds[1] : nil
    let (key, value) = (randomKey(), randomValue())
    var next = content
    for key in (next[name] ?? [:]).keys
    where lower.map({ !key.lexicographicallyPrecedes($0) }) ?? true
      && upper.map({ key.lexicographicallyPrecedes($0) }) ?? true
    {
      next[name]?[key] = nil
    }
    next[name, default: [:]][key] = value
    let keyspace = try store.keyspace(name)
    begin(Self.normal(next), fileSystem)
    try store.write { batch in
      // What the batch puts before is deleted with the rest, what it puts behind stays.
      if let lower, lower != upper { try batch.put(lower, [1], in: keyspace) }
      try batch.deleteRange(from: lower, to: upper, in: keyspace)
      try batch.put(key, value, in: keyspace)
    }
    acknowledge(fileSystem)
  }

  private mutating func transact(_ store: LogStore, _ fileSystem: SimulatedFileSystem) throws {
    let (key, value) = (randomKey(), randomValue())
    let keyspace = try store.keyspace(Self.names[0])
    var next = content
    next[Self.names[0], default: [:]][key] = value
    begin(next, fileSystem)
    try store.transaction { transaction in
      _ = try transaction.value(for: key, in: keyspace)
      transaction.put(key, value, in: keyspace)
    }
    acknowledge(fileSystem)
  }

  private mutating func makeBlob(_ store: LogStore, _ fileSystem: SimulatedFileSystem) throws {
    let bytes =
      Self.marker + random.bytes([10, 3_000, 66_000][Int.random(in: 0...2, using: &random)])
    let writer = try store.makeBlob(exact: Bool.random(using: &random))
    try writer.append(bytes)
    // Some are never committed.
    if Int.random(in: 0..<5, using: &random) == 0 { return }
    let blob = try writer.finish()
    var next = content
    next[Self.blobName, default: [:]][blob.id.bytes] = bytes
    begin(next, fileSystem)
    try store.write { try $0.attach(blob) }
    acknowledge(fileSystem)
  }

  private mutating func removeBlob(_ store: LogStore, _ fileSystem: SimulatedFileSystem) throws {
    let present = (content[Self.blobName] ?? [:]).keys
      .sorted { $0.lexicographicallyPrecedes($1) }
    guard let key = present.randomElement(using: &random), let id = BlobID(bytes: key) else {
      return
    }
    var next = content
    next[Self.blobName]?[key] = nil
    begin(Self.normal(next), fileSystem)
    try store.write { $0.removeBlob(id) }
    acknowledge(fileSystem)
  }

  private mutating func dropOrReplace(
    _ store: LogStore, _ fileSystem: SimulatedFileSystem
  ) throws {
    var next = content
    guard let b = try store.existingKeyspace("b"), let c = try store.existingKeyspace("c") else {
      return
    }
    let replaces = Bool.random(using: &random)
    next["b"] = replaces ? next["c"] : nil
    if replaces { next["c"] = nil }
    begin(Self.normal(next), fileSystem)
    if replaces { try store.replaceKeyspace(b, by: c) } else { try store.dropKeyspace(b) }
    acknowledge(fileSystem)
  }

  static func normal(_ content: Content) -> Content { content.filter { !$0.value.isEmpty } }
}
