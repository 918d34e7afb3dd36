/// AES in Galois/counter mode (NIST SP 800-38D), with a key expanded once.
///
/// Sealing and opening allocate nothing. The caller sees to it that no nonce is used twice under a
/// key. Zeroed when the last reference goes; may be used by several threads at once.
public final class AESGCM: Sendable {
  /// The most bytes of one message: 2^39 - 256 bits.
  public static let messageLimit: UInt64 = (1 << 36) - 32
  /// The most bytes of additional data: 2^64 - 1 bits.
  public static let additionalDataLimit: UInt64 = (1 << 61) - 1
  /// The length of a tag.
  public static let tagSize = 16

  private let kernel: GCMKernel

  /// Expands a key of 16 or 32 bytes.
  ///
  /// - Throws: `.invalidParameter` for another length, `.selfTestFailed`.
  public convenience init(key: UnsafeRawBufferPointer) throws(CryptoError) {
    try CryptoModule.checkOpen()
    try unsafe self.init(key: key, backend: .best)
  }

  /// Expands a key into a store's slab.
  package convenience init(
    key: UnsafeRawBufferPointer, slab: SecretSlab
  ) throws(CryptoError) {
    try CryptoModule.checkOpen()
    try unsafe self.init(key: key, backend: .best, slab: slab)
  }

  /// Expands a key for a given backend: for tests, and the self tests.
  package init(
    key: UnsafeRawBufferPointer, backend: CryptoBackend, slab: SecretSlab = .shared
  ) throws(CryptoError) {
    kernel = try unsafe GCMKernel(key, backend: backend, slab: slab)
  }

  /// Seals `plaintext` into `ciphertext`, which may be the same memory, and writes the tag.
  ///
  /// - Throws: `.invalidParameter` where sizes don't fit, `.limitExceeded`, `.forked`.
  public func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    try Self.check(
      text: plaintext.count, output: ciphertext.count, nonce: nonce.count, aad: aad.count,
      tag: tag.count)
    guard kernel.isIntact else { throw .forked }
    unsafe kernel.seal(plaintext, into: ciphertext, nonce: nonce, aad: aad, tag: tag)
  }

  /// Opens `ciphertext` into `plaintext`, which may be the same memory.
  ///
  /// - Throws: `.authenticationFailure` where the tag doesn't fit; `plaintext` is then zeroed.
  ///   `.invalidParameter` where sizes don't fit, `.limitExceeded`, `.forked`.
  public func open(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
  ) throws(CryptoError) {
    try Self.check(
      text: ciphertext.count, output: plaintext.count, nonce: nonce.count, aad: aad.count,
      tag: tag.count)
    guard kernel.isIntact else { throw .forked }
    guard unsafe kernel.open(ciphertext, into: plaintext, nonce: nonce, aad: aad, tag: tag) else {
      unsafe zeroize(plaintext)
      throw .authentication
    }
  }

  private static func check(
    text: Int, output: Int, nonce: Int, aad: Int, tag: Int
  ) throws(CryptoError) {
    guard output == text else {
      throw CryptoError(.invalidParameter, "the output has \(output) bytes, the input \(text)")
    }
    guard tag == tagSize else {
      throw CryptoError(.invalidParameter, "a tag has 16 bytes, not \(tag)")
    }
    guard nonce > 0 else { throw CryptoError(.invalidParameter, "the nonce is empty") }
    guard UInt64(text) <= messageLimit, UInt64(aad) <= additionalDataLimit else {
      throw CryptoError(.limitExceeded, "a message of \(text) bytes is too long for GCM")
    }
  }
}
