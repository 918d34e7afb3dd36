import SealedCrypto
import SealedFiles
import SealedLog
import TestSupport
import Testing

/// Blobs: written in pieces, read at any place, there with their commit and gone with another.
@Suite struct BlobTests {
  private let fileSystem = SimulatedFileSystem(seed: 1)
  private let store: LogStore
  private let keyspace: Keyspace

  private static func open(
    _ fileSystem: SimulatedFileSystem, _ access: OpenOptions.Access = .readWrite
  ) throws -> LogStore {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.access = access
    return try LogStore.open(path: "/s", unlock: .rawKey(testKey), options: options)
  }

  init() throws {
    store = try Self.open(fileSystem)
    keyspace = try store.keyspace("k")
  }

  private func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return random.bytes(count)
  }

  private func make(_ bytes: [UInt8], exact: Bool = false, piece: Int = 10_000) throws -> BlobID {
    let writer = try store.makeBlob(exact: exact)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try writer.append(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
    let blob = try writer.finish()
    #expect(blob.length == UInt64(bytes.count))
    try store.write { try $0.attach(blob) }
    return blob.id
  }

  private func files(_ medium: SimulatedFileSystem? = nil) throws -> [String] {
    try (medium ?? fileSystem).list("/s-blobs")
  }

  private func reader(_ id: BlobID) throws -> BlobReader {
    try #require(try store.snapshot().blob(id))
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 102_399, 102_400, 102_401, 1_000_000])
  func everySizeIsReadAsWritten(size: Int) throws {
    let bytes = content(size)
    for exact in [false, true] {
      let id = try make(bytes, exact: exact, piece: size / 3 + 1)
      let reader = try reader(id)
      #expect(reader.length == UInt64(size))
      #expect(try reader.bytes() == bytes)
      var random = SeededGenerator(seed: UInt64(size))
      for _ in 0..<30 where size > 0 {
        let start = Int.random(in: 0..<size, using: &random)
        let end = min(size, start + Int.random(in: 0...150_000, using: &random))
        #expect(try reader.bytes(UInt64(start)..<UInt64(end)) == Array(bytes[start..<end]))
      }
      #expect(try reader.bytes(UInt64(size)..<UInt64(size + 10)).isEmpty)
    }
    #expect(try store.verify().isSound)
  }

  @Test func theFileSizeTellsLittle() throws {
    _ = try make(content(100_001))
    _ = try make(content(100_300))
    let sizes = try files().map { try #require(try fileSystem.status("/s-blobs/\($0)")?.size) }
    #expect(Set(sizes).count == 1)
    #expect(sizes[0] < 112_001)
  }

  @Test func whatIsNotCommittedIsNotThere() throws {
    var writer: BlobWriter? = try store.makeBlob()
    try writer?.append([1, 2, 3])
    #expect(try files().count == 1)
    writer = nil
    #expect(try files().isEmpty)
    var blob: PendingBlob? = try store.makeBlob().finish()
    #expect(throws: CancellationError.self) {
      try store.write { batch in
        if let blob { try batch.attach(blob) }
        throw CancellationError()
      }
    }
    #expect(try files().count == 1)
    blob = nil
    #expect(try files().isEmpty)
    let unfinished = try store.makeBlob()
    try unfinished.append([1])
    try store.close()
    #expect(try files().isEmpty)
    do {
      _ = try unfinished.finish()
      Issue.record("finished on a closed store")
    } catch { #expect(error.code == .closed) }
  }

  @Test func aRemovedOneStaysForItsSnapshots() throws {
    let bytes = content(200_000)
    let id = try make(bytes)
    var snapshot: Snapshot? = try store.snapshot()
    try store.write { $0.removeBlob(id) }
    try store.write { try $0.put([1], [1], in: keyspace) }
    #expect(try store.snapshot().blob(id) == nil)
    var reader = try snapshot?.blob(id)
    snapshot = nil
    try store.flush()
    #expect(try reader?.bytes() == bytes)
    #expect(try files().count == 1)
    reader = nil
    try store.write { try $0.put([1], [2], in: keyspace) }
    #expect(try files().isEmpty)
    // A second removal does nothing.
    try store.write { $0.removeBlob(id) }
    #expect(try store.verify().isSound)
  }

  @Test func theyOutlastReopeningAndLocking() throws {
    let bytes = content(300_000)
    let id = try make(bytes)
    let before = try reader(id)
    #expect(try before.bytes(0..<10) == Array(bytes[0..<10]))
    try store.lock()
    do {
      _ = try before.bytes(0..<10)
      Issue.record("read from a locked store")
    } catch { #expect(error.code == .locked) }
    try store.unlock(.rawKey(testKey))
    #expect(try before.bytes() == bytes)
    let killed = try Self.open(fileSystem.afterKill())
    #expect(try killed.snapshot().blob(id)?.bytes() == bytes)
    try store.close()
    let closed = try Self.open(fileSystem, .readOnly)
    #expect(try closed.snapshot().blobIDs() == [id])
    #expect(try closed.snapshot().blob(id)?.bytes() == bytes)
  }

  @Test func aKillLeavesNoFileThatNothingNames() throws {
    let id = try make(content(100))
    let lost = try store.makeBlob()
    try lost.append(content(100_000))
    let unattached = try store.makeBlob().finish()
    #expect(try files().count == 3)
    let medium = fileSystem.afterKill()
    let again = try Self.open(medium)
    #expect(try files(medium).count == 1)
    #expect(try again.snapshot().blobIDs() == [id])
    #expect(try again.verify().isSound)
    #expect(unattached.length == 0)
  }

  @Test func damageIsFoundAndConfined() throws {
    let (first, second) = (try make(content(150_000)), try make(content(150_000, seed: 2)))
    let other = try make([7])
    try store.close()
    let names = try files()
    #expect(names.count == 3)
    func expectDamage(_ medium: SimulatedFileSystem, _ count: Int, _ what: String) throws {
      let store = try Self.open(medium, .readOnly)
      let snapshot = try store.snapshot()
      var damaged = 0
      for id in [first, second, other] {
        do { _ = try snapshot.blob(id)?.bytes() } catch {
          #expect(error.code == .damaged && error.file?.hasPrefix("/s-blobs/") == true)
          damaged += 1
        }
      }
      #expect(damaged == count, "\(what): \(damaged)")
      let report = try store.verify()
      #expect(report.damages.count == count, "\(what)")
      #expect(report.damages.allSatisfy { $0.message.contains("blob ") })
    }
    let large = try names.filter { try (fileSystem.status("/s-blobs/\($0)")?.size ?? 0) > 1_000 }
    for place in [0, 40, 100, 128, 70_000, 131_300, 150_100] {
      let medium = fileSystem.afterKill()
      medium.damage("/s-blobs/\(large[0])") { $0[place] ^= 1 }
      try expectDamage(medium, 1, "a bit at \(place)")
    }
    let swapped = fileSystem.afterKill()
    var contents: [[UInt8]] = [[], []]
    for index in 0...1 { swapped.damage("/s-blobs/\(large[index])") { contents[index] = $0 } }
    for index in 0...1 { swapped.damage("/s-blobs/\(large[index])") { $0 = contents[1 - index] } }
    try expectDamage(swapped, 2, "swapped")
    let chunks = fileSystem.afterKill()
    chunks.damage("/s-blobs/\(large[1])") { bytes in
      let (a, b) = (Array(bytes[128..<65_680]), Array(bytes[65_680..<131_232]))
      bytes.replaceSubrange(128..<131_232, with: b + a)
    }
    try expectDamage(chunks, 1, "chunks swapped")
    let short = fileSystem.afterKill()
    short.damage("/s-blobs/\(large[0])") { $0.removeLast() }
    try expectDamage(short, 1, "truncated")
    let missing = fileSystem.afterKill()
    try missing.unlink("/s-blobs/\(large[0])")
    try expectDamage(missing, 1, "missing")
    let stray = fileSystem.afterKill()
    _ = try stray.create("/s-blobs/notes.txt")
    #expect(try Self.open(stray, .readOnly).verify().strays.count == 1)
  }

  @Test func rotationRewritesThem() throws {
    let bytes = content(100_000)
    let id = try make(bytes)
    let before = try files()
    let reader = try reader(id)
    let newKey = SecretBytes([UInt8](repeating: 9, count: 32))
    try store.addKeySlot(.rawKey(newKey))
    try store.rotateStoreKey(credentials: [.rawKey(newKey)])
    #expect(try reader.bytes() == bytes)
    #expect(try store.snapshot().blob(id)?.bytes() == bytes)
    #expect(Set(try files()).subtracting(before).count == 1)
  }

  @Test func erasingTakesThemAndNothingElse() throws {
    _ = try make(content(1_000))
    try store.close()
    var options = OpenOptions()
    options.fileSystem = fileSystem
    let foreign = fileSystem.afterKill()
    _ = try foreign.create("/s-blobs/notes.txt")
    try LogStore.erase(path: "/s", options: options)
    #expect(try fileSystem.list("/").isEmpty)
    options.fileSystem = foreign
    try LogStore.erase(path: "/s", options: options)
    #expect(try foreign.list("/s-blobs") == ["notes.txt"])
  }
}
