#if arch(x86_64)
  internal import Builtin
  internal import _Builtin_intrinsics.intel

  /// Four 64-bit words, or two blocks of 128 bits, in one register.
  typealias Vector256 = SIMD4<Int64>

  extension Vector256 {
    @inline(__always)
    static func load(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Vector256 {
      unsafe base.loadUnaligned(fromByteOffset: offset, as: Vector256.self)
    }

    /// One block in both places.
    @inline(__always)
    static func broadcast(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Vector256 {
      let block = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD2<Int64>.self)
      return Vector256(block[0], block[1], block[0], block[1])
    }

    @inline(__always)
    func store(_ base: UnsafeMutableRawPointer, _ offset: Int = 0) {
      unsafe base.storeBytes(of: self, toByteOffset: offset, as: Vector256.self)
    }

    @inline(__always)
    var bits: Builtin.Vec4xInt64 {
      unsafe unsafeBitCast(self, to: Builtin.Vec4xInt64.self)
    }

    @inline(__always)
    init(bits: Builtin.Vec4xInt64) {
      self = unsafe unsafeBitCast(bits, to: Vector256.self)
    }

    @inline(__always)
    func xor(_ other: Vector256) -> Vector256 {
      Vector256(bits: Builtin.xor_Vec4xInt64(bits, other.bits))
    }

    @inline(__always)
    func plus(_ other: Vector256) -> Vector256 {
      Vector256(bits: Builtin.add_Vec4xInt64(bits, other.bits))
    }

    /// Each word rotated to the right by a constant from 1 to 63.
    @inline(__always)
    func rotated(_ count: Int64) -> Vector256 {
      let right = Vector256(repeating: count)
      let left = Vector256(repeating: 64 &- count)
      return Vector256(
        bits: Builtin.or_Vec4xInt64(
          Builtin.lshr_Vec4xInt64(bits, right.bits), Builtin.shl_Vec4xInt64(bits, left.bits)))
    }
  }
#endif
