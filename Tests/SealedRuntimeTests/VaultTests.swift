import Foundation
import SealedCrypto
import SealedFiles
import SealedLog
import SealedRuntime
import TestSupport
import Testing

/// The vault: what opens it, what is counted, what is noticed.
@Suite struct VaultTests {
  private let directory: TemporaryDirectory
  private let vault: String

  init() throws {
    directory = try TemporaryDirectory()
    vault = directory.path("app.vault")
  }

  /// A runtime whose passphrases cost little.
  private func makeRuntime() -> SecureRuntime {
    SecureRuntime(fileSystem: PosixFileSystem(), iterations: 1000)
  }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError { return error.code } catch { return nil }
  }

  @Test func activationAuthorizes() throws {
    let runtime = makeRuntime()
    #expect(!runtime.isAuthorized)
    try runtime.activate(vault: vault, passphrase: "correct horse")
    #expect(runtime.isAuthorized)
    #expect(code { try runtime.activate(vault: vault, passphrase: "x") } == .alreadyActivated)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    #expect(names == ["app.vault", "app.vault-lock"])
  }

  @Test func aPassphraseIsComparedInItsNormalForm() throws {
    try makeRuntime().activate(vault: vault, passphrase: "caf\u{e9}")
    let runtime = makeRuntime()
    try runtime.authorize(vault: vault, passphrase: "cafe\u{301}")
    #expect(runtime.isAuthorized)
  }

  @Test func whatIsMissingIsSaid() throws {
    let runtime = makeRuntime()
    #expect(code { try runtime.authorize(vault: vault, passphrase: "x") } == .notActivated)
    #expect(code { try runtime.activate(vault: vault, passphrase: "") } == .invalidArgument)
    #expect(code { try runtime.recordStore(path: "/x") } == .notAuthorized)
    #expect(code { try runtime.changePassphrase(from: "a", to: "b") } == .notAuthorized)
    try Data("no vault".utf8).write(to: URL(fileURLWithPath: vault))
    #expect(code { try runtime.authorize(vault: vault, passphrase: "x") } == .notAStore)
  }

  @Test func wrongPassphrasesAreCountedAcrossRuntimes() throws {
    let unlockKey = try makeRuntime().activate(vault: vault, passphrase: "right")
    for left in (0..<SecureRuntime.attemptLimit).reversed() {
      let runtime = makeRuntime()
      #expect(code { try runtime.authorize(vault: vault, passphrase: "wrong") } == .wrongKey)
      #expect(try runtime.remainingAttempts(vault: vault) == left)
      #expect(!runtime.isAuthorized)
    }
    let runtime = makeRuntime()
    #expect(code { try runtime.authorize(vault: vault, passphrase: "right") } == .lockedOut)
    let other = SecretBytes([UInt8](repeating: 7, count: 32))
    #expect(
      code { _ = try runtime.unlock(vault: vault, unlockKey: other, newPassphrase: "n") }
        == .wrongKey)
    let next = try runtime.unlock(vault: vault, unlockKey: unlockKey, newPassphrase: "new")
    #expect(runtime.isAuthorized && next != unlockKey)
    try makeRuntime().authorize(vault: vault, passphrase: "new")
    #expect(
      code { _ = try runtime.unlock(vault: vault, unlockKey: unlockKey, newPassphrase: "n") }
        == .wrongKey)
  }

  @Test func successResetsTheCount() throws {
    let runtime = makeRuntime()
    try runtime.activate(vault: vault, passphrase: "right")
    #expect(code { try runtime.authorize(vault: vault, passphrase: "wrong") } == .wrongKey)
    try runtime.authorize(vault: vault, passphrase: "right")
    #expect(try runtime.remainingAttempts(vault: vault) == SecureRuntime.attemptLimit)
  }

  @Test func storesPlacesAreKept() throws {
    let runtime = makeRuntime()
    try runtime.activate(vault: vault, passphrase: "p")
    try runtime.recordStore(path: "/a/one.store")
    try runtime.recordStore(path: "/a/two.store")
    try runtime.recordStore(path: "/a/one.store")
    try runtime.changePassphrase(from: "p", to: "q")
    let later = makeRuntime()
    #expect(code { try later.authorize(vault: vault, passphrase: "p") } == .wrongKey)
    try later.authorize(vault: vault, passphrase: "q")
    #expect(try later.storePaths() == ["/a/one.store", "/a/two.store"])
    try later.forgetStore(path: "/a/one.store")
    #expect(try later.storePaths() == ["/a/two.store"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: vault))
    #expect(bytes.range(of: Data("two.store".utf8)) == nil)
  }

  @Test func aFullVaultSaysSo() throws {
    let runtime = makeRuntime()
    try runtime.activate(vault: vault, passphrase: "p")
    let long = String(repeating: "x", count: 4000)
    for index in 0..<3 { try runtime.recordStore(path: "/\(index)\(long)") }
    #expect(code { try runtime.recordStore(path: "/3\(long)") } == .limitExceeded)
    #expect(try runtime.storePaths().count == 3)
  }

  /// One copy is enough; a change of what both say is never taken for the truth.
  @Test func everyFlippedByteIsNoticedOrRepaired() throws {
    let runtime = makeRuntime()
    try runtime.activate(vault: vault, passphrase: "p")
    try runtime.recordStore(path: "/a/one.store")
    let url = URL(fileURLWithPath: vault)
    let good = try Data(contentsOf: url)
    let other = 65_536
    // Every byte of the header and the slots, and samples of the rest.
    for offset in Array(0..<920) + Array(stride(from: 920, to: 16_384, by: 601)) {
      var one = good
      one[offset] ^= 0x10
      try one.write(to: url)
      #expect(try runtime.storePaths() == ["/a/one.store"], "byte \(offset)")
      #expect(try Data(contentsOf: url) == good, "byte \(offset) is not repaired")
      var both = good
      both[offset] ^= 0x10
      both[other + offset] ^= 0x10
      try both.write(to: url)
      let failure = code { _ = try runtime.storePaths() }
      #expect(
        failure == .damaged || failure == .notAStore || failure == .newerFormat,
        "byte \(offset)")
    }
  }

  /// Slots put together by someone who can compute checksums, but hasn't the key.
  @Test func aForgedCopyIsTampered() throws {
    let runtime = makeRuntime()
    try runtime.activate(vault: vault, passphrase: "p")
    let url = URL(fileURLWithPath: vault)
    var forged = try Array(Data(contentsOf: url))
    // The attempt limit, which is the body's.
    let limit = 64 + 16
    let end = 64 + 24 + 8 * 96 + 32 + 12_288 + 32
    for copy in [0, 65_536] {
      forged[copy + limit] = 200
      let sum = SHA256.hash(Array(forged[copy..<copy + end]))
      forged.replaceSubrange(copy + end..<copy + end + 32, with: sum)
    }
    try Data(forged).write(to: url)
    #expect(code { try makeRuntime().authorize(vault: vault, passphrase: "p") } == .tampered)
  }
}
