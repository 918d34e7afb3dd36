/// Known answers, checked once before the library is first used (FIPS 140-3 calls them
/// cryptographic algorithm self-tests): each primitive, on each kernel that may serve it.
enum SelfTest {
  /// The name of the first test that failed; nil where everything is right.
  static func run() -> String? {
    let falsified = ModulePolicy.current.falsified
    return all.first { $0.name == falsified || !$0.passes() }?.name
  }

  /// A test, by the name that an error gives.
  struct Known {
    let name: String
    let passes: () -> Bool
  }

  /// All tests, what others are built of first.
  static var all: [Known] {
    var tests: [Known] = []
    for backend in backends {
      tests.append(Known(name: "SHA-256 (\(backend.name))") { checkHash(backend) })
    }
    tests += [
      Known(name: "HMAC-SHA-256", passes: checkHMAC), Known(name: "HKDF", passes: checkHKDF),
      Known(name: "PBKDF2", passes: checkPBKDF2), Known(name: "AES", passes: checkBlocks),
      Known(name: "key wrap", passes: checkKeyWrap),
      Known(name: "padded key wrap", passes: checkPaddedKeyWrap),
      Known(name: "BLAKE2b", passes: checkBLAKE2b),
    ]
    for backend in backends {
      tests.append(Known(name: "AES-GCM (\(backend.name))") { checkGCM(backend) })
      tests.append(Known(name: "AES-GCM, long (\(backend.name))") { checkLongGCM(backend) })
    }
    for backend in backends.prefix(2) {
      tests.append(Known(name: "Argon2id (\(backend.name))") { checkArgon2(backend) })
    }
    return tests
  }

  /// Those that may serve.
  private static var backends: [CryptoBackend] {
    CryptoBackend.available.filter { $0 <= .best }
  }

  static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  // MARK: Blocks

  /// FIPS 197, appendix C.1 and C.3, both ways.
  private static func checkBlocks() -> Bool {
    checkBlock(keyCount: 16, sealed: "69c4e0d86a7b0430d8cdb78070b4c55a")
      && checkBlock(keyCount: 32, sealed: "8ea2b7ca516745bfeafc49904b496089")
  }

  private static func checkBlock(keyCount: Int, sealed: String) -> Bool {
    let plain = bytes("00112233445566778899aabbccddeeff")
    let keyBytes = (0..<keyCount).map { UInt8($0) }
    guard let key = unsafe try? keyBytes.withRaw({ try unsafe AESKey($0) }) else { return false }
    var block = plain
    unsafe block.withMutableRaw { if let base = $0.baseAddress { unsafe key.encrypt(base) } }
    guard block == bytes(sealed) else { return false }
    unsafe block.withMutableRaw { if let base = $0.baseAddress { unsafe key.decrypt(base) } }
    return block == plain
  }

  /// RFC 3394, 4.6.
  private static func checkKeyWrap() -> Bool {
    let wrappingKey = SecretBytes((0..<32).map { UInt8($0) })
    let key = SecretBytes(bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f"))
    let wrapped = bytes(
      "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21")
    guard let made = try? AESKeyWrap.wrapped(key, with: wrappingKey), made == wrapped,
      let back = try? AESKeyWrap.unwrapped(wrapped, with: wrappingKey)
    else { return false }
    return back == key
  }

  /// The key of RFC 5649, section 6. Its wrapping key has 24 bytes, which aren't offered; the answer
  /// under this one of 32 bytes is OpenSSL's.
  private static func checkPaddedKeyWrap() -> Bool {
    let wrappingKey = SecretBytes((0..<32).map { UInt8($0) })
    let key = SecretBytes(bytes("c37b7e6492584340bed12207808941155068f738"))
    let wrapped = bytes("29b7fa191c2165684374eee9f74595e2a42bace75c425b3053efa26ffe1bb32f")
    guard let made = try? AESKeyWrap.wrappedPadded(key, with: wrappingKey), made == wrapped,
      let back = try? AESKeyWrap.unwrappedPadded(wrapped, with: wrappingKey)
    else { return false }
    return back == key
  }
}
