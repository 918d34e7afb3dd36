#if arch(x86_64)
  internal import Builtin
  internal import _Builtin_intrinsics.intel

  /// Four blocks of 128 bits in one register.
  typealias Vector512 = SIMD8<Int64>

  extension Vector512 {
    @inline(__always)
    static func load(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Vector512 {
      unsafe base.loadUnaligned(fromByteOffset: offset, as: Vector512.self)
    }

    /// One block in each of the four places.
    @inline(__always)
    static func broadcast(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Vector512 {
      unsafe _mm512_broadcast_i32x4(
        base.loadUnaligned(fromByteOffset: offset, as: SIMD2<Int64>.self))
    }

    @inline(__always)
    func store(_ base: UnsafeMutableRawPointer, _ offset: Int = 0) {
      unsafe base.storeBytes(of: self, toByteOffset: offset, as: Vector512.self)
    }

    @inline(__always)
    private var bits: Builtin.Vec8xInt64 {
      unsafe unsafeBitCast(self, to: Builtin.Vec8xInt64.self)
    }

    @inline(__always)
    private init(bits: Builtin.Vec8xInt64) {
      self = unsafe unsafeBitCast(bits, to: Vector512.self)
    }

    @inline(__always)
    func xor(_ other: Vector512) -> Vector512 {
      Vector512(bits: Builtin.xor_Vec8xInt64(bits, other.bits))
    }

    // VPCLMULQDQ, which the header has as a macro only; the selector must be a constant.

    /// The carry-less products of the low halves.
    @inline(__always)
    func lowProduct(_ other: Vector512) -> Vector512 {
      Vector512(bits: Builtin.int_x86_pclmulqdq_512(bits, other.bits, UInt8(0x00)._value))
    }

    /// The sums of the two mixed carry-less products.
    @inline(__always)
    func middleProduct(_ other: Vector512) -> Vector512 {
      let a = Builtin.int_x86_pclmulqdq_512(bits, other.bits, UInt8(0x01)._value)
      let b = Builtin.int_x86_pclmulqdq_512(bits, other.bits, UInt8(0x10)._value)
      return Vector512(bits: Builtin.xor_Vec8xInt64(a, b))
    }

    /// The carry-less products of the high halves.
    @inline(__always)
    func highProduct(_ other: Vector512) -> Vector512 {
      Vector512(bits: Builtin.int_x86_pclmulqdq_512(bits, other.bits, UInt8(0x11)._value))
    }

    /// The bytes of each block in reverse.
    @inline(__always)
    var reversed: Vector512 {
      _mm512_shuffle_epi8(
        self,
        _mm512_broadcast_i32x4(SIMD2<Int64>(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607)))
    }

    /// The halves of each block exchanged.
    @inline(__always)
    var swapped: Vector512 {
      Vector512(self[1], self[0], self[3], self[2], self[5], self[4], self[7], self[6])
    }

    /// The sum of the four blocks in the first place, zeros in the others.
    @inline(__always)
    var gathered: Vector512 {
      let two = xor(Vector512(self[4], self[5], self[6], self[7], 0, 0, 0, 0))
      return Vector512(two[0], two[1], 0, 0, 0, 0, 0, 0)
        .xor(Vector512(two[2], two[3], 0, 0, 0, 0, 0, 0))
    }
  }
#endif
