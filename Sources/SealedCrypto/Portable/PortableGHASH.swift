/// GHASH (NIST SP 800-38D, 6.4) without tables, by way of POLYVAL (RFC 8452, appendix A): with bytes
/// reversed and the hash key multiplied by x once, products need no shift.
///
/// Two blocks are added up before one reduction, by the square of the hash key and the key itself.
@safe struct PortableGHASH {
  /// A hash key ready to multiply: itself and its square.
  struct Key {
    fileprivate let first: Factor
    fileprivate let second: Factor

    /// - Parameters: the encrypted zero block as two big-endian words.
    init(high: UInt64, low: UInt64) {
      // Times x, by masks.
      let carry = 0 &- (high &>> 63)
      let element = (
        low: low &<< 1 ^ carry & 1,
        high: (high &<< 1 | low &>> 63) ^ carry & 0xc200_0000_0000_0000
      )
      first = Factor(element.low, element.high)
      var square = Product()
      square.add(element.low, element.high, times: first)
      let (low, high) = square.reduced
      second = Factor(low, high)
    }
  }

  private let key: UnsafePointer<Key>
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Begins with a hash key, which stays where it is as long as this lives.
  init(_ key: UnsafePointer<Key>) { unsafe self.key = key }

  /// The value so far as two big-endian words.
  var value: (high: UInt64, low: UInt64) { (high, low) }

  /// Goes on from a value.
  mutating func resume(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Takes in bytes, the last block filled up by zeros.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var position = 0
    while bytes.count &- position >= 32 {
      unsafe absorbTwo(base + position)
      position &+= 32
    }
    if bytes.count &- position >= 16 {
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
    var product = Product()
    unsafe product.add(self.low ^ low, self.high ^ high, times: key.pointee.first)
    (self.low, self.high) = product.reduced
  }

  @inline(__always)
  private mutating func absorbTwo(_ blocks: UnsafeRawPointer) {
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
      unsafe UInt64(bigEndian: blocks.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var product = Product()
    unsafe product.add(low ^ word(8), high ^ word(0), times: key.pointee.second)
    unsafe product.add(word(24), word(16), times: key.pointee.first)
    (low, high) = product.reduced
  }

  // MARK: Multiplication

  /// A field element ready to multiply by Karatsuba's method: both halves and their sum.
  fileprivate struct Factor {
    let low: CarrylessFactor
    let high: CarrylessFactor
    let sum: CarrylessFactor

    init(_ low: UInt64, _ high: UInt64) {
      self.low = CarrylessFactor(low)
      self.high = CarrylessFactor(high)
      sum = CarrylessFactor(low ^ high)
    }
  }

  /// A sum of products that waits for its reduction.
  private struct Product {
    private var r0: UInt64 = 0
    private var r1: UInt64 = 0
    private var r2: UInt64 = 0
    private var r3: UInt64 = 0

    @inline(__always)
    mutating func add(_ low: UInt64, _ high: UInt64, times factor: Factor) {
      let a = factor.low.times(low)
      let b = factor.high.times(high)
      let middle = factor.sum.times(low ^ high)
      r0 ^= a.low
      r1 ^= a.high ^ middle.low ^ a.low ^ b.low
      r2 ^= b.low ^ middle.high ^ a.high ^ b.high
      r3 ^= b.high
    }

    /// Modulo x^128 + x^127 + x^126 + x^121 + 1, divided by x^128.
    @inline(__always)
    var reduced: (low: UInt64, high: UInt64) {
      let q = r1 ^ r0 &<< 63 ^ r0 &<< 62 ^ r0 &<< 57
      return (
        r2 ^ r0 ^ r0 &>> 1 ^ r0 &>> 2 ^ r0 &>> 7 ^ q &<< 63 ^ q &<< 62 ^ q &<< 57,
        r3 ^ q ^ q &>> 1 ^ q &>> 2 ^ q &>> 7
      )
    }
  }
}
