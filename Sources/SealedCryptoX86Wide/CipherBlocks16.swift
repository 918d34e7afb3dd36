#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Sixteen blocks that go through AES together.
  struct CipherBlocks16 {
    private var b0, b1, b2, b3: Vector512

    /// Sixteen counter blocks from `counter` on, which moves behind them, with the first round key.
    @inline(__always)
    init(from counter: inout Vector512, key: Vector512) {
      let four = Vector512(4, 0, 4, 0, 4, 0, 4, 0)
      let c1 = _mm512_add_epi32(counter, four)
      let c2 = _mm512_add_epi32(c1, four)
      let c3 = _mm512_add_epi32(c2, four)
      b0 = counter.reversed.xor(key)
      b1 = c1.reversed.xor(key)
      b2 = c2.reversed.xor(key)
      b3 = c3.reversed.xor(key)
      counter = _mm512_add_epi32(c3, four)
    }

    @inline(__always)
    mutating func round(_ key: Vector512) {
      b0 = _mm512_aesenc_epi128(b0, key)
      b1 = _mm512_aesenc_epi128(b1, key)
      b2 = _mm512_aesenc_epi128(b2, key)
      b3 = _mm512_aesenc_epi128(b3, key)
    }

    @inline(__always)
    mutating func rounds(_ first: Vector512, _ second: Vector512) {
      round(first)
      round(second)
    }

    /// The last round, added to 256 bytes of text.
    @inline(__always)
    func finish(
      _ key: Vector512, _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer
    ) {
      unsafe _mm512_aesenclast_epi128(b0, key.xor(.load(source))).store(target)
      unsafe _mm512_aesenclast_epi128(b1, key.xor(.load(source, 64))).store(target, 64)
      unsafe _mm512_aesenclast_epi128(b2, key.xor(.load(source, 128))).store(target, 128)
      unsafe _mm512_aesenclast_epi128(b3, key.xor(.load(source, 192))).store(target, 192)
    }
  }
#endif
