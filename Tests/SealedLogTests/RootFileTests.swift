import SealedCrypto
import SealedFiles
import SealedLog
import TestSupport
import Testing

/// What a root file that isn't as it was written gets: five different codes, and no file touched.
@Suite struct RootFileTests {
  private func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.creation = .never
    return options
  }

  private func makeStore() throws -> SimulatedFileSystem {
    let fileSystem = SimulatedFileSystem(seed: 3)
    var options = options(fileSystem)
    options.creation = .always
    let store = try LogStore.open(path: "/s", unlock: .rawKey(testKey), options: options)
    let keyspace = try store.keyspace("k")
    try store.write { try $0.put([1], [2], in: keyspace) }
    try store.close()
    return fileSystem.afterKill()
  }

  /// Opens a store whose root was changed, and looks at whether anything was written.
  private func code(
    _ fileSystem: SimulatedFileSystem, key: SecretBytes = testKey
  ) -> StoreError.Code? {
    let before = contents(fileSystem)
    var code: StoreError.Code?
    do throws(StoreError) {
      try LogStore.open(path: "/s", unlock: .rawKey(key), options: options(fileSystem)).close()
    } catch {
      code = error.code
    }
    #expect(contents(fileSystem) == before, "a refused open changed a file")
    return code
  }

  private func contents(_ fileSystem: SimulatedFileSystem) -> [[UInt8]] {
    let names = (try? fileSystem.list("/s-log")) ?? []
    return (["/s"] + names.filter { $0 != "LOCK" }.map { "/s-log/" + $0 }).map { path in
      var bytes: [UInt8] = []
      fileSystem.damage(path) { bytes = $0 }
      return bytes
    }
  }

  @Test func anotherKeyIsWrong() throws {
    let other = SecretBytes([UInt8](repeating: 9, count: 32))
    #expect(code(try makeStore(), key: other) == .wrongKey)
  }

  @Test func twoBrokenCopiesAreDamage() throws {
    let fileSystem = try makeStore()
    fileSystem.damage("/s") { bytes in
      bytes[100] ^= 1
      bytes[65_536 + 100] ^= 1
    }
    #expect(code(fileSystem) == .damaged)
  }

  @Test func aRootMadeWithoutTheStoreKeyIsTampering() throws {
    let fileSystem = try makeStore()
    var root: [UInt8] = []
    fileSystem.damage("/s") { root = Array($0[0..<RootCopy.byteCount]) }
    guard case .good(var copy) = try RootCopy.read(root, magic: Array(root[0..<8])) else {
      Issue.record("the root doesn't read")
      return
    }
    // Everything that can be made without the store key is right: layout and checksum.
    copy.manifestNumber += 1
    copy.generation += 1
    let forged = try copy.encoded(storeKey: SecretBytes([UInt8](repeating: 1, count: 32)))
    fileSystem.damage("/s") { bytes in
      bytes.replaceSubrange(0..<forged.count, with: forged)
      bytes.replaceSubrange(65_536..<65_536 + forged.count, with: forged)
    }
    #expect(code(fileSystem) == .tampered)
  }

  @Test func aNewerFormatIsSaid() throws {
    let fileSystem = try makeStore()
    fileSystem.damage("/s") { bytes in
      bytes[8] = 2
      bytes[65_536 + 8] = 2
    }
    #expect(code(fileSystem) == .newerFormat)
  }

  @Test func anotherFileIsNoStore() throws {
    let fileSystem = try makeStore()
    fileSystem.damage("/s") { $0 = Array("a letter, not a store".utf8) }
    #expect(code(fileSystem) == .notAStore)
  }

  @Test func oneBrokenCopyIsMended() throws {
    let fileSystem = try makeStore()
    fileSystem.damage("/s") { $0[100] ^= 1 }
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem))
    #expect(try store.verify().isSound)
    try store.close()
  }

  @Test func anErasedStoreOpensNoMore() throws {
    let fileSystem = try makeStore()
    try LogStore.erase(path: "/s", options: options(fileSystem))
    #expect(try fileSystem.status("/s") == nil)
    #expect(try fileSystem.status("/s-log") == nil)
    #expect(code(fileSystem) == .notAStore)
    try LogStore.erase(path: "/s", options: options(fileSystem))
  }
}
