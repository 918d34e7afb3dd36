#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// An expanded AES key and the powers of its hash key, as the kernels read them.
  ///
  /// ```
  ///   0  round keys, 16 bytes each: 11 or 15
  /// 240  number of rounds, 8 bytes: 10 or 14
  /// 256  H^16 … H^1, 16 bytes each, reflected and shifted left by one bit
  /// 512  sums of the two halves of each power, 8 bytes each, in the same order
  /// 640  the same in the order in which registers of 256 bits meet them: of each four powers the
  ///      first, third, second, fourth
  /// 768
  /// ```
  /// Any m <= 16 blocks are hashed with one reduction, by the last m powers.
  package enum GCMContext {
    /// Bytes of a context; 64 is its alignment.
    package static let size = 768
    package static let alignment = 64

    static let roundsOffset = 240
    static let powersOffset = 256
    static let sumsOffset = 512
    static let wideSumsOffset = 640

    /// Expands a key of 16 or 32 bytes; nothing depends on the key but what is computed.
    package static func prepare(
      _ context: UnsafeMutableRawPointer, key: UnsafeRawPointer, keyCount: Int
    ) {
      let rounds = unsafe expand(key, words: keyCount / 4, into: context)
      unsafe context.storeBytes(of: rounds, toByteOffset: roundsOffset, as: Int.self)
      let hashKey = unsafe encrypt(.zero128, context, rounds).reversed
      let power = doubled(hashKey)
      var current = power
      for index in (0..<16).reversed() {
        unsafe current.store(context, powersOffset + 16 * index)
        let place = index & ~3 | (index & 1) << 1 | (index & 2) >> 1
        unsafe context.storeBytes(
          of: current[0] ^ current[1], toByteOffset: sumsOffset + 8 * index, as: Int64.self)
        unsafe context.storeBytes(
          of: current[0] ^ current[1], toByteOffset: wideSumsOffset + 8 * place, as: Int64.self)
        current = GHASH128.product(current, power)
      }
    }

    /// One block.
    @inline(__always)
    static func encrypt(
      _ block: Vector128, _ context: UnsafeRawPointer, _ rounds: Int
    ) -> Vector128 {
      var block = unsafe block.xor(.load(context))
      for round in 1..<rounds {
        block = unsafe _mm_aesenc_si128(block, .load(context, 16 &* round))
      }
      return unsafe _mm_aesenclast_si128(block, .load(context, 16 &* rounds))
    }

    /// FIPS 197, 5.2. Returns the number of rounds.
    private static func expand(
      _ key: UnsafeRawPointer, words: Int, into target: UnsafeMutableRawPointer
    ) -> Int {
      let rounds = words + 6
      unsafe target.copyMemory(from: key, byteCount: 4 * words)
      var constant: UInt32 = 1
      for index in words..<4 * (rounds + 1) {
        var word = unsafe target.load(fromByteOffset: 4 * (index - 1), as: UInt32.self)
        if index % words == 0 {
          word = substitute(word >> 8 | word << 24) ^ constant
          // The round constants are public.
          constant = constant & 0x80 != 0 ? (constant << 1) ^ 0x11b : constant << 1
        } else if words > 6, index % words == 4 {
          word = substitute(word)
        }
        word ^= unsafe target.load(fromByteOffset: 4 * (index - words), as: UInt32.self)
        unsafe target.storeBytes(of: word, toByteOffset: 4 * index, as: UInt32.self)
      }
      return rounds
    }

    /// The S-box on the bytes of a word: a last round with equal columns moves nothing.
    @inline(__always)
    private static func substitute(_ word: UInt32) -> UInt32 {
      let both = Int64(bitPattern: UInt64(word) << 32 | UInt64(word))
      let result = _mm_aesenclast_si128(Vector128(both, both), .zero128)
      return UInt32(truncatingIfNeeded: result[0])
    }

    /// A field element times x, by masks.
    @inline(__always)
    private static func doubled(_ element: Vector128) -> Vector128 {
      let low = UInt64(bitPattern: element[0])
      let high = UInt64(bitPattern: element[1])
      let carry = 0 &- (high &>> 63)
      return Vector128(
        Int64(bitPattern: low &<< 1 ^ carry & 1),
        Int64(bitPattern: (high &<< 1 | low &>> 63) ^ carry & 0xc200_0000_0000_0000))
    }
  }
#endif
