import SealedCrypto
import SealedFiles
import SealedLog
import SealedRuntime
import Synchronization
import TestSupport
import Testing

/// Stores open by an authorized runtime, and are locked with it.
@Suite struct RuntimeStoreTests {
  private func put(_ store: LogStore, _ key: String, _ value: String) throws {
    let keyspace = try store.keyspace("k")
    try store.write { batch in
      try batch.put(Array(key.utf8), Array(value.utf8), in: keyspace)
    }
  }

  private func value(_ store: LogStore, _ key: String) throws -> [UInt8]? {
    guard let keyspace = try store.existingKeyspace("k") else { return nil }
    return try store.snapshot().value(for: Array(key.utf8), in: keyspace)
  }

  @Test func aStoreOpensByItsRuntimeAlone() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let path = fixture.directory.path("store")
    try runtime.recordStore(path: path)
    let store = try LogStore.open(path: path, unlock: runtime.credential)
    try put(store, "a", "b")
    try store.close()

    let again = fixture.runtime()
    #expect(
      code { _ = try LogStore.open(path: path, unlock: again.credential) } == .notAuthorized)
    try again.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(try again.recordedStores() == [path])
    let reopened = try LogStore.open(path: path, unlock: again.credential)
    #expect(try value(reopened, "a") == Array("b".utf8))
    try reopened.close()

    let other = try RuntimeFixture()
    let stranger = try other.activated()
    #expect(code { _ = try LogStore.open(path: path, unlock: stranger.credential) } == .wrongKey)
  }

  @Test func aChangedPassphraseLeavesTheStoreAlone() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let path = fixture.directory.path("store")
    try LogStore.open(path: path, unlock: runtime.credential).close()
    try runtime.changePassphrase(vault: fixture.vault, from: secret("right"), to: secret("new"))
    let again = fixture.runtime()
    try again.authorize(vault: fixture.vault, passphrase: secret("new"))
    try LogStore.open(path: path, unlock: again.credential).close()
  }

  @Test func lockingLocksWhatIsOpen() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let store = try LogStore.open(
      path: fixture.directory.path("store"), unlock: runtime.credential)
    try runtime.register(store)
    try put(store, "a", "b")
    try runtime.lock()
    #expect(!runtime.isAuthorized)
    #expect(code { _ = try value(store, "a") } == .locked)
    #expect(code { try runtime.recordStore(path: "x") } == .notAuthorized)
    try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(try value(store, "a") == Array("b".utf8))
    try store.close()
    // A closed store is no obstacle.
    try runtime.lock()
    try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
  }

  @Test func aStoreRegisteredTooLateIsLocked() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let store = try LogStore.open(
      path: fixture.directory.path("store"), unlock: runtime.credential)
    try runtime.lock()
    try runtime.register(store)
    #expect(store.isLocked)
    try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(!store.isLocked)
    try store.close()
  }

  @Test func remoteLockNeedsTheUnlockKey() throws {
    let fixture = try RuntimeFixture()
    let plain = try fixture.activated()
    #expect(code { try plain.executeRemoteLock() } == .invalidArgument)
    #expect(plain.isAuthorized)

    let other = try RuntimeFixture()
    let key = try SecretBytes.random(count: 32)
    let runtime = try other.activated(unlockKey: key)
    try runtime.executeRemoteLock()
    #expect(runtime.reasonNotAuthorized == .remoteLockout)
    let again = other.runtime()
    #expect(
      code { try again.authorize(vault: other.vault, passphrase: secret("right")) }
        == .lockedOut)
    try again.authorize(
      vault: other.vault, unlockKey: key, newPassphrase: secret("new"),
      newUnlockKey: try SecretBytes.random(count: 32))
    #expect(again.isAuthorized)
  }

  @Test func theListOfStoresIsKept() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    for path in ["a", "b", "a", "c"] { try runtime.recordStore(path: path) }
    try runtime.forgetStore(path: "b")
    try runtime.forgetStore(path: "b")
    let again = fixture.runtime()
    try again.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(try again.recordedStores() == ["a", "c"])
  }

  @Test func aFullListIsRefused() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let name = String(repeating: "x", count: 4_000)
    let found = code {
      for index in 0..<20 { try runtime.recordStore(path: "\(index)\(name)") }
    }
    #expect(found == .limitExceeded)
    #expect(try runtime.recordedStores().count == 14)
  }

  @Test func aVaultInUseIsRefused() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let lock = try PosixFileSystem().lock(fixture.vault + ".lock", exclusive: true)
    #expect(
      code { try runtime.authorize(vault: fixture.vault, passphrase: secret("right")) }
        == .storeInUse)
    lock.release()
    try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
  }
}
