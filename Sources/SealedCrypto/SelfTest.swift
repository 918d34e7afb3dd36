/// Known answers, checked once before the library is first used (FIPS 140-3 calls them
/// cryptographic algorithm self-tests).
enum SelfTest {
  /// What failed; nil where everything is right.
  static func run() -> String? {
    for backend in CryptoBackend.available where !checkHash(backend) {
      return "SHA-256 (\(backend.rawValue))"
    }
    if !checkHMAC() { return "HMAC" }
    if !checkBlocks() { return "AES" }
    for backend in CryptoBackend.available where !checkGCM(backend) {
      return "AES-GCM (\(backend.rawValue))"
    }
    if let kernel = checkLong() { return "AES-GCM (\(kernel), a kilobyte)" }
    if !checkKeyWrap() { return "key wrap" }
    return nil
  }

  /// FIPS 180-4's example "abc".
  private static let digest = bytes(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

  private static func checkHash(_ backend: CryptoBackend) -> Bool {
    var hash = SHA256(backend: backend)
    hash.update(Array("abc".utf8))
    return hash.finalize() == digest
  }

  /// A kilobyte, for which the kernels take other paths than for a few blocks: as the portable code
  /// seals it.
  private static func checkLong() -> String? {
    let key = (0..<32).map { UInt8($0 * 7 + 1) }
    let text = (0..<1055).map { UInt8(truncatingIfNeeded: $0 * $0 &>> 3) }
    var expected: (text: [UInt8], tag: [UInt8])?
    for backend in CryptoBackend.available {
      let gcm = unsafe try? key.withRaw { try unsafe AESGCM(key: $0, backend: backend) }
      guard let gcm else { return backend.rawValue }
      var made = (text: text, tag: [UInt8](repeating: 0, count: 16))
      guard apply(gcm, seals: true, &made.text, Array(key.prefix(12)), key, &made.tag) else {
        return backend.rawValue
      }
      let first = expected ?? made
      guard made.text == first.text, made.tag == first.tag,
        apply(gcm, seals: false, &made.text, Array(key.prefix(12)), key, &made.tag),
        made.text == text
      else { return backend.rawValue }
      expected = first
    }
    return nil
  }

  /// RFC 4231, case 2.
  private static func checkHMAC() -> Bool {
    HMACSHA256.code(
      for: Array("what do ya want for nothing?".utf8), key: SecretBytes(Array("Jefe".utf8)))
      == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  /// FIPS 197, appendix C.3, both ways.
  private static func checkBlocks() -> Bool {
    let plain = bytes("00112233445566778899aabbccddeeff")
    let sealed = bytes("8ea2b7ca516745bfeafc49904b496089")
    let keyBytes = (0..<32).map { UInt8($0) }
    guard let key = unsafe try? keyBytes.withRaw({ try unsafe AESKey($0) }) else { return false }
    var block = plain
    unsafe block.withMutableRaw { if let base = $0.baseAddress { unsafe key.encrypt(base) } }
    guard block == sealed else { return false }
    unsafe block.withMutableRaw { if let base = $0.baseAddress { unsafe key.decrypt(base) } }
    return block == plain
  }

  /// Case 16 of the GCM specification (McGrew and Viega), sealed, opened, and refused when changed.
  private static func checkGCM(_ backend: CryptoBackend) -> Bool {
    let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let nonce = bytes("cafebabefacedbaddecaf888")
    let aad = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let plain = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    let sealed = bytes(
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662")
    let expectedTag = bytes("76fc6ece0f4e1768cddf8853bb2d551b")
    guard let gcm = unsafe try? key.withRaw({ try unsafe AESGCM(key: $0, backend: backend) }) else {
      return false
    }
    var text = plain
    var tag = [UInt8](repeating: 0, count: 16)
    guard apply(gcm, seals: true, &text, nonce, aad, &tag), text == sealed, tag == expectedTag,
      apply(gcm, seals: false, &text, nonce, aad, &tag), text == plain
    else { return false }
    tag[0] ^= 1
    text = sealed
    return !apply(gcm, seals: false, &text, nonce, aad, &tag)
      && text.allSatisfy { $0 == 0 }
  }

  private static func apply(
    _ gcm: AESGCM, seals: Bool, _ text: inout [UInt8], _ nonce: [UInt8], _ aad: [UInt8],
    _ tag: inout [UInt8]
  ) -> Bool {
    do {
      unsafe try text.withMutableRaw { (text) throws(CryptoError) in
        unsafe try nonce.withRaw { (nonce) throws(CryptoError) in
          unsafe try aad.withRaw { (aad) throws(CryptoError) in
            unsafe try tag.withMutableRaw { (tag) throws(CryptoError) in
              if seals {
                try unsafe gcm.seal(
                  UnsafeRawBufferPointer(text), into: text, nonce: nonce, aad: aad, tag: tag)
              } else {
                try unsafe gcm.open(
                  UnsafeRawBufferPointer(text), into: text, nonce: nonce, aad: aad,
                  tag: UnsafeRawBufferPointer(tag))
              }
            }
          }
        }
      }
      return true
    } catch { return false }
  }

  /// RFC 3394, 4.6.
  private static func checkKeyWrap() -> Bool {
    let wrappingKey = SecretBytes((0..<32).map { UInt8($0) })
    let key = SecretBytes(bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f"))
    let wrapped = bytes(
      "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21")
    guard let made = try? AESKeyWrap.wrap(key, with: wrappingKey), made == wrapped,
      let back = try? AESKeyWrap.unwrap(wrapped, with: wrappingKey)
    else { return false }
    return back == key
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
