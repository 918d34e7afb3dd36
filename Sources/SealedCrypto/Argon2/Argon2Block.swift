/// The compression function G of Argon2 (RFC 9106, 3.5), two words at a time.
enum Argon2Block {
  /// Writes G(a, b) to `target`, added to what is there if `adds`.
  ///
  /// - Parameters:
  ///   - target: 1 KiB; may be `a` or `b`.
  ///   - scratch: 1 KiB of its own.
  static func mix(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
    adds: Bool, scratch: UnsafeMutableRawPointer
  ) {
    for row in 0..<8 {
      var words = Argon2Words { index in
        let offset = 128 &* row &+ 16 &* index
        let sum = unsafe Word2.load(a, offset) ^ .load(b, offset)
        unsafe (adds ? sum ^ .load(target, offset) : sum).store(scratch, offset)
        return sum
      }
      words.permute()
      words.each { index, word in unsafe word.store(target, 128 &* row &+ 16 &* index) }
    }
    for column in 0..<8 {
      var words = Argon2Words { index in
        unsafe Word2.load(target, 128 &* index &+ 16 &* column)
      }
      words.permute()
      words.each { index, word in
        let offset = 128 &* index &+ 16 &* column
        unsafe (word ^ .load(scratch, offset)).store(target, offset)
      }
    }
  }
}

/// Sixteen words that go through the permutation P of Argon2 (RFC 9106, 3.6) together: BLAKE2b's
/// round, its additions strengthened by products.
private struct Argon2Words {
  private var a0, a1, b0, b1, c0, c1, d0, d1: Word2

  @inline(__always)
  init(_ pair: (Int) -> Word2) {
    a0 = pair(0)
    a1 = pair(1)
    b0 = pair(2)
    b1 = pair(3)
    c0 = pair(4)
    c1 = pair(5)
    d0 = pair(6)
    d1 = pair(7)
  }

  @inline(__always)
  func each(_ body: (Int, Word2) -> Void) {
    body(0, a0)
    body(1, a1)
    body(2, b0)
    body(3, b1)
    body(4, c0)
    body(5, c1)
    body(6, d0)
    body(7, d1)
  }

  @inline(__always)
  mutating func permute() {
    mix()
    // The diagonals become columns, and columns again.
    (b0, b1) = (Word2(b0.high, b1.low), Word2(b1.high, b0.low))
    (c0, c1) = (c1, c0)
    (d0, d1) = (Word2(d1.high, d0.low), Word2(d0.high, d1.low))
    mix()
    (b0, b1) = (Word2(b1.high, b0.low), Word2(b0.high, b1.low))
    (c0, c1) = (c1, c0)
    (d0, d1) = (Word2(d0.high, d1.low), Word2(d1.high, d0.low))
  }

  /// GB of the RFC on four columns.
  @inline(__always)
  private mutating func mix() {
    a0 = Self.add(a0, b0)
    a1 = Self.add(a1, b1)
    d0 = (d0 ^ a0).rotated(32)
    d1 = (d1 ^ a1).rotated(32)
    c0 = Self.add(c0, d0)
    c1 = Self.add(c1, d1)
    b0 = (b0 ^ c0).rotated(24)
    b1 = (b1 ^ c1).rotated(24)
    a0 = Self.add(a0, b0)
    a1 = Self.add(a1, b1)
    d0 = (d0 ^ a0).rotated(16)
    d1 = (d1 ^ a1).rotated(16)
    c0 = Self.add(c0, d0)
    c1 = Self.add(c1, d1)
    b0 = (b0 ^ c0).rotated(63)
    b1 = (b1 ^ c1).rotated(63)
  }

  /// x + y + 2 · low(x) · low(y).
  @inline(__always)
  private static func add(_ x: Word2, _ y: Word2) -> Word2 {
    let product = x.lowProduct(y)
    return x &+ y &+ (product &+ product)
  }
}
