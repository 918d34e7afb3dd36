/// A key from a passphrase that costs its guesser memory as well as time: Argon2id, version 0x13
/// (RFC 9106).
///
/// The first half of the first pass addresses memory independently of the passphrase; the rest
/// doesn't, by design (RFC 9106, 1.3 and 7.3). No algorithm that FIPS 140-3 lists: after
/// `CryptoModule.requireApprovedOnly()` it is refused.
public enum Argon2id {
  /// What one derivation costs.
  public struct Parameters: Hashable, Sendable {
    /// Memory in KiB, at least 8 a lane.
    public var memoryKiB: Int
    /// How often the memory is gone through, 1 at least.
    public var passes: Int
    /// Lanes that could be worked on at once, 1 to 2^24 - 1. This implementation works on them one
    /// after the other.
    public var lanes: Int

    /// Parameters as given; `deriveKey` checks them.
    public init(memoryKiB: Int, passes: Int, lanes: Int = 1) {
      self.memoryKiB = memoryKiB
      self.passes = passes
      self.lanes = lanes
    }

    /// 64 MiB and three passes, as the RFC's second choice, but in one lane.
    public static let standard = Parameters(memoryKiB: 65_536, passes: 3)

    /// Bytes of memory taken.
    var memorySize: Int { 4 * lanes * (memoryKiB / (4 * lanes)) * 1024 }

    func check() throws(CryptoError) {
      guard 1..<(1 << 24) ~= lanes else {
        throw CryptoError(.limitExceeded, "Argon2id takes 1 to 2^24 - 1 lanes, not \(lanes)")
      }
      guard 8 * lanes...Int(UInt32.max) ~= memoryKiB else {
        throw CryptoError(
          .limitExceeded, "Argon2id takes 8 KiB a lane to 2^32 - 1 KiB, not \(memoryKiB) KiB")
      }
      guard 1...Int(UInt32.max) ~= passes else {
        throw CryptoError(.limitExceeded, "Argon2id takes 1 to 2^32 - 1 passes, not \(passes)")
      }
    }
  }

  /// Derives `count` bytes, 4 at least.
  ///
  /// - Parameters:
  ///   - password: any number of bytes.
  ///   - salt: 16 random bytes are recommended; fewer than 8 are refused.
  ///   - secret: a further key, kept apart from what is stored.
  ///   - associatedData: public bytes that enter as well.
  /// - Throws: `.limitExceeded` for parameters out of the RFC's range, `.invalidParameter`,
  ///   `.outOfMemory` where the system has not the memory asked for, `.notApproved`,
  ///   `.selfTestFailed`.
  public static func deriveKey(
    password: SecretBytes, salt: [UInt8], parameters: Parameters = .standard,
    secret: SecretBytes? = nil, associatedData: [UInt8] = [], count: Int
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen(unapproved: "Argon2id")
    return try derive(
      password: password, salt: salt, parameters: parameters, secret: secret,
      associatedData: associatedData, count: count, backend: .best)
  }

  /// The same on a given backend, without asking for the self tests: they call it.
  package static func derive(
    password: SecretBytes, salt: [UInt8], parameters: Parameters, secret: SecretBytes? = nil,
    associatedData: [UInt8] = [], count: Int, backend: CryptoBackend
  ) throws(CryptoError) -> SecretBytes {
    try parameters.check()
    guard 4...Int(UInt32.max) ~= count else {
      throw CryptoError(.limitExceeded, "Argon2id gives 4 to 2^32 - 1 bytes, not \(count)")
    }
    guard salt.count >= 8 else {
      throw CryptoError(.invalidParameter, "a salt has 8 bytes at least, not \(salt.count)")
    }
    let longest = max(password.count, salt.count, secret?.count ?? 0, associatedData.count)
    guard longest <= Int(UInt32.max) else {
      throw CryptoError(.limitExceeded, "Argon2id takes inputs of up to 2^32 - 1 bytes")
    }
    let memory = try Argon2Memory(parameters, backend: backend)
    let seed = self.seed(password, salt, parameters, secret, associatedData, count)
    memory.begin(seed)
    memory.fill()
    return memory.finish(count: count)
  }

  /// H0 of the RFC: 64 bytes of everything that goes in.
  private static func seed(
    _ password: SecretBytes, _ salt: [UInt8], _ parameters: Parameters, _ secret: SecretBytes?,
    _ associatedData: [UInt8], _ count: Int
  ) -> SecretBytes {
    var hash = BLAKE2b(unchecked: 64)
    let version = 0x13
    let idVariant = 2
    for number in [
      parameters.lanes, count, parameters.memoryKiB, parameters.passes, version, idVariant,
    ] { hash.update(word(number)) }
    hash.update(word(password.count))
    unsafe password.withUnsafeBytes { unsafe hash.update($0) }
    hash.update(word(salt.count))
    hash.update(salt)
    hash.update(word(secret?.count ?? 0))
    if let secret { unsafe secret.withUnsafeBytes { unsafe hash.update($0) } }
    hash.update(word(associatedData.count))
    hash.update(associatedData)
    let seed = SecretBytes(count: 64)
    unsafe seed.withUnsafeMutableBytes { target in
      if let base = target.baseAddress { unsafe hash.finalize(into: base) }
    }
    return seed
  }

  /// Four bytes, little-endian.
  static func word(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
