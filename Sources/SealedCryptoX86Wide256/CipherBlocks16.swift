#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Sixteen blocks that go through AES together, two a register.
  struct CipherBlocks16 {
    private var b0, b1, b2, b3, b4, b5, b6, b7: Vector256

    /// Sixteen counter blocks from `counter` on, which moves behind them, with the first round key.
    @inline(__always)
    init(from counter: inout Vector256, key: Vector256) {
      @inline(__always)
      func next() -> Vector256 {
        let block = counter.reversed.xor(key)
        counter = _mm256_add_epi32(counter, Vector256(2, 0, 2, 0))
        return block
      }
      b0 = next()
      b1 = next()
      b2 = next()
      b3 = next()
      b4 = next()
      b5 = next()
      b6 = next()
      b7 = next()
    }

    @inline(__always)
    mutating func round(_ key: Vector256) {
      b0 = _mm256_aesenc_epi128(b0, key)
      b1 = _mm256_aesenc_epi128(b1, key)
      b2 = _mm256_aesenc_epi128(b2, key)
      b3 = _mm256_aesenc_epi128(b3, key)
      b4 = _mm256_aesenc_epi128(b4, key)
      b5 = _mm256_aesenc_epi128(b5, key)
      b6 = _mm256_aesenc_epi128(b6, key)
      b7 = _mm256_aesenc_epi128(b7, key)
    }

    /// The last round, added to 256 bytes of text.
    @inline(__always)
    func finish(
      _ key: Vector256, _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer
    ) {
      @inline(__always)
      func one(_ block: Vector256, _ offset: Int) {
        unsafe _mm256_aesenclast_epi128(block, key.xor(.load(source, offset)))
          .store(target, offset)
      }
      one(b0, 0)
      one(b1, 32)
      one(b2, 64)
      one(b3, 96)
      one(b4, 128)
      one(b5, 160)
      one(b6, 192)
      one(b7, 224)
    }
  }
#endif
