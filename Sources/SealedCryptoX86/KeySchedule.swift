#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// AES's key expansion (FIPS 197, 5.2) on AES-NI, four words at a time.
  enum KeySchedule {
    /// Expands 16 bytes to 11 round keys.
    static func expand16(_ key: UnsafeRawPointer, into target: UnsafeMutableRawPointer) {
      var last = unsafe Vector128.load(key)
      unsafe last.store(target)
      var constant: UInt32 = 1
      for round in 1...10 {
        last = running(last).xor(turned(last)).xor(everywhere(constant))
        unsafe last.store(target, 16 &* round)
        constant = next(constant)
      }
    }

    /// Expands 32 bytes to 15 round keys.
    static func expand32(_ key: UnsafeRawPointer, into target: UnsafeMutableRawPointer) {
      var (first, second) = unsafe (Vector128.load(key), Vector128.load(key, 16))
      unsafe first.store(target)
      unsafe second.store(target, 16)
      var constant: UInt32 = 1
      for pair in 1...7 {
        first = running(first).xor(turned(second)).xor(everywhere(constant))
        unsafe first.store(target, 32 &* pair)
        guard pair < 7 else { break }
        second = running(second).xor(substituted(first))
        unsafe second.store(target, 32 &* pair &+ 16)
        constant = next(constant)
      }
    }

    /// The round constants are public.
    private static func next(_ constant: UInt32) -> UInt32 {
      constant & 0x80 != 0 ? (constant << 1) ^ 0x11b : constant << 1
    }

    @inline(__always)
    private static func everywhere(_ word: UInt32) -> Vector128 {
      let both = Int64(bitPattern: UInt64(word) << 32 | UInt64(word))
      return Vector128(both, both)
    }

    /// Each word with all before it added.
    @inline(__always)
    private static func running(_ words: Vector128) -> Vector128 {
      // Shuffled by an index with its top bit set, a byte is zero.
      let one = Vector128(0x0302_0100_8080_8080, 0x0b0a_0908_0706_0504)
      let two = words.xor(_mm_shuffle_epi8(words, one))
      return two.xor(Vector128(0, two[0]))
    }

    // The S-box on the last word, in all places: a last round with equal columns moves nothing.

    @inline(__always)
    private static func substituted(_ words: Vector128) -> Vector128 {
      let order = Vector128(0x0f0e_0d0c_0f0e_0d0c, 0x0f0e_0d0c_0f0e_0d0c)
      return _mm_aesenclast_si128(_mm_shuffle_epi8(words, order), .zero128)
    }

    /// The same, turned by one byte.
    @inline(__always)
    private static func turned(_ words: Vector128) -> Vector128 {
      let order = Vector128(0x0c0f_0e0d_0c0f_0e0d, 0x0c0f_0e0d_0c0f_0e0d)
      return _mm_aesenclast_si128(_mm_shuffle_epi8(words, order), .zero128)
    }
  }
#endif
