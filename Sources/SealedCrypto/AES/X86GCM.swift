#if arch(x86_64)
  internal import SealedCryptoX86

  /// GCM on the kernels for x86-64: round keys and powers of the hash key, zeroed at the end.
  ///
  /// Unchecked, as what it owns is written in `init` alone.
  @safe final class X86GCM: @unchecked Sendable {
    let context: UnsafeMutableRawPointer
    private let slab: SecretSlab
    private let width: GCMWidth

    init(_ key: UnsafeRawBufferPointer, backend: CryptoBackend, slab: SecretSlab)
      throws(CryptoError)
    {
      guard key.count == 16 || key.count == 32, let base = key.baseAddress else {
        throw CryptoError(.invalidParameter, "an AES key has 16 or 32 bytes, not \(key.count)")
      }
      width = backend >= .vaes512 ? .bits512 : backend >= .vaes256 ? .bits256 : .bits128
      self.slab = slab
      unsafe context = slab.allocate(GCMContext.size)
      unsafe GCMContext.prepare(context, key: base, keyCount: key.count)
    }

    deinit {
      unsafe slab.release(context, GCMContext.size)
    }

    @inline(__always)
    var isIntact: Bool { unsafe SecretSlab.isIntact(context, GCMContext.size) }

    func seal(
      _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
      nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
      tag: UnsafeMutableRawBufferPointer
    ) {
      guard let tag = tag.baseAddress else { return }
      let message = unsafe message(plaintext, into: ciphertext, nonce: nonce, aad: aad)
      unsafe GCMKernel128.seal(context, message, tag: tag, width: width)
    }

    func open(
      _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
      nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
    ) -> Bool {
      let message = unsafe message(ciphertext, into: plaintext, nonce: nonce, aad: aad)
      var expected: (UInt64, UInt64) = (0, 0)
      return unsafe withUnsafeMutableBytes(of: &expected) { expected in
        guard let base = expected.baseAddress else { return false }
        unsafe GCMKernel128.open(context, message, tag: base, width: width)
        // One comparison of all 128 bits; a right tag of changed text is nobody's to see.
        let high = unsafe base.load(as: UInt64.self) ^ tag.loadUnaligned(as: UInt64.self)
        let low =
          unsafe base.load(fromByteOffset: 8, as: UInt64.self)
          ^ tag.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        unsafe zeroize(expected)
        return high | low == 0
      }
    }

    @inline(__always)
    private func message(
      _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
      nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer
    ) -> GCMMessage {
      // An empty buffer may have no address; none of its bytes is touched.
      let anywhere = unsafe context
      return unsafe GCMMessage(
        counter: initialCounter(nonce), aad: aad.baseAddress ?? UnsafeRawPointer(anywhere),
        aadCount: aad.count, source: source.baseAddress ?? UnsafeRawPointer(anywhere),
        target: target.baseAddress ?? anywhere, count: source.count)
    }

    @inline(__always)
    private func initialCounter(_ nonce: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
      guard nonce.count == 12 else {
        guard let base = nonce.baseAddress else { return (0, 0) }
        return unsafe GCMKernel128.counter(context, nonce: base, count: nonce.count)
      }
      let last = unsafe nonce.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      return unsafe (nonce.loadUnaligned(as: UInt64.self), UInt64(last) | 1 << 56)
    }
  }
#endif
