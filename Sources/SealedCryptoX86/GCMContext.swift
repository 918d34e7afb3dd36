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
    /// Bytes of a context, which is aligned to 64.
    package static let size = 768

    static let roundsOffset = 240
    static let powersOffset = 256
    static let sumsOffset = 512
    static let wideSumsOffset = 640

    /// Expands a key of 16 or 32 bytes; nothing depends on the key but what is computed.
    package static func prepare(
      _ context: UnsafeMutableRawPointer, key: UnsafeRawPointer, keyCount: Int
    ) {
      let rounds = keyCount / 4 + 6
      if keyCount == 16 {
        unsafe KeySchedule.expand16(key, into: context)
      } else {
        unsafe KeySchedule.expand32(key, into: context)
      }
      unsafe context.storeBytes(of: rounds, toByteOffset: roundsOffset, as: Int.self)
      let hashKey = unsafe encrypt(.zero128, context, rounds).reversed
      let first = doubled(hashKey)
      unsafe store(first, exponent: 1, in: context)
      // Each power is a product of two known ones; few of them wait for each other.
      unsafe multiply(by: 1, in: context)
      unsafe multiply(by: 2, in: context)
      unsafe multiply(by: 4, in: context)
      unsafe multiply(by: 8, in: context)
    }

    /// Doubles the number of powers, which is `known`.
    @inline(__always)
    private static func multiply(by known: Int, in context: UnsafeMutableRawPointer) {
      let factor = unsafe Vector128.load(context, powersOffset &+ 16 &* (16 &- known))
      var exponent = known &+ 1
      while exponent <= 2 &* known {
        let offset = powersOffset &+ 16 &* (16 &- exponent &+ known)
        let power = unsafe GHASH128.product(.load(context, offset), factor)
        unsafe store(power, exponent: exponent, in: context)
        exponent &+= 1
      }
    }

    /// Puts a power and the sum of its halves into their places.
    @inline(__always)
    private static func store(
      _ power: Vector128, exponent: Int, in context: UnsafeMutableRawPointer
    ) {
      let index = 16 - exponent
      let place = index & ~3 | (index & 1) << 1 | (index & 2) >> 1
      let sum = power[0] ^ power[1]
      unsafe power.store(context, powersOffset + 16 * index)
      unsafe context.storeBytes(of: sum, toByteOffset: sumsOffset + 8 * index, as: Int64.self)
      unsafe context.storeBytes(of: sum, toByteOffset: wideSumsOffset + 8 * place, as: Int64.self)
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
