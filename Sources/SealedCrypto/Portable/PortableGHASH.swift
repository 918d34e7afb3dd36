/// GHASH (NIST SP 800-38D, 6.4) without tables: carry-less products out of ordinary ones.
///
/// Operands are split into every fourth bit, so that carries fall into the holes between (T. Pornin,
/// "Constant-time multiplication"); the high halves come from reversed operands. Karatsuba: three
/// products of 64 bits a block and half.
struct PortableGHASH {
  private let h0: UInt64
  private let h1: UInt64
  private let h0Reversed: UInt64
  private let h1Reversed: UInt64
  private var y0: UInt64 = 0
  private var y1: UInt64 = 0

  /// Begins with the hash key: the encrypted zero block as two big-endian words.
  init(high: UInt64, low: UInt64) {
    h1 = high
    h0 = low
    h1Reversed = Self.reverse(high)
    h0Reversed = Self.reverse(low)
  }

  /// The value so far as two big-endian words.
  var value: (high: UInt64, low: UInt64) { (y1, y0) }

  /// Takes in bytes, the last block filled up by zeros.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var position = 0
    while bytes.count &- position >= 16 {
      unsafe absorb(
        high: UInt64(bigEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
        low: UInt64(bigEndian: base.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self)))
      position &+= 16
    }
    guard position < bytes.count else { return }
    var words: (UInt64, UInt64) = (0, 0)
    for index in position..<bytes.count {
      let byte = UInt64(unsafe bytes[index])
      let place = index - position
      if place < 8 {
        words.0 |= byte << UInt64(56 - 8 * place)
      } else {
        words.1 |= byte << UInt64(120 - 8 * place)
      }
    }
    absorb(high: words.0, low: words.1)
  }

  /// Takes in one block.
  mutating func absorb(high: UInt64, low: UInt64) {
    let a1 = y1 ^ high
    let a0 = y0 ^ low
    let a1Reversed = Self.reverse(a1)
    let a0Reversed = Self.reverse(a0)
    let z0 = Self.multiply(a0, h0)
    let z1 = Self.multiply(a1, h1)
    let z2 = Self.multiply(a0 ^ a1, h0 ^ h1) ^ z0 ^ z1
    let z0High = Self.multiply(a0Reversed, h0Reversed)
    let z1High = Self.multiply(a1Reversed, h1Reversed)
    let z2High = Self.multiply(a0Reversed ^ a1Reversed, h0Reversed ^ h1Reversed) ^ z0High ^ z1High
    // 255 bits of product, then one place to the left, since GHASH counts bits from the top.
    var v0 = z0
    var v1 = Self.reverse(z0High) &>> 1 ^ z2
    var v2 = z1 ^ Self.reverse(z2High) &>> 1
    var v3 = Self.reverse(z1High) &>> 1
    v3 = v3 &<< 1 | v2 &>> 63
    v2 = v2 &<< 1 | v1 &>> 63
    v1 = v1 &<< 1 | v0 &>> 63
    v0 = v0 &<< 1
    // Modulo x^128 + x^7 + x^2 + x + 1.
    v2 ^= v0 ^ v0 &>> 1 ^ v0 &>> 2 ^ v0 &>> 7
    v1 ^= v0 &<< 63 ^ v0 &<< 62 ^ v0 &<< 57
    v3 ^= v1 ^ v1 &>> 1 ^ v1 &>> 2 ^ v1 &>> 7
    v2 ^= v1 &<< 63 ^ v1 &<< 62 ^ v1 &<< 57
    y0 = v2
    y1 = v3
  }

  /// The lower 64 bits of the carry-less product.
  @inline(__always)
  private static func multiply(_ x: UInt64, _ y: UInt64) -> UInt64 {
    let m0: UInt64 = 0x1111_1111_1111_1111
    let m1: UInt64 = 0x2222_2222_2222_2222
    let m2: UInt64 = 0x4444_4444_4444_4444
    let m3: UInt64 = 0x8888_8888_8888_8888
    let (x0, x1, x2, x3) = (x & m0, x & m1, x & m2, x & m3)
    let (y0, y1, y2, y3) = (y & m0, y & m1, y & m2, y & m3)
    let z0 = (x0 &* y0) ^ (x1 &* y3) ^ (x2 &* y2) ^ (x3 &* y1)
    let z1 = (x0 &* y1) ^ (x1 &* y0) ^ (x2 &* y3) ^ (x3 &* y2)
    let z2 = (x0 &* y2) ^ (x1 &* y1) ^ (x2 &* y0) ^ (x3 &* y3)
    let z3 = (x0 &* y3) ^ (x1 &* y2) ^ (x2 &* y1) ^ (x3 &* y0)
    return (z0 & m0) | (z1 & m1) | (z2 & m2) | (z3 & m3)
  }

  /// The bits in reverse order.
  @inline(__always)
  private static func reverse(_ word: UInt64) -> UInt64 {
    var x = word.byteSwapped
    x = (x & 0x0f0f_0f0f_0f0f_0f0f) &<< 4 | (x &>> 4) & 0x0f0f_0f0f_0f0f_0f0f
    x = (x & 0x3333_3333_3333_3333) &<< 2 | (x &>> 2) & 0x3333_3333_3333_3333
    return (x & 0x5555_5555_5555_5555) &<< 1 | (x &>> 1) & 0x5555_5555_5555_5555
  }
}
