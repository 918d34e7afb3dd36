import SealedCrypto
import SealedLog
import TestSupport
import Testing

/// Key slots: added, changed, taken away; the store key rotated.
@Suite struct KeyChangeTests {
  private let fileSystem = SimulatedFileSystem(seed: 1)

  private func key(_ byte: UInt8) -> Credential {
    .rawKey(SecretBytes([UInt8](repeating: byte, count: 32)))
  }

  private func open(
    _ credential: Credential, _ medium: SimulatedFileSystem? = nil
  ) throws -> LogStore {
    var options = OpenOptions()
    options.fileSystem = medium ?? fileSystem
    options.execution = .inline
    return try LogStore.open(path: "/s", unlock: credential, options: options)
  }

  private func expectWrongKey(_ credential: Credential, _ medium: SimulatedFileSystem? = nil) {
    do {
      _ = try open(credential, medium)
      Issue.record("opened")
    } catch let error as StoreError { #expect(error.code == .wrongKey) } catch {
      Issue.record(error)
    }
  }

  @Test func eachSlotOpensAndATakenOneDoesNot() throws {
    let store = try open(key(1))
    let second = try store.addKeySlot(key(2))
    let third = try store.addKeySlot(
      .passphrase(
        SecretBytes(Array("correct horse".utf8)), derivation: PassphraseDerivation(unchecked: 1_000)
      ))
    #expect(store.keySlots.map(\.kind) == [.rawKey, .rawKey, .passphrase])
    try store.changeKeySlot(second, to: key(3))
    try store.close()
    for credential in [
      key(1), key(3),
      .passphrase(
        SecretBytes(Array("correct horse".utf8)), derivation: PassphraseDerivation(unchecked: 1_000)
      ),
    ] { try open(credential).close() }
    expectWrongKey(key(2))
    let again = try open(key(3))
    try again.removeKeySlot(1)
    try again.removeKeySlot(third)
    do {
      try again.removeKeySlot(second)
      Issue.record("the last slot was removed")
    } catch { #expect(error.code == .invalidArgument) }
    try again.close()
    expectWrongKey(key(1))
    try open(key(3)).close()
  }

  @Test func thereAreEightSlotsAndARuntimesStandsAlone() throws {
    let store = try open(key(1))
    for number in 2...8 as ClosedRange<UInt8> { try store.addKeySlot(key(number)) }
    for credential in [key(9), .runtime { _ in SecretBytes([UInt8](repeating: 1, count: 32)) }] {
      do {
        try store.addKeySlot(credential)
        Issue.record("a ninth slot")
      } catch { #expect([.limitExceeded, .invalidArgument].contains(error.code)) }
    }
    for number in 2...8 as ClosedRange<UInt32> { try store.removeKeySlot(number) }
    do {
      try store.addKeySlot(.runtime { _ in SecretBytes([UInt8](repeating: 1, count: 32)) })
      Issue.record("a runtime's slot beside another")
    } catch { #expect(error.code == .invalidArgument) }
    try store.changeKeySlot(1, to: .runtime { _ in SecretBytes([UInt8](repeating: 1, count: 32)) })
    #expect(store.keySlots.map(\.kind) == [.runtime])
  }

  @Test func anOlderRootIsRefused() throws {
    let store = try open(key(1))
    var old: [UInt8] = []
    fileSystem.damage("/s") { old = $0 }
    try store.changeKeySlot(1, to: key(2))
    let medium = fileSystem.afterKill()
    medium.damage("/s") { $0 = old }
    do {
      _ = try open(key(1), medium)
      Issue.record("an older root was accepted")
    } catch let error as StoreError { #expect(error.code == .tampered) }
  }

  @Test func rotationMakesTheOldKeyWorthless() throws {
    let store = try open(key(1))
    let kept = try store.addKeySlot(key(2))
    let keyspace = try store.keyspace("k")
    for index in 0..<200 as Range<UInt8> {
      try store.write { try $0.put([index], [UInt8](repeating: index, count: 300), in: keyspace) }
      if index % 50 == 0 { try store.flush() }
    }
    let snapshot = try store.snapshot()
    let rotation = try store.rotateStoreKey(credentials: [key(2)])
    #expect(rotation.kept == [kept] && rotation.dropped == [1])
    #expect(try snapshot.value(for: [7], in: keyspace)?.count == 300)
    try store.write { try $0.put([201], [1], in: keyspace) }
    #expect(try store.verify().damages.isEmpty)
    try store.lock()
    try store.unlock(key(2))
    #expect(try snapshot.value(for: [8], in: keyspace)?.count == 300)
    try store.close()
    expectWrongKey(key(1))
    let again = try open(key(2))
    #expect(try again.snapshot().value(for: [199], in: keyspace)?.count == 300)
    #expect(try again.snapshot().value(for: [201], in: keyspace) == [1])
    #expect(try again.verify().isSound)
    // And again, after which only the third key is good.
    try again.changeKeySlot(kept, to: key(3))
    try again.rotateStoreKey(credentials: [key(9), key(3)])
    do {
      try again.rotateStoreKey(credentials: [key(1)])
      Issue.record("rotated for nobody")
    } catch { #expect(error.code == .wrongKey) }
    try again.close()
    expectWrongKey(key(2))
    #expect(try open(key(3)).snapshot().value(for: [201], in: keyspace) == [1])
  }

  @Test func anExportedRootOpensAStoreThatLostItsOwn() throws {
    let store = try open(key(1))
    let keyspace = try store.keyspace("k")
    try store.write { try $0.put([1], [2], in: keyspace) }
    let exported = store.exportKeySlots()
    try store.close()
    fileSystem.damage("/s") { bytes in
      for index in bytes.indices { bytes[index] = 0xee }
    }
    #expect(throws: StoreError.self) { try open(key(1)) }
    fileSystem.damage("/s") { bytes in
      for index in bytes.indices { bytes[index] = 0 }
      bytes.replaceSubrange(0..<exported.count, with: exported)
    }
    #expect(try open(key(1)).snapshot().value(for: [1], in: keyspace) == [2])
  }
}
