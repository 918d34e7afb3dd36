#if arch(x86_64)
  internal import Builtin
  internal import _Builtin_intrinsics.intel

  /// What AES-GCM needs of two blocks in a register.
  extension Vector256 {
    // VPCLMULQDQ, which the header has as a macro only; the selector must be a constant.

    /// The carry-less products of the low halves.
    @inline(__always)
    func lowProduct(_ other: Vector256) -> Vector256 {
      Vector256(bits: Builtin.int_x86_pclmulqdq_256(bits, other.bits, UInt8(0x00)._value))
    }

    /// The carry-less products of the high halves.
    @inline(__always)
    func highProduct(_ other: Vector256) -> Vector256 {
      Vector256(bits: Builtin.int_x86_pclmulqdq_256(bits, other.bits, UInt8(0x11)._value))
    }

    /// The bytes of each block in reverse.
    @inline(__always)
    var reversed: Vector256 {
      let order: (Int64, Int64) = (0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607)
      return _mm256_shuffle_epi8(self, Vector256(order.0, order.1, order.0, order.1))
    }

    /// The halves of each block exchanged.
    @inline(__always)
    var swapped: Vector256 { Vector256(self[1], self[0], self[3], self[2]) }

    /// The sum of the two blocks in the first place, zeros in the other.
    @inline(__always)
    var gathered: Vector256 {
      let sum = xor(Vector256(self[2], self[3], 0, 0))
      return Vector256(sum[0], sum[1], 0, 0)
    }
  }
#endif
