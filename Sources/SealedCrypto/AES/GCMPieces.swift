/// What the streams of AES-GCM share: counter, hash, and the lengths that end it.
struct GCMPieces: ~Copyable {
  private let kernel: GCMKernel
  private var counter: AESCounterMode
  private var hash: GHASHStream
  private let first: [UInt8]
  private let aadLength: UInt64
  private var length: UInt64 = 0

  init(_ kernel: GCMKernel, nonce: [UInt8], aad: [UInt8]) throws(CryptoError) {
    guard kernel.isIntact else { throw .forked }
    guard !nonce.isEmpty else { throw CryptoError(.invalidParameter, "the nonce is empty") }
    self.kernel = kernel
    first = Self.initialCounter(kernel, nonce)
    counter = AESCounterMode(kernel, behind: first)
    hash = GHASHStream(kernel)
    aadLength = UInt64(aad.count)
    unsafe aad.withRaw { unsafe hash.update($0) }
    hash.pad()
  }

  /// J0 of the standard.
  private static func initialCounter(_ kernel: GCMKernel, _ nonce: [UInt8]) -> [UInt8] {
    guard nonce.count != 12 else { return nonce + [0, 0, 0, 1] }
    var hash = GHASHStream(kernel)
    unsafe nonce.withRaw { unsafe hash.update($0) }
    var block = [UInt8]()
    unsafe hash.finish(0, UInt64(nonce.count)) { value in
      block = unsafe Array(UnsafeRawBufferPointer(start: value, count: 16))
    }
    return block
  }

  /// Adds to the length of the message.
  mutating func count(_ bytes: Int) throws(CryptoError) {
    guard kernel.isIntact else { throw .forked }
    guard UInt64(bytes) <= AESGCM.messageLimit - length else {
      throw CryptoError(
        .limitExceeded, "a message has at most \(AESGCM.messageLimit) bytes under GCM")
    }
    length += UInt64(bytes)
  }

  mutating func absorb(_ ciphertext: UnsafeRawBufferPointer) { unsafe hash.update(ciphertext) }

  mutating func crypt(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    try count(input.count)
    try unsafe counter.crypt(input, into: output)
  }

  consuming func tag() throws(CryptoError) -> [UInt8] {
    guard kernel.isIntact else { throw .forked }
    var tag = [UInt8](repeating: 0, count: AESGCM.tagSize)
    unsafe hash.finish(aadLength, length) { [kernel, first] value in
      unsafe first.withRaw { counter in
        guard let counter = counter.baseAddress else { return }
        unsafe kernel.crypt(value, into: value, counter: counter, blockCount: 1)
      }
      unsafe tag.withMutableRaw { tag in
        unsafe tag.copyMemory(from: UnsafeRawBufferPointer(start: value, count: tag.count))
      }
    }
    return tag
  }

  consuming func check(_ expected: [UInt8]) throws(CryptoError) {
    guard expected.count == AESGCM.tagSize else {
      throw CryptoError(.invalidParameter, "a tag has 16 bytes, not \(expected.count)")
    }
    var tag = try tag()
    let isRight = unsafe tag.withRaw { made in
      unsafe expected.withRaw { unsafe constantTimeEquals(made, $0) }
    }
    unsafe tag.withMutableRaw { unsafe zeroize($0) }
    guard isRight else { throw .authentication }
  }
}
