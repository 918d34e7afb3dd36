internal import Synchronization

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

  /// The most messages that one key seals: 2^32 (SP 800-38D, 8.3, for nonces of any construction).
  public static let invocationLimit: UInt64 = 1 << 32

  let kernel: GCMKernel
  private let invocations: Atomic<UInt64>

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
    key: UnsafeRawBufferPointer, backend: CryptoBackend, slab: SecretSlab = .shared,
    invocations: UInt64 = 0
  ) throws(CryptoError) {
    self.invocations = Atomic(invocations)
    kernel = try unsafe GCMKernel(key, backend: backend, slab: slab)
  }

  /// Seals `plaintext` into `ciphertext`, which may be the same memory, and writes the tag.
  ///
  /// - Throws: `.invalidParameter` where sizes don't fit, `.limitExceeded` for a message too
  ///   long or past `invocationLimit`, `.forked`.
  public func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    try Self.check(
      text: plaintext.count, output: ciphertext.count, nonce: nonce.count, aad: aad.count,
      tag: tag.count)
    try countInvocation()
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
    try checkIntact()
    guard unsafe kernel.open(ciphertext, into: plaintext, nonce: nonce, aad: aad, tag: tag) else {
      unsafe zeroize(plaintext)
      throw .authentication
    }
  }

  /// Throws `.forked` where the system wiped the key, as it does in a forked child.
  @inline(__always)
  package func checkIntact() throws(CryptoError) {
    guard kernel.isIntact else { throw .forked }
  }

  /// Counts a message that is about to be sealed.
  @inline(__always)
  func countInvocation() throws(CryptoError) {
    try checkIntact()
    guard invocations.add(1, ordering: .relaxed).oldValue < Self.invocationLimit else {
      throw CryptoError(.limitExceeded, "the key has sealed 2^32 messages: take a new one")
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
