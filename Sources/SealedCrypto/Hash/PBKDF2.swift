/// A key from a passphrase: PBKDF2 with HMAC-SHA-256 (RFC 8018, NIST SP 800-132).
public enum PBKDF2 {
  /// The most rounds that one call takes: more is a hostile file or a mistake.
  public static let iterationLimit = 100_000_000

  /// Derives `count` bytes.
  ///
  /// - Throws: `.limitExceeded` for a count of rounds that isn't 1 to `iterationLimit`.
  public static func deriveKey(
    password: SecretBytes, salt: [UInt8], iterations: Int, count: Int
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    try password.checkIntact()
    guard iterations > 0, iterations <= iterationLimit else {
      throw CryptoError(.limitExceeded, "PBKDF2 takes 1 to \(iterationLimit) rounds")
    }
    guard count > 0, UInt64(count) <= UInt64(UInt32.max) * 32 else {
      throw CryptoError(.limitExceeded, "PBKDF2 can't give \(count) bytes")
    }
    return derived(password: password, salt: salt, iterations: iterations, count: count)
  }

  /// The same for counts known to be right, and without asking for the self tests: they call it.
  static func derived(
    password: SecretBytes, salt: [UInt8], iterations: Int, count: Int
  ) -> SecretBytes {
    var keyed = HMACSHA256(keyed: password)
    let output = SecretBytes(count: count)
    let sum = SecretBytes(count: SHA256.digestSize)
    let last = SecretBytes(count: SHA256.digestSize)
    var done = 0
    var block: UInt32 = 1
    while done < count {
      keyed.update(salt)
      keyed.update((0..<4).map { UInt8(truncatingIfNeeded: block >> UInt32(24 - 8 * $0)) })
      unsafe last.withUnsafeMutableBytes { last in
        unsafe sum.withUnsafeMutableBytes { sum in
          if let base = last.baseAddress { unsafe keyed.finalize(into: base) }
          unsafe sum.copyMemory(from: UnsafeRawBufferPointer(last))
          unsafe keyed.iterate(last, into: sum, rounds: iterations - 1)
        }
      }
      let part = min(SHA256.digestSize, count - done)
      unsafe output.withUnsafeMutableBytes { target in
        unsafe sum.withUnsafeBytes { source in
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<done + part])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<part]))
        }
      }
      done += part
      block &+= 1
    }
    return output
  }
}
