internal import SealedCrypto
internal import SealedLog

/// What the contents of one text of a vault are sealed with; used for that text alone.
struct VaultKeys {
  private let gcm: AESGCM
  private let nonce: [UInt8]
  let commitment: [UInt8]

  init(rootKey: SecretBytes, salt: [UInt8], label: [UInt8]) throws(CryptoError) {
    let extracted = try HKDF.extract(salt: salt, inputKey: rootKey)
    let secrets = try HKDF.expand(pseudorandomKey: extracted, info: label, count: 76)
    gcm = try unsafe secrets.withUnsafeBytes { (bytes) throws(CryptoError) in
      try unsafe AESGCM(key: UnsafeRawBufferPointer(rebasing: bytes[0..<32]))
    }
    nonce = unsafe secrets.withUnsafeBytes { unsafe Array($0[32..<44]) }
    commitment = unsafe secrets.withUnsafeBytes { unsafe Array($0[44..<76]) }
  }

  /// Seals in place; returns the tag.
  func seal(_ text: inout [UInt8], additional: [UInt8]) throws(StoreError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: AESGCM.tagSize)
    try withCrypto { () throws(CryptoError) in
      try unsafe text.withMutableRaw { (text) throws(CryptoError) in
        try unsafe nonce.withRaw { (nonce) throws(CryptoError) in
          try unsafe additional.withRaw { (additional) throws(CryptoError) in
            try unsafe tag.withMutableRaw { (tag) throws(CryptoError) in
              try unsafe gcm.seal(
                UnsafeRawBufferPointer(text), into: text, nonce: nonce, aad: additional, tag: tag)
            }
          }
        }
      }
    }
    return tag
  }

  /// Opens in place; false where it doesn't authenticate.
  func open(_ text: inout [UInt8], additional: [UInt8], tag: [UInt8]) -> Bool {
    do throws(CryptoError) {
      try unsafe text.withMutableRaw { (text) throws(CryptoError) in
        try unsafe nonce.withRaw { (nonce) throws(CryptoError) in
          try unsafe additional.withRaw { (additional) throws(CryptoError) in
            try unsafe tag.withRaw { (tag) throws(CryptoError) in
              try unsafe gcm.open(
                UnsafeRawBufferPointer(text), into: text, nonce: nonce, aad: additional, tag: tag)
            }
          }
        }
      }
      return true
    } catch { return false }
  }
}
