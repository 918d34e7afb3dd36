import SealedCrypto
import SealedFiles
import SealedLog
import SealedRuntime
import TestSupport
import Testing

/// Stores whose keys hang on a runtime.
@Suite struct RuntimeStoreTests {
  private let directory: TemporaryDirectory
  private let runtime = SecureRuntime(fileSystem: PosixFileSystem(), iterations: 1000)
  private var vault: String { directory.path("app.vault") }

  init() throws { directory = try TemporaryDirectory() }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError { return error.code } catch { return nil }
  }

  @Test func aStoreOpensOnlyAfterAuthorization() throws {
    let path = directory.path("data.store")
    #expect(code { _ = try LogStore.open(path: path, unlock: runtime.credential) } == .locked)
    try runtime.activate(vault: vault, passphrase: "p")
    try LogStore.open(path: path, unlock: runtime.credential).close()
    try runtime.changePassphrase(from: "p", to: "q")
    try LogStore.open(path: path, unlock: runtime.credential).close()

    let later = SecureRuntime(fileSystem: PosixFileSystem(), iterations: 1000)
    try later.authorize(vault: vault, passphrase: "q")
    try LogStore.open(path: path, unlock: later.credential).close()

    let stranger = SecureRuntime(fileSystem: PosixFileSystem(), iterations: 1000)
    try stranger.activate(vault: directory.path("other.vault"), passphrase: "q")
    #expect(code { _ = try LogStore.open(path: path, unlock: stranger.credential) } == .wrongKey)
  }

  @Test func lockingEndsReadingUntilAuthorization() throws {
    try runtime.activate(vault: vault, passphrase: "p")
    let store = try LogStore.open(
      path: directory.path("data.store"), unlock: runtime.credential)
    runtime.register(store)
    let keyspace = try store.keyspace("k")
    try store.write { batch in try batch.put([1], [2], in: keyspace) }
    try runtime.lockStores()
    #expect(!runtime.isAuthorized && store.isLocked)
    #expect(code { _ = try store.snapshot().value(for: [1], in: keyspace) } == .locked)
    #expect(code { try runtime.authorize(vault: vault, passphrase: "wrong") } == .wrongKey)
    #expect(store.isLocked)
    try runtime.authorize(vault: vault, passphrase: "p")
    #expect(try store.snapshot().value(for: [1], in: keyspace) == [2])
    try store.close()
    try runtime.lockStores()
  }
}
