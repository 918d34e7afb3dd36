internal import Builtin

/// Two 64-bit words in one vector register, of any processor that Swift serves.
///
/// The standard library's own operators on SIMD types become loops over the lanes in large
/// functions; these go straight to the compiler's vector operations.
struct Word2: SlicedWord {
  private let bits: Builtin.Vec2xInt64

  @inline(__always)
  private init(bits: Builtin.Vec2xInt64) { self.bits = bits }

  @inline(__always)
  init(_ low: UInt64, _ high: UInt64) {
    bits = unsafe unsafeBitCast(SIMD2(low, high), to: Builtin.Vec2xInt64.self)
  }

  /// The same word twice.
  @inline(__always)
  init(both word: UInt64) { self.init(word, word) }

  private var words: SIMD2<UInt64> {
    @inline(__always) get { unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self) }
  }

  /// The first word.
  var low: UInt64 {
    @inline(__always) get { words[0] }
  }

  /// The second word.
  var high: UInt64 {
    @inline(__always) get { words[1] }
  }

  @inline(__always)
  static func load(_ base: UnsafeRawPointer, _ offset: Int = 0) -> Word2 {
    let words = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    return Word2(bits: unsafe unsafeBitCast(words, to: Builtin.Vec2xInt64.self))
  }

  @inline(__always)
  func store(_ base: UnsafeMutableRawPointer, _ offset: Int = 0) {
    unsafe base.storeBytes(of: words, toByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  @inline(__always)
  static func ^ (left: Word2, right: Word2) -> Word2 {
    Word2(bits: Builtin.xor_Vec2xInt64(left.bits, right.bits))
  }

  @inline(__always)
  static func & (left: Word2, right: Word2) -> Word2 {
    Word2(bits: Builtin.and_Vec2xInt64(left.bits, right.bits))
  }

  @inline(__always)
  static func | (left: Word2, right: Word2) -> Word2 {
    Word2(bits: Builtin.or_Vec2xInt64(left.bits, right.bits))
  }

  /// The sums modulo 2^64.
  @inline(__always)
  static func &+ (left: Word2, right: Word2) -> Word2 {
    Word2(bits: Builtin.add_Vec2xInt64(left.bits, right.bits))
  }

  /// Each word shifted to the left by a constant below 64.
  @inline(__always)
  static func &<< (word: Word2, count: UInt64) -> Word2 {
    Word2(bits: Builtin.shl_Vec2xInt64(word.bits, Word2(both: count).bits))
  }

  /// Each word shifted to the right by a constant below 64.
  @inline(__always)
  static func &>> (word: Word2, count: UInt64) -> Word2 {
    Word2(bits: Builtin.lshr_Vec2xInt64(word.bits, Word2(both: count).bits))
  }

  /// Each word rotated to the right by a constant from 1 to 63.
  @inline(__always)
  func rotated(_ count: UInt64) -> Word2 { self &>> count | self &<< (64 &- count) }

  /// The products of the lower 32 bits.
  @inline(__always)
  func lowProduct(_ other: Word2) -> Word2 {
    let mask = Word2(both: 0xffff_ffff)
    return Word2(bits: Builtin.mul_Vec2xInt64((self & mask).bits, (other & mask).bits))
  }
}
