extension SelfTest {
  /// Case 16 of the GCM specification (McGrew and Viega), sealed, opened, and refused when changed.
  static func checkGCM(_ backend: CryptoBackend) -> Bool {
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
    guard let gcm = cipher(key, backend) else { return false }
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

  /// Five kilobytes, for which all kernels take other paths than for a few blocks. The answer is
  /// OpenSSL's: SHA-256 of ciphertext and tag.
  static func checkLongGCM(_ backend: CryptoBackend) -> Bool {
    let key = (0..<32).map { UInt8($0 * 7 + 1) }
    let nonce = Array(key.prefix(12))
    let text = (0..<5007).map { UInt8(truncatingIfNeeded: $0 * ($0 >> 3)) }
    guard let gcm = cipher(key, backend) else { return false }
    var made = text
    var tag = [UInt8](repeating: 0, count: 16)
    guard apply(gcm, seals: true, &made, nonce, key, &tag) else { return false }
    let digest = bytes("7424c36a1270bdade720a3112b4de8dd77560d9196f36cc9a838acf3f22fecff")
    var hash = SHA256(backend: .portable)
    hash.update(made + tag)
    guard hash.finalize() == digest else { return false }
    return apply(gcm, seals: false, &made, nonce, key, &tag) && made == text
  }

  private static func cipher(_ key: [UInt8], _ backend: CryptoBackend) -> AESGCM? {
    unsafe try? key.withRaw { try unsafe AESGCM(key: $0, backend: backend) }
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
}
