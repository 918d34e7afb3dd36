/// Eight powers of a hash key, ready to multiply eight blocks by, two at a time.
///
/// Carry-less products of 32 bits come out of ordinary ones: each operand is split into every fourth
/// bit, so that the carries of at most eight terms fall into the holes between (T. Pornin,
/// "Constant-time multiplication"). Products of 128 bits are nine of those, by Karatsuba's method
/// twice. Multiplications take the same time whatever their operands on the processors that Swift
/// serves.
///
/// ```
/// for each of four pairs of powers, the highest first:
///   for each of lower half, upper half, their sum:
///     for each of its lower word, upper word, their sum:
///       every fourth bit from bit 0, 1, 2, 3 on: 16 bytes each, the two powers' words
/// ```
@safe struct GHASHFactors {
  /// Bytes of the powers.
  static let size = 4 * pairSize
  /// Bytes of the blocks: for each pair lower halves, upper halves, their sums.
  static let inputSize = 4 * 48

  private static let pairSize = 9 * wordSize
  private static let wordSize = 4 * 16

  private let powers: UnsafeRawPointer

  init(_ powers: UnsafeRawPointer) { unsafe self.powers = powers }

  /// Puts a power, from 1 to 8, into its place.
  static func store(
    _ low: UInt64, _ high: UInt64, exponent: Int, in powers: UnsafeMutableRawPointer
  ) {
    let index = 8 - exponent
    var target = unsafe powers + pairSize * (index / 2) + 8 * (index % 2)
    for half in [low, high, low ^ high] {
      let (a, b) = (half & 0xffff_ffff, half >> 32)
      for word in [a, b, a ^ b] {
        for bit in 0..<4 {
          unsafe target.storeBytes(
            of: word & (0x1111_1111 << UInt64(bit)), toByteOffset: 16 * bit, as: UInt64.self)
        }
        unsafe target += wordSize
      }
    }
  }

  /// Puts two blocks, half by half, into their place among four pairs.
  @inline(__always)
  static func put(
    _ low: Word2, _ high: Word2, pair: Int, in input: UnsafeMutableRawPointer
  ) {
    unsafe low.store(input, 48 &* pair)
    unsafe high.store(input, 48 &* pair &+ 16)
    unsafe (low ^ high).store(input, 48 &* pair &+ 32)
  }

  /// The sum of the last pairs' products, reduced.
  @inline(__always)
  func sumOfProducts(_ input: UnsafeRawPointer, pairs: Int) -> (low: UInt64, high: UInt64) {
    let lower = unsafe product(input, half: 0, pairs)
    let upper = unsafe product(input, half: 1, pairs)
    let mixed = unsafe product(input, half: 2, pairs)
    let middle = (
      mixed.low ^ lower.low ^ upper.low, mixed.high ^ lower.high ^ upper.high
    )
    return Self.reduced(
      lower.low, lower.high ^ middle.0, upper.low ^ middle.1, upper.high)
  }

  /// The sum of the products of one half of all blocks, 128 bits.
  @inline(__always)
  private func product(
    _ input: UnsafeRawPointer, half: Int, _ pairs: Int
  ) -> (low: UInt64, high: UInt64) {
    let low = unsafe wordProduct(input, half, 0, pairs) { $0 }
    let high = unsafe wordProduct(input, half, 1, pairs) { $0 &>> 32 }
    let middle = unsafe wordProduct(input, half, 2, pairs) { $0 ^ $0 &>> 32 } ^ low ^ high
    return (low ^ middle &<< 32, high ^ middle &>> 32)
  }

  /// The sum of the products of one word of all blocks, 64 bits.
  ///
  /// - Parameter word: brings the word into the lower half; what is above is ignored.
  @inline(__always)
  private func wordProduct(
    _ input: UnsafeRawPointer, _ half: Int, _ place: Int, _ pairs: Int,
    _ word: (Word2) -> Word2
  ) -> UInt64 {
    let zero = Word2(both: 0)
    var (c0, c1, c2, c3) = (zero, zero, zero, zero)
    var pair = 4 &- pairs
    while pair < 4 {
      let other = unsafe word(.load(input, 48 &* pair &+ 16 &* half))
      let b0 = other & Word2(both: 0x1111_1111)
      let b1 = other & Word2(both: 0x2222_2222)
      let b2 = other & Word2(both: 0x4444_4444)
      let b3 = other & Word2(both: 0x8888_8888)
      let factor = unsafe powers + (Self.pairSize &* pair &+ Self.wordSize &* (3 &* half &+ place))
      let (a0, a1) = unsafe (Word2.load(factor), Word2.load(factor, 16))
      let (a2, a3) = unsafe (Word2.load(factor, 32), Word2.load(factor, 48))
      c0 = c0 ^ a0.lowProduct(b0) ^ a1.lowProduct(b3) ^ a2.lowProduct(b2) ^ a3.lowProduct(b1)
      c1 = c1 ^ a0.lowProduct(b1) ^ a1.lowProduct(b0) ^ a2.lowProduct(b3) ^ a3.lowProduct(b2)
      c2 = c2 ^ a0.lowProduct(b2) ^ a1.lowProduct(b1) ^ a2.lowProduct(b0) ^ a3.lowProduct(b3)
      c3 = c3 ^ a0.lowProduct(b3) ^ a1.lowProduct(b2) ^ a2.lowProduct(b1) ^ a3.lowProduct(b0)
      pair &+= 1
    }
    let sum =
      (c0 & Word2(both: 0x1111_1111_1111_1111)) ^ (c1 & Word2(both: 0x2222_2222_2222_2222))
      ^ (c2 & Word2(both: 0x4444_4444_4444_4444)) ^ (c3 & Word2(both: 0x8888_8888_8888_8888))
    return sum.low ^ sum.high
  }

  /// Modulo x^128 + x^127 + x^126 + x^121 + 1, divided by x^128.
  @inline(__always)
  private static func reduced(
    _ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64
  ) -> (low: UInt64, high: UInt64) {
    let q = r1 ^ r0 &<< 63 ^ r0 &<< 62 ^ r0 &<< 57
    return (
      r2 ^ r0 ^ r0 &>> 1 ^ r0 &>> 2 ^ r0 &>> 7 ^ q &<< 63 ^ q &<< 62 ^ q &<< 57,
      r3 ^ q ^ q &>> 1 ^ q &>> 2 ^ q &>> 7
    )
  }
}
