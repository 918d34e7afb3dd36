import SealedCrypto
import SealedFiles
import SealedLog
import TestSupport
import Testing

/// Passphrase slots of both kinds, and what a hostile root file may not make an open spend.
@Suite struct KeySlotTests {
  private let passphrase = SecretBytes(Array("correct horse".utf8))

  private func options(_ fileSystem: SimulatedFileSystem, creates: Bool = false) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.creation = creates ? .always : .never
    return options
  }

  /// A closed store whose slot takes a derivation.
  private func makeStore(_ derivation: PassphraseDerivation) throws -> SimulatedFileSystem {
    let fileSystem = SimulatedFileSystem(seed: 5)
    let store = try LogStore.open(
      path: "/s", unlock: .passphrase(passphrase, derivation: derivation),
      options: options(fileSystem, creates: true))
    let keyspace = try store.keyspace("k")
    try store.write { try $0.put([1], [2], in: keyspace) }
    try store.close()
    return fileSystem.afterKill()
  }

  /// What opening gives: nil where it succeeds and reads what was written.
  private func code(
    _ fileSystem: SimulatedFileSystem, passphrase: SecretBytes? = nil,
    limit: KeyDerivationLimit = .standard
  ) throws -> StoreError.Code? {
    var options = options(fileSystem)
    options.keyDerivationLimit = limit
    do throws(StoreError) {
      let store = try LogStore.open(
        path: "/s", unlock: .passphrase(passphrase ?? self.passphrase), options: options)
      let keyspace = try store.keyspace("k")
      #expect(try store.snapshot().value(for: [1], in: keyspace) == [2])
      try store.close()
      return nil
    } catch { return error.code }
  }

  /// Smallest parameters that are accepted.
  private static let argon = Argon2id.Parameters(memoryKiB: 7 * 1024, passes: 5)

  @Test func bothKindsOpenWithTheirPassphraseAlone() throws {
    let derivations = [
      PassphraseDerivation(unchecked: 1000), try PassphraseDerivation.argon2id(Self.argon),
      try PassphraseDerivation.argon2id(.init(memoryKiB: 19 * 1024, passes: 2, lanes: 3)),
    ]
    for derivation in derivations {
      let fileSystem = try makeStore(derivation)
      #expect(try code(fileSystem) == nil, "\(derivation)")
      let other = SecretBytes(Array("incorrect horse".utf8))
      #expect(try code(fileSystem, passphrase: other) == .wrongKey, "\(derivation)")
    }
  }

  /// Changes a slot of both copies and makes their checksums right again, as anyone can.
  private func forge(
    _ fileSystem: SimulatedFileSystem, _ change: (inout [UInt8]) -> Void
  ) throws {
    var failure: (any Error)?
    fileSystem.damage("/s") { bytes in
      for start in [0, 65_536] {
        var copy = Array(bytes[start..<start + 4096])
        change(&copy)
        do {
          copy.replaceSubrange(1000..<1032, with: try SHA256.hash(Array(copy[0..<1000])))
        } catch { failure = error }
        bytes.replaceSubrange(start..<start + 4096, with: copy)
      }
    }
    if let failure { throw failure }
  }

  private func put(_ number: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }

  // Where FORMAT.md has the fields of the first slot.
  private static let slot = 120
  private static let kind = slot + 4
  private static let iterations = slot + 8
  private static let memory = slot + 12
  private static let lanes = slot + 88

  @Test func absurdParametersAreRefusedBeforeTheyAreSpent() throws {
    let argon = try makeStore(try .argon2id(Self.argon))
    // A GiB and more, ten seconds and more, and numbers whose products no word holds.
    let absurd: [(memory: UInt32, passes: UInt32)] = [
      (1 << 20 | 1, 1), (.max, 1), (.max, .max), (1 << 16, 1000), (8, .max),
    ]
    for (memory, passes) in absurd {
      let fileSystem = argon.afterKill()
      try forge(fileSystem) {
        put(memory, at: Self.memory, in: &$0)
        put(passes, at: Self.iterations, in: &$0)
      }
      #expect(try code(fileSystem) == .limitExceeded, "\(memory) KiB, \(passes) passes")
    }
    let rounds = try makeStore(PassphraseDerivation(unchecked: 1000))
    try forge(rounds) { put(.max, at: Self.iterations, in: &$0) }
    #expect(try code(rounds) == .limitExceeded)
  }

  @Test func costsAreSummedOverSlots() throws {
    let fileSystem = try makeStore(PassphraseDerivation(unchecked: 1000))
    // Eight slots of 6,250,001 rounds: each is fine alone.
    try forge(fileSystem) { copy in
      put(8, at: 108, in: &copy)
      put(6_250_001, at: Self.iterations, in: &copy)
      let first = Array(copy[Self.slot..<Self.slot + 96])
      for index in 1..<8 {
        let start = Self.slot + 96 * index
        copy.replaceSubrange(start..<start + 96, with: first)
      }
    }
    #expect(try code(fileSystem) == .limitExceeded)
  }

  @Test func aLimitOfOnesOwnIsKept() throws {
    let fileSystem = try makeStore(try .argon2id(Self.argon))
    let tooSmall = KeyDerivationLimit(memory: 7 * 1024 * 1024 - 1, time: .seconds(10))
    let tooShort = KeyDerivationLimit(memory: 1 << 30, time: .milliseconds(35))
    let enough = KeyDerivationLimit(memory: 7 * 1024 * 1024, time: .milliseconds(36))
    #expect(try code(fileSystem, limit: tooSmall) == .limitExceeded)
    #expect(try code(fileSystem, limit: tooShort) == .limitExceeded)
    #expect(try code(fileSystem, limit: enough) == nil)
  }

  @Test func parametersOfAnotherKindAreDamage() throws {
    let changes: [(PassphraseDerivation, (inout [UInt8]) -> Void)] = [
      (PassphraseDerivation(unchecked: 1000), { self.put(8, at: Self.memory, in: &$0) }),
      (PassphraseDerivation(unchecked: 1000), { self.put(1, at: Self.lanes, in: &$0) }),
      (PassphraseDerivation(unchecked: 1000), { self.put(0, at: Self.iterations, in: &$0) }),
      (PassphraseDerivation(unchecked: 1000), { $0[Self.kind] = 3 }),
      (PassphraseDerivation(unchecked: 1000), { $0[Self.kind] = 1 }),
      (try .argon2id(Self.argon), { self.put(0, at: Self.lanes, in: &$0) }),
      (try .argon2id(Self.argon), { self.put(1 << 24, at: Self.lanes, in: &$0) }),
      (try .argon2id(Self.argon), { self.put(7, at: Self.memory, in: &$0) }),
      (try .argon2id(Self.argon), { $0[Self.kind] = 5 }),
    ]
    for (index, (derivation, change)) in changes.enumerated() {
      let fileSystem = try makeStore(derivation)
      try forge(fileSystem, change)
      #expect(try code(fileSystem) == .damaged, "change \(index)")
    }
  }

  @Test func cheaperParametersThanWereWrittenAreAWrongKey() throws {
    // The derived key is another one: what a forger gains by it is nothing.
    let fileSystem = try makeStore(PassphraseDerivation(unchecked: 1000))
    try forge(fileSystem) { put(1, at: Self.iterations, in: &$0) }
    #expect(try code(fileSystem) == .wrongKey)
  }

  @Test func slotsThatTogetherCostTooMuchAreNotWritten() throws {
    let fileSystem = try makeStore(try .argon2id(Self.argon))
    var options = options(fileSystem)
    options.keyDerivationLimit = KeyDerivationLimit(memory: 10 << 20, time: .seconds(10))
    let store = try LogStore.open(
      path: "/s", unlock: .passphrase(passphrase), options: options)
    let other = Credential.passphrase(
      SecretBytes(Array("another".utf8)), derivation: try .argon2id(Self.argon))
    do throws(StoreError) {
      try store.addKeySlot(other)
      Issue.record("a slot was added that the store couldn't be opened with")
    } catch { #expect(error.code == .limitExceeded) }
    #expect(store.keySlots.count == 1)
    try store.close()
    #expect(try code(fileSystem, limit: options.keyDerivationLimit) == nil)
  }

  @Test func rotationDerivesAPassphrasesKeyAsBefore() throws {
    let fileSystem = try makeStore(try .argon2id(Self.argon))
    let store = try LogStore.open(
      path: "/s", unlock: .passphrase(passphrase), options: options(fileSystem))
    // Without a derivation a new slot would take PBKDF2.
    try store.rotateStoreKey(credentials: [.passphrase(passphrase)])
    try store.close()
    var slot: [UInt8] = []
    fileSystem.damage("/s") { slot = Array($0[Self.slot..<Self.slot + 96]) }
    #expect(slot[4] == 3 && slot[8] == 5 && Array(slot[12..<16]) == [0, 28, 0, 0])
    #expect(try code(fileSystem) == nil)
  }

  @Test func weakParametersAreNotOffered() {
    func refuses(_ body: () throws -> PassphraseDerivation, _ code: StoreError.Code) {
      do {
        let made = try body()
        Issue.record("\(made) was accepted")
      } catch let error as StoreError { #expect(error.code == code) } catch { Issue.record(error) }
    }
    refuses({ try .pbkdf2(iterations: 599_999) }, .invalidArgument)
    refuses({ try .pbkdf2(iterations: 50_000_001) }, .limitExceeded)
    refuses({ try .argon2id(.init(memoryKiB: 7 * 1024, passes: 4)) }, .invalidArgument)
    refuses({ try .argon2id(.init(memoryKiB: 46 * 1024, passes: 1, lanes: 0)) }, .invalidArgument)
    refuses({ try .argon2id(.init(memoryKiB: 2 << 20, passes: 1)) }, .limitExceeded)
    refuses({ try .argon2id(.init(memoryKiB: 1 << 40, passes: 1)) }, .invalidArgument)
    #expect(throws: Never.self) { try PassphraseDerivation.pbkdf2(iterations: 600_000) }
    #expect(throws: Never.self) { try PassphraseDerivation.argon2id() }
  }
}
