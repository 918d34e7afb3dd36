extension SelfTest {
  /// FIPS 180-4's example "abc".
  static func checkHash(_ backend: CryptoBackend) -> Bool {
    var hash = SHA256(backend: backend)
    hash.update(Array("abc".utf8))
    return hash.finalize()
      == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  /// RFC 4231, case 2.
  static func checkHMAC() -> Bool {
    HMACSHA256.code(
      for: Array("what do ya want for nothing?".utf8), key: SecretBytes(Array("Jefe".utf8)))
      == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  /// RFC 5869, case 1.
  static func checkHKDF() -> Bool {
    let key = HKDF.extracted(
      salt: (0..<13).map { UInt8($0) }, inputKey: SecretBytes([UInt8](repeating: 0x0b, count: 22)))
    let output = HKDF.expanded(key, info: (0xf0..<0xfa).map { UInt8($0) }, count: 42)
    return output
      == SecretBytes(
        bytes(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
  }

  /// Password "password", salt "salt", two rounds: the case of RFC 6070 with SHA-256.
  static func checkPBKDF2() -> Bool {
    let key = PBKDF2.derived(
      password: SecretBytes(Array("password".utf8)), salt: Array("salt".utf8), iterations: 2,
      count: 32)
    return key
      == SecretBytes(bytes("ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43"))
  }

  /// RFC 7693, appendix A.
  static func checkBLAKE2b() -> Bool {
    var hash = BLAKE2b(unchecked: 64)
    hash.update(Array("abc".utf8))
    return hash.finalize()
      == bytes(
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
          + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923")
  }

  /// RFC 9106, 5.3.
  static func checkArgon2(_ backend: CryptoBackend) -> Bool {
    func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { .init(repeating: byte, count: count) }
    let key = try? Argon2id.derive(
      password: SecretBytes(repeated(1, 32)), salt: repeated(2, 16),
      parameters: .init(memoryKiB: 32, passes: 3, lanes: 4), secret: SecretBytes(repeated(3, 8)),
      associatedData: repeated(4, 12), count: 32, backend: backend)
    return key
      == SecretBytes(bytes("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
  }
}
