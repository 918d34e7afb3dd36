internal import Builtin

/// Two 64-bit words in one vector register, of any processor that Swift serves.
///
/// The standard library's own operators on SIMD types become loops over the lanes in large
/// functions; these go straight to the compiler's vector operations.
typealias Word2 = SIMD2<UInt64>

extension Word2 {
  @inline(__always)
  static func load(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Word2 {
    unsafe base.loadUnaligned(fromByteOffset: offset, as: Word2.self)
  }

  @inline(__always)
  func store(_ base: UnsafeMutableRawPointer, _ offset: Int = 0) {
    unsafe base.storeBytes(of: self, toByteOffset: offset, as: Word2.self)
  }

  @inline(__always)
  private var bits: Builtin.Vec2xInt64 {
    unsafe unsafeBitCast(self, to: Builtin.Vec2xInt64.self)
  }

  @inline(__always)
  private init(bits: Builtin.Vec2xInt64) {
    self = unsafe unsafeBitCast(bits, to: Word2.self)
  }

  @inline(__always)
  func xor(_ other: Word2) -> Word2 { Word2(bits: Builtin.xor_Vec2xInt64(bits, other.bits)) }

  @inline(__always)
  func and(_ other: Word2) -> Word2 { Word2(bits: Builtin.and_Vec2xInt64(bits, other.bits)) }

  @inline(__always)
  func or(_ other: Word2) -> Word2 { Word2(bits: Builtin.or_Vec2xInt64(bits, other.bits)) }

  /// The sums modulo 2^64.
  @inline(__always)
  func plus(_ other: Word2) -> Word2 { Word2(bits: Builtin.add_Vec2xInt64(bits, other.bits)) }

  /// Each word shifted to the left by a constant below 64.
  @inline(__always)
  func left(_ count: UInt64) -> Word2 {
    Word2(bits: Builtin.shl_Vec2xInt64(bits, Word2(count, count).bits))
  }

  /// Each word shifted to the right by a constant below 64.
  @inline(__always)
  func right(_ count: UInt64) -> Word2 {
    Word2(bits: Builtin.lshr_Vec2xInt64(bits, Word2(count, count).bits))
  }

  /// Each word rotated to the right by a constant from 1 to 63.
  @inline(__always)
  func rotated(_ count: UInt64) -> Word2 { right(count).or(left(64 &- count)) }

  /// The products of the lower 32 bits.
  @inline(__always)
  func lowProduct(_ other: Word2) -> Word2 {
    let mask = Word2(0xffff_ffff, 0xffff_ffff)
    return Word2(bits: Builtin.mul_Vec2xInt64(and(mask).bits, other.and(mask).bits))
  }
}
