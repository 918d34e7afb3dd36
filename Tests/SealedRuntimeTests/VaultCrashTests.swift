import SealedCrypto
import SealedLog
import SealedRuntime
import TestSupport
import Testing

/// A power cut at any moment leaves the vault as it was or as it was to be, and gives no attempt
/// back.
@Suite struct VaultCrashTests {
  private let vault = "/vault"
  private let stores = ["/one.store", "/two.store"]

  private func runtime(_ fileSystem: SimulatedFileSystem) -> SecureRuntime {
    SecureRuntime(fileSystem: fileSystem, iterations: 10)
  }

  /// A medium with a vault on it, and its synced state.
  private func prepared(seed: UInt64) throws -> SimulatedFileSystem {
    let fileSystem = SimulatedFileSystem(seed: seed)
    let runtime = runtime(fileSystem)
    try runtime.activate(vault: vault, passphrase: secret("right"), attemptLimit: 5)
    try runtime.recordStore(path: stores[0])
    return fileSystem.afterKill()
  }

  /// Runs `work` with a crash at each of its calls, and hands what is found afterwards to `check`.
  private func crashEverywhere(
    _ prepare: (UInt64) throws -> SimulatedFileSystem,
    _ work: (SimulatedFileSystem) throws -> Void,
    _ check: (SimulatedFileSystem, _ seed: UInt64, _ isAcknowledged: Bool) throws -> Void
  ) throws {
    let rehearsal = try prepare(0)
    try work(rehearsal)
    for operation in 1...rehearsal.operationCount + 1 {
      for round in 0..<8 as Range<UInt64> {
        let seed = UInt64(operation) * 100 + round
        let fileSystem = try prepare(seed)
        fileSystem.crash(at: operation)
        var isAcknowledged = true
        do { try work(fileSystem) } catch { isAcknowledged = false }
        try check(fileSystem.afterPowerCut(), seed, isAcknowledged)
      }
    }
  }

  @Test func activationIsAllOrNothing() throws {
    try crashEverywhere { seed in
      SimulatedFileSystem(seed: seed)
    } _: { fileSystem in
      try runtime(fileSystem).activate(vault: vault, passphrase: secret("right"))
    } _: { fileSystem, seed, isAcknowledged in
      let runtime = runtime(fileSystem)
      if try runtime.isActivated(vault: vault) {
        try runtime.authorize(vault: vault, passphrase: secret("right"))
      } else {
        #expect(!isAcknowledged, "seed \(seed)")
        try runtime.activate(vault: vault, passphrase: secret("again"))
      }
      #expect(runtime.isAuthorized, "seed \(seed)")
    }
  }

  @Test func aChangeOfPassphraseIsAllOrNothing() throws {
    try crashEverywhere { seed in
      try prepared(seed: seed)
    } _: { fileSystem in
      try runtime(fileSystem).changePassphrase(
        vault: vault, from: secret("right"), to: secret("new"))
    } _: { fileSystem, seed, isAcknowledged in
      let runtime = runtime(fileSystem)
      let opensWithNew =
        code { try runtime.authorize(vault: vault, passphrase: secret("new")) } == nil
      if !opensWithNew {
        #expect(!isAcknowledged, "seed \(seed)")
        try runtime.authorize(vault: vault, passphrase: secret("right"))
      }
      #expect(try runtime.recordedStores() == [stores[0]], "seed \(seed)")
    }
  }

  @Test func aRecordedStoreStaysRecorded() throws {
    try crashEverywhere { seed in
      try prepared(seed: seed)
    } _: { fileSystem in
      let runtime = runtime(fileSystem)
      try runtime.authorize(vault: vault, passphrase: secret("right"))
      try runtime.recordStore(path: stores[1])
    } _: { fileSystem, seed, isAcknowledged in
      let runtime = runtime(fileSystem)
      try runtime.authorize(vault: vault, passphrase: secret("right"))
      let found = try runtime.recordedStores()
      #expect(found == stores || (!isAcknowledged && found == [stores[0]]), "seed \(seed)")
    }
  }

  /// Whoever saw that a passphrase was wrong has spent the attempt.
  @Test func noAttemptIsGivenBack() throws {
    try crashEverywhere { seed in
      try prepared(seed: seed)
    } _: { fileSystem in
      let found = code { try runtime(fileSystem).authorize(vault: vault, passphrase: secret("x")) }
      if found != .wrongKey { throw StoreError(.io, "the crash came first") }
    } _: { fileSystem, seed, wasTold in
      let left = try runtime(fileSystem).remainingAttempts(vault: vault)
      #expect(left == 4 || (!wasTold && left == 5), "seed \(seed)")
    }
  }

  /// Any call may fail without the power going: then the vault goes on to work.
  @Test func aFailedCallLeavesTheVaultUsable() throws {
    let rehearsal = try prepared(seed: 0)
    try runtime(rehearsal).changePassphrase(
      vault: vault, from: secret("right"), to: secret("new"))
    for operation in 1...rehearsal.operationCount {
      for round in 0..<4 as Range<UInt64> {
        let seed = UInt64(operation) * 100 + round
        let fileSystem = try prepared(seed: seed)
        fileSystem.fail(at: operation, errno: 5)
        _ = code {
          try runtime(fileSystem).changePassphrase(
            vault: vault, from: secret("right"), to: secret("new"))
        }
        for medium in [fileSystem.afterKill(), fileSystem.afterPowerCut()] {
          let runtime = runtime(medium)
          let opens = ["right", "new"].contains { passphrase in
            code { try runtime.authorize(vault: vault, passphrase: secret(passphrase)) } == nil
          }
          #expect(opens, "seed \(seed), call \(operation)")
        }
      }
    }
  }
}
