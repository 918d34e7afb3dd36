import SealedCrypto
import SealedLog
import SealedRuntime
import TestSupport
import Testing

/// A vault opens by its passphrase alone, and counts what was tried.
@Suite struct AuthorizationTests {
  @Test func activationAuthorizes() throws {
    let fixture = try RuntimeFixture()
    let runtime = fixture.runtime()
    #expect(try !runtime.isActivated(vault: fixture.vault))
    #expect(!runtime.isAuthorized)
    try runtime.activate(vault: fixture.vault, passphrase: secret("right"))
    #expect(runtime.isAuthorized)
    #expect(try runtime.isActivated(vault: fixture.vault))
    let again = fixture.runtime()
    try again.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(again.isAuthorized)
  }

  @Test func nothingIsActivatedTwice() throws {
    let fixture = try RuntimeFixture()
    _ = try fixture.activated()
    let before = try fixture.bytes()
    let other = fixture.runtime()
    #expect(
      code { try other.activate(vault: fixture.vault, passphrase: secret("x")) }
        == .alreadyActivated)
    #expect(try fixture.bytes() == before)
    #expect(!other.isAuthorized)
  }

  @Test func argumentsAreChecked() throws {
    let fixture = try RuntimeFixture()
    let runtime = fixture.runtime()
    #expect(
      code { try runtime.activate(vault: fixture.vault, passphrase: secret("")) }
        == .invalidArgument)
    #expect(
      code {
        try runtime.activate(vault: fixture.vault, passphrase: secret("x"), attemptLimit: 0)
      } == .invalidArgument)
    #expect(
      code { try runtime.authorize(vault: fixture.vault, passphrase: secret("x")) }
        == .notAVault)
    let missing = fixture.directory.path("no/vault")
    #expect(code { try runtime.activate(vault: missing, passphrase: secret("x")) } == .io)
  }

  @Test func anotherFileIsNoVault() throws {
    let fixture = try RuntimeFixture()
    try fixture.put(.init(repeating: 7, count: 200_000))
    let runtime = fixture.runtime()
    #expect(
      code { try runtime.authorize(vault: fixture.vault, passphrase: secret("x")) }
        == .notAVault)
  }

  @Test func wrongPassphrasesAreCountedAcrossRuns() throws {
    let fixture = try RuntimeFixture()
    _ = try fixture.activated(attemptLimit: 3)
    for left in [2, 1] {
      let runtime = fixture.runtime()
      #expect(
        code { try runtime.authorize(vault: fixture.vault, passphrase: secret("no")) }
          == .wrongKey)
      #expect(try runtime.remainingAttempts(vault: fixture.vault) == left)
      #expect(!runtime.isAuthorized)
    }
    let last = fixture.runtime()
    #expect(
      code { try last.authorize(vault: fixture.vault, passphrase: secret("no")) } == .lockedOut)
    #expect(last.reasonNotAuthorized == .remoteLockout)
    // The right one comes too late.
    #expect(
      code { try last.authorize(vault: fixture.vault, passphrase: secret("right")) }
        == .lockedOut)
  }

  @Test func successGivesTheAttemptsBack() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated(attemptLimit: 3)
    for _ in 0..<4 {
      #expect(
        code { try runtime.authorize(vault: fixture.vault, passphrase: secret("no")) }
          == .wrongKey)
      try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
      #expect(try runtime.remainingAttempts(vault: fixture.vault) == 3)
    }
  }

  @Test func theUnlockKeyEndsALockOutOnce() throws {
    let fixture = try RuntimeFixture()
    let keys = try (0..<2).map { _ in try SecretBytes.random(count: 32) }
    let runtime = try fixture.activated(unlockKey: keys[0], attemptLimit: 1)
    #expect(
      code { try runtime.authorize(vault: fixture.vault, passphrase: secret("no")) }
        == .lockedOut)
    #expect(
      code {
        try runtime.authorize(
          vault: fixture.vault, unlockKey: keys[1], newPassphrase: secret("new"),
          newUnlockKey: keys[1])
      } == .wrongKey)
    try runtime.authorize(
      vault: fixture.vault, unlockKey: keys[0], newPassphrase: secret("new"),
      newUnlockKey: keys[1])
    try fixture.runtime().authorize(vault: fixture.vault, passphrase: secret("new"))
    #expect(
      code {
        try runtime.authorize(
          vault: fixture.vault, unlockKey: keys[0], newPassphrase: secret("x"),
          newUnlockKey: keys[1])
      } == .wrongKey)
  }

  @Test func aChangedPassphraseReplacesTheOld() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated(attemptLimit: 5)
    #expect(
      code {
        try runtime.changePassphrase(
          vault: fixture.vault, from: secret("no"), to: secret("new"))
      } == .wrongKey)
    try runtime.changePassphrase(vault: fixture.vault, from: secret("right"), to: secret("new"))
    let again = fixture.runtime()
    #expect(
      code { try again.authorize(vault: fixture.vault, passphrase: secret("right")) }
        == .wrongKey)
    try again.authorize(vault: fixture.vault, passphrase: secret("new"))
  }

  @Test func noSecretIsInTheFile() throws {
    let fixture = try RuntimeFixture()
    let key = try SecretBytes.random(count: 32)
    let runtime = try fixture.activated(unlockKey: key)
    try runtime.recordStore(path: "/a/store/of/secrets")
    let bytes = try fixture.bytes()
    for text in ["right", "/a/store", "secrets"] {
      #expect(bytes.firstRange(of: Array(text.utf8)) == nil, "\(text)")
    }
    unsafe key.withUnsafeBytes { raw in
      #expect(bytes.firstRange(of: unsafe Array(raw)) == nil)
    }
  }
}
