#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Eight blocks that go through AES together: as many as hide the latency of a round.
  struct CipherBlocks8 {
    var b0, b1, b2, b3, b4, b5, b6, b7: Vector128

    /// Eight counter blocks behind `counter`, with the first round key.
    @inline(__always)
    init(behind counter: Vector128, key: Vector128) {
      b0 = counter.advanced(1).reversed.xor(key)
      b1 = counter.advanced(2).reversed.xor(key)
      b2 = counter.advanced(3).reversed.xor(key)
      b3 = counter.advanced(4).reversed.xor(key)
      b4 = counter.advanced(5).reversed.xor(key)
      b5 = counter.advanced(6).reversed.xor(key)
      b6 = counter.advanced(7).reversed.xor(key)
      b7 = counter.advanced(8).reversed.xor(key)
    }

    @inline(__always)
    mutating func round(_ key: Vector128) {
      b0 = _mm_aesenc_si128(b0, key)
      b1 = _mm_aesenc_si128(b1, key)
      b2 = _mm_aesenc_si128(b2, key)
      b3 = _mm_aesenc_si128(b3, key)
      b4 = _mm_aesenc_si128(b4, key)
      b5 = _mm_aesenc_si128(b5, key)
      b6 = _mm_aesenc_si128(b6, key)
      b7 = _mm_aesenc_si128(b7, key)
    }

    /// The last round, added to 128 bytes of text.
    @inline(__always)
    func finish(
      _ key: Vector128, _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer
    ) {
      @inline(__always)
      func one(_ block: Vector128, _ offset: Int) {
        unsafe _mm_aesenclast_si128(block, key.xor(.load(source, offset))).store(target, offset)
      }
      one(b0, 0)
      one(b1, 16)
      one(b2, 32)
      one(b3, 48)
      one(b4, 64)
      one(b5, 80)
      one(b6, 96)
      one(b7, 112)
    }

    /// The last round.
    @inline(__always)
    func finish(_ key: Vector128, into target: UnsafeMutableRawPointer) {
      unsafe _mm_aesenclast_si128(b0, key).store(target, 0)
      unsafe _mm_aesenclast_si128(b1, key).store(target, 16)
      unsafe _mm_aesenclast_si128(b2, key).store(target, 32)
      unsafe _mm_aesenclast_si128(b3, key).store(target, 48)
      unsafe _mm_aesenclast_si128(b4, key).store(target, 64)
      unsafe _mm_aesenclast_si128(b5, key).store(target, 80)
      unsafe _mm_aesenclast_si128(b6, key).store(target, 96)
      unsafe _mm_aesenclast_si128(b7, key).store(target, 112)
    }
  }

  /// Four blocks that go through AES together: for the end of a message.
  struct CipherBlocks4 {
    var b0, b1, b2, b3: Vector128

    @inline(__always)
    init(behind counter: Vector128, key: Vector128) {
      b0 = counter.advanced(1).reversed.xor(key)
      b1 = counter.advanced(2).reversed.xor(key)
      b2 = counter.advanced(3).reversed.xor(key)
      b3 = counter.advanced(4).reversed.xor(key)
    }

    @inline(__always)
    mutating func round(_ key: Vector128) {
      b0 = _mm_aesenc_si128(b0, key)
      b1 = _mm_aesenc_si128(b1, key)
      b2 = _mm_aesenc_si128(b2, key)
      b3 = _mm_aesenc_si128(b3, key)
    }

    /// The last round.
    @inline(__always)
    func finish(_ key: Vector128, into target: UnsafeMutableRawPointer) {
      unsafe _mm_aesenclast_si128(b0, key).store(target, 0)
      unsafe _mm_aesenclast_si128(b1, key).store(target, 16)
      unsafe _mm_aesenclast_si128(b2, key).store(target, 32)
      unsafe _mm_aesenclast_si128(b3, key).store(target, 48)
    }
  }
#endif
