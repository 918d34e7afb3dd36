import BenchmarkSupport

/// What the ciphers work on: the same bytes for every engine.
final class CryptoInput {
  static let tagSize = 16

  let key: UnsafeMutableRawBufferPointer
  let nonce = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 16)
  let additionalData: UnsafeMutableRawBufferPointer
  let plaintext: UnsafeMutableRawBufferPointer
  let ciphertext: UnsafeMutableRawBufferPointer
  let tag = UnsafeMutableRawBufferPointer.allocate(byteCount: tagSize, alignment: 16)
  private var counter: UInt32 = 0

  init(size: Int) {
    var random = RandomSource(seed: 5)
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
      for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
      return buffer
    }
    key = bytes(32)
    additionalData = bytes(16)
    plaintext = bytes(size)
    ciphertext = bytes(size)
    setNonce(0)
  }

  deinit {
    for buffer in [key, nonce, additionalData, plaintext, ciphertext, tag] { buffer.deallocate() }
  }

  /// Makes the nonce that of a number.
  func setNonce(_ number: UInt32) {
    counter = number
    for index in 0..<8 { nonce[index] = UInt8(index) }
    nonce.storeBytes(of: number.bigEndian, toByteOffset: 8, as: UInt32.self)
  }

  /// Makes the nonce the next one, as every message has one of its own.
  @inline(__always)
  func advanceNonce() {
    counter &+= 1
    nonce.storeBytes(of: counter.bigEndian, toByteOffset: 8, as: UInt32.self)
  }

  /// A checksum of text and tag.
  func checksum(_ text: UnsafeMutableRawBufferPointer) -> UInt64 {
    var sum = ValueChecksum()
    sum.take(UnsafeRawBufferPointer(text))
    sum.take(UnsafeRawBufferPointer(tag))
    return sum.sum
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = ValueChecksum()
    sum.take(bytes)
    return sum.sum
  }
}

/// Passphrase and salt of the derivations, the same for every engine.
enum DerivationInput {
  static let password = Array("correct horse battery staple".utf8)
  static let salt = (0..<16).map { UInt8($0) }
  static let passes = 3
}
