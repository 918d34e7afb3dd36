import SealedCrypto
import SealedFiles
import SealedLog
import TestSupport
import Testing

/// Backups of a store in use, restored, brought up to date; clones.
@Suite struct BackupTests {
  private let fileSystem = SimulatedFileSystem(seed: 1)
  private let store: LogStore
  private let keyspace: Keyspace

  private static func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.memtableSize = 32 << 10
    options.tableSize = 16 << 10
    return options
  }

  private static func open(
    _ path: String, _ fileSystem: SimulatedFileSystem, key: Credential = .rawKey(testKey)
  ) throws -> LogStore {
    var options = options(fileSystem)
    options.creation = .never
    return try LogStore.open(path: path, unlock: key, options: options)
  }

  init() throws {
    store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: Self.options(fileSystem))
    keyspace = try store.keyspace("k")
  }

  private func put(_ range: Range<UInt8>, _ value: UInt8) throws {
    for index in range {
      try store.write {
        try $0.put([index], [UInt8](repeating: value, count: 1_000), in: keyspace)
      }
    }
  }

  private func makeBlob(_ count: Int) throws -> BlobID {
    let writer = try store.makeBlob()
    try writer.append([UInt8](repeating: 3, count: count))
    let blob = try writer.finish()
    try store.write { try $0.attach(blob) }
    return blob.id
  }

  private func expect(
    _ path: String, _ medium: SimulatedFileSystem, count: Int, value: UInt8, blobs: [BlobID],
    key: Credential = .rawKey(testKey)
  ) throws {
    let copy = try Self.open(path, medium, key: key)
    let snapshot = try copy.snapshot()
    let keyspace = try #require(try copy.existingKeyspace("k"))
    var found = 0
    let cursor = try snapshot.cursor(in: keyspace)
    while try cursor.next() {
      #expect(cursor.valueBytes == [UInt8](repeating: value, count: 1_000))
      found += 1
    }
    #expect(found == count)
    #expect(Set(try snapshot.blobIDs()) == Set(blobs))
    for id in blobs { #expect(try snapshot.blob(id)?.bytes().allSatisfy { $0 == 3 } == true) }
    #expect(try copy.verify().isSound)
    // It is a store like any other.
    try copy.write { try $0.put([255], [1], in: keyspace) }
    try copy.close()
  }

  @Test(arguments: [false, true]) func aBackupIsAWholeStore(independent: Bool) throws {
    try put(0..<100, 1)
    let blob = try makeBlob(100_000)
    let report = try store.backup(to: "/b", independent: independent)
    #expect((report.linkedFiles > 0) == !independent && (report.copiedFiles > 0) == independent)
    // What comes later isn't in it, what goes later is.
    try put(0..<120, 2)
    try store.write { $0.removeBlob(blob) }
    try store.compact()
    try store.close()
    try expect("/b", fileSystem, count: 100, value: 1, blobs: [blob])
    try expect("/s", fileSystem, count: 120, value: 2, blobs: [])
  }

  @Test func aSecondRunCopiesWhatIsNew() throws {
    try put(0..<100, 1)
    let first = try makeBlob(70_000)
    let full = try store.backup(to: "/b", independent: true)
    try put(200..<203, 1)
    let second = try makeBlob(10)
    let next = try store.backup(to: "/b", independent: true)
    #expect(next.keptFiles > 0 && next.copiedBytes < full.copiedBytes / 3)
    try put(0..<100, 1)
    try store.compact()
    try store.write { $0.removeBlob(first) }
    let last = try store.backup(to: "/b")
    #expect(last.removedFiles > 0)
    try store.close()
    try expect("/b", fileSystem, count: 103, value: 1, blobs: [second])
  }

  @Test func aBackupThatWentOnByItselfIsNotOverwritten() throws {
    try put(0..<40, 1)
    try store.backup(to: "/b")
    let branch = try Self.open("/b", fileSystem)
    let keyspace = try #require(try branch.existingKeyspace("k"))
    for index in 0..<100 as Range<UInt8> {
      try branch.write {
        try $0.put([index], [UInt8](repeating: 7, count: 1_000), in: keyspace)
      }
    }
    try branch.close()
    try put(0..<200, 2)
    do {
      try store.backup(to: "/b")
      Issue.record("a branch was overwritten")
    } catch { #expect(error.code == .invalidArgument) }
    let again = try Self.open("/b", fileSystem)
    #expect(try again.snapshot().value(for: [99], in: keyspace)?.first == 7)
  }

  @Test func itIsRestoredWhereTheStoreWas() throws {
    try put(0..<50, 1)
    let blob = try makeBlob(5_000)
    try store.backup(to: "/b")
    try store.close()
    var options = Self.options(fileSystem)
    func restore(_ key: Credential = .rawKey(testKey)) throws {
      try LogStore.restore(from: "/b", to: "/s", unlock: key, options: options)
    }
    do {
      try restore()
      Issue.record("restored over a store")
    } catch let error as StoreError { #expect(error.code == .invalidArgument) }
    try LogStore.erase(path: "/s", options: options)
    do {
      try restore(.rawKey(SecretBytes([UInt8](repeating: 1, count: 32))))
      Issue.record("restored with a wrong key")
    } catch let error as StoreError { #expect(error.code == .wrongKey) }
    try restore()
    try expect("/s", fileSystem, count: 50, value: 1, blobs: [blob])
    // A damaged backup is refused before anything is made.
    let medium = fileSystem.afterKill()
    let table = try #require(try medium.list("/b-log").first { $0.hasPrefix("t-") })
    medium.damage("/b-log/\(table)") { $0[300] ^= 1 }
    options.fileSystem = medium
    try LogStore.erase(path: "/s", options: options)
    do {
      try restore()
      Issue.record("restored a damaged backup")
    } catch let error as StoreError { #expect(error.code == .damaged) }
    #expect(try medium.status("/s") == nil)
  }

  @Test func aCrashLeavesTheLastBackupOrTheNew() throws {
    try put(0..<60, 1)
    try store.backup(to: "/b")
    try put(0..<80, 2)
    fileSystem.recordCrashes()
    try store.backup(to: "/b")
    try store.backup(to: "/c")
    for image in fileSystem.crashImages {
      let medium = image.afterPowerCut(seed: UInt64(image.operation))
      let copy = try Self.open("/b", medium)
      let keyspace = try #require(try copy.existingKeyspace("k"))
      let snapshot = try copy.snapshot()
      let value = try #require(try snapshot.value(for: [0], in: keyspace)).first
      #expect(value == 1 || value == 2, "\(image.call)")
      #expect((try snapshot.value(for: [79], in: keyspace) != nil) == (value == 2))
      #expect(try copy.verify().damages.isEmpty, "\(image.call)")
      // The store itself is as it was.
      let own = try Self.open("/s", medium)
      #expect(try own.snapshot().value(for: [79], in: keyspace)?.first == 2, "\(image.call)")
    }
    #expect(fileSystem.crashImages.count > 30)
  }

  @Test func anotherStoreIsNotOverwritten() throws {
    let other = try LogStore.open(
      path: "/o", unlock: .rawKey(testKey), options: Self.options(fileSystem))
    try other.close()
    for path in ["/o", "/s"] {
      do {
        try store.backup(to: path)
        Issue.record("overwritten")
      } catch { #expect(error.code == .invalidArgument) }
    }
  }

  @Test func aCloneHasAKeyAndAnIdentityOfItsOwn() throws {
    try put(0..<100, 1)
    let blob = try makeBlob(100_000)
    let key = Credential.rawKey(SecretBytes([UInt8](repeating: 9, count: 32)))
    try store.clone(to: "/c", unlock: key, options: Self.options(fileSystem))
    #expect(try Self.open("/c", fileSystem, key: key).id != store.id)
    try expect("/c", fileSystem, count: 100, value: 1, blobs: [blob], key: key)
  }
}
