import SealedLog
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A store that was put back to an earlier state, forked, damaged, or that belongs to another process.
@Suite struct AnchorTests {
  private func options(
    _ fileSystem: SimulatedFileSystem, _ anchor: StoreAnchor? = nil,
    access: OpenOptions.Access = .readWrite
  ) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.minimumAnchor = anchor
    options.access = access
    return options
  }

  private func open(
    _ fileSystem: SimulatedFileSystem, _ anchor: StoreAnchor? = nil,
    access: OpenOptions.Access = .readWrite
  ) throws -> LogStore {
    try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem, anchor, access: access))
  }

  private func put(_ store: LogStore, _ byte: UInt8, _ durability: Durability = .full) throws {
    let keyspace = try store.keyspace("k")
    try store.write(durability: durability) { try $0.put([byte], [byte], in: keyspace) }
  }

  private func expect(
    _ code: StoreError.Code, _ medium: SimulatedFileSystem, _ anchor: StoreAnchor
  ) {
    for access in [.readOnly, .readWrite] as [OpenOptions.Access] {
      do {
        _ = try open(medium.afterKill(), anchor, access: access)
        Issue.record("opened; expected \(code)")
      } catch let error as StoreError { #expect(error.code == code) } catch {
        Issue.record(error)
      }
    }
  }

  @Test func aStoreThatWentOnIsAccepted() throws {
    let medium = SimulatedFileSystem(seed: 1)
    var anchors: [StoreAnchor] = []
    for round in 0..<4 as Range<UInt8> {
      let store = try open(medium)
      anchors.append(try #require(store.anchor))
      try put(store, round)
      let anchor = try #require(store.anchor)
      #expect(StoreAnchor(bytes: anchor.bytes) == anchor && anchor.bytes.count == 28)
      anchors.append(anchor)
      if round % 2 == 0 { try store.close() }
      if round % 2 == 1 { _ = consume store }
    }
    for anchor in anchors {
      _ = try open(medium.afterKill(), anchor)
      let reader = try open(medium.afterKill(), anchor, access: .readOnly)
      let attested = try #require(reader.anchor)
      #expect(attested.commit <= anchors[anchors.count - 1].commit)
    }
  }

  @Test func anEarlierStateIsRefused() throws {
    let medium = SimulatedFileSystem(seed: 1)
    let store = try open(medium)
    try put(store, 1)
    let earlier = medium.afterKill()
    try put(store, 2)
    let anchor = try #require(store.anchor)
    expect(.rolledBack, earlier, anchor)
    try store.close()
    let next = try open(medium)
    try put(next, 3)
    expect(.rolledBack, earlier, try #require(next.anchor))
  }

  @Test func aBranchIsToldApart() throws {
    let medium = SimulatedFileSystem(seed: 1)
    let store = try open(medium)
    try put(store, 1)
    let copy = medium.afterKill()
    try put(store, 2)
    let anchor = try #require(store.anchor)
    // The copy goes on from before the anchor.
    let branch = try open(copy)
    try put(branch, 3)
    try put(branch, 4)
    expect(.forked, copy, anchor)
    // Of two opens with one number each has its own lineage.
    try store.close()
    let next = try open(medium)
    try put(next, 5)
    expect(.forked, copy, try #require(next.anchor))
  }

  @Test func deferredCommitsAreNotInTheAnchor() throws {
    let store = try open(SimulatedFileSystem(seed: 1))
    try put(store, 1)
    let anchor = try #require(store.anchor)
    try put(store, 2, .deferred(within: .seconds(100)))
    #expect(store.anchor == anchor)
    try store.sync()
    #expect(store.anchor?.commit == anchor.commit + 1)
  }

  @Test func upToDamageAnswersAsOfTheCommitBefore() throws {
    let medium = SimulatedFileSystem(seed: 1)
    let store = try open(medium)
    for byte in 1...9 as ClosedRange<UInt8> { try put(store, byte) }
    let copy = medium.afterKill()
    let log = try #require(try copy.list("/s-log").last { $0.hasPrefix("l-") })
    // The frames are 128 bytes or so each, behind a header of as many.
    copy.damage("/s-log/\(log)") { $0[128 + 560] ^= 1 }
    do {
      _ = try open(copy)
      Issue.record("opened a damaged store")
    } catch let error as StoreError { #expect(error.code == .damaged) }
    var options = options(copy)
    options.recovery = .upToDamage
    let reader = try LogStore.open(path: "/s", unlock: .rawKey(testKey), options: options)
    let damage = try #require(reader.recovery.damage)
    #expect(damage.file == "/s-log/\(log)" && damage.offset != nil)
    let keyspace = try #require(try reader.existingKeyspace("k"))
    let snapshot = try reader.snapshot()
    let found = try (1...9).filter { try snapshot.value(for: [$0], in: keyspace) == [$0] }
    #expect(!found.isEmpty && found.count < 9 && found == Array(1...UInt8(found.count)))
    do {
      try reader.write { try $0.put([1], [1], in: keyspace) }
      Issue.record("written")
    } catch let error as StoreError { #expect(error.code == .readOnly) }
  }

  @Test func aForkedChildIsRefused() throws {
    let directory = try TemporaryDirectory()
    let store = try LogStore.open(path: directory.path("s"), unlock: .rawKey(testKey))
    let keyspace = try store.keyspace("k")
    try store.write { try $0.put([1], [1], in: keyspace) }
    // Swift hides fork, since a child may do little; this one asks once and ends.
    typealias Fork = @convention(c) () -> Int32
    guard let symbol = unsafe dlsym(nil, "fork") else {
      Issue.record("no fork")
      return
    }
    let fork = unsafe unsafeBitCast(symbol, to: Fork.self)
    let child = fork()
    if child == 0 {
      var code: Int32 = 1
      do { _ = try store.snapshot() } catch { code = error.code == .storeInUse ? 7 : 2 }
      _exit(code)
    }
    var status: Int32 = 0
    #expect(unsafe waitpid(child, &status, 0) == child)
    #expect(status >> 8 == 7, "the child ended with \(status)")
    #expect(try store.snapshot().value(for: [1], in: keyspace) == [1])
    try store.close()
  }
}
