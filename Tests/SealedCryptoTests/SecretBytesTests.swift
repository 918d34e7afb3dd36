import SealedCrypto
import Testing

/// Secrets are compared whole and never shown.
@Suite struct SecretBytesTests {
  @Test func nothingIsShown() {
    let secret = SecretBytes(Array("hush".utf8))
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("hush") && !text.contains("104"))
    }
  }

  @Test func comparisonSeesEveryByte() {
    let bytes = [UInt8](0..<40)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(SecretBytes(bytes) != SecretBytes(other))
    }
    #expect(SecretBytes(bytes) == SecretBytes(bytes))
    #expect(SecretBytes(bytes) != SecretBytes(Array(bytes.dropLast())))
  }

  @Test func randomBytesDiffer() throws {
    #expect(try SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
    #expect(try SystemRandom.bytes(1000).count == 1000)
  }

  @Test func limitsAreKept() {
    let key = SecretBytes(count: 32)
    #expect(throws: CryptoError.self) {
      try HKDF.expand(pseudorandomKey: key, info: [], count: 255 * 32 + 1)
    }
    #expect(throws: CryptoError.self) {
      try PBKDF2.deriveKey(password: key, salt: [], iterations: 0, count: 32)
    }
    #expect(throws: CryptoError.self) { try AESKeyWrap.wrap(SecretBytes(count: 8), with: key) }
    #expect(throws: CryptoError.self) {
      try AESKeyWrap.unwrapPadded([1, 2, 3], with: key)
    }
  }

  @Test func theSelfTestsPass() {
    #expect(CryptoModule.status.failure == nil)
    #expect(CryptoModule.status.isOpen)
  }
}
