/// GHASH (NIST SP 800-38D, 6.4) without tables, by way of POLYVAL (RFC 8452, appendix A): with bytes
/// reversed and the hash key multiplied by x once, products need no shift.
///
/// Up to eight blocks, each with its own power of the hash key, are added up before one reduction;
/// two at a time lie beside each other in a vector. `GHASHFactors` has the multiplication.
///
/// Safe, as the key's owner keeps it where it is as long as this lives.
@safe struct PortableGHASH {
  /// Bytes of a hash key ready to multiply.
  static let keySize = GHASHFactors.size

  private let factors: GHASHFactors
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Begins with what `prepare` made.
  init(_ key: UnsafeRawPointer) { unsafe factors = GHASHFactors(key) }

  /// Makes the powers of a hash key.
  ///
  /// - Parameters:
  ///   - key: `keySize` bytes.
  ///   - high, low: the encrypted zero block as two big-endian words.
  static func prepare(_ key: UnsafeMutableRawPointer, high: UInt64, low: UInt64) {
    // Times x, by masks.
    let carry = 0 &- (high &>> 63)
    let first = (
      low: low &<< 1 ^ carry & 1, high: (high &<< 1 | low &>> 63) ^ carry & 0xc200_0000_0000_0000
    )
    var power = first
    for exponent in 1...8 {
      unsafe GHASHFactors.store(power.low, power.high, exponent: exponent, in: key)
      // The power so far times the first one, which is there by now.
      if exponent < 8 { power = unsafe product(power, with: key) }
    }
  }

  /// The product with the first power.
  private static func product(
    _ element: (low: UInt64, high: UInt64), with key: UnsafeRawPointer
  ) -> (low: UInt64, high: UInt64) {
    var hash = unsafe PortableGHASH(key)
    hash.absorb(high: element.high, low: element.low)
    return (hash.low, hash.high)
  }

  /// The value so far as two big-endian words.
  var value: (high: UInt64, low: UInt64) { (high, low) }

  /// Goes on from a value.
  mutating func resume(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Takes in bytes, the last block filled up by zeros.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var position = 0
    while bytes.count &- position >= 16 {
      let count = min(8, (bytes.count &- position) / 16)
      unsafe absorb(base + position, count: count)
      position &+= 16 &* count
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
    var block = (high.bigEndian, low.bigEndian)
    unsafe withUnsafeBytes(of: &block) { block in
      if let base = block.baseAddress { unsafe absorb(base, count: 1) }
    }
  }

  /// Takes in 1 to 8 blocks.
  private mutating func absorb(_ blocks: UnsafeRawPointer, count: Int) {
    let pairs = (count &+ 1) / 2
    unsafe withUnsafeTemporaryAllocation(
      byteCount: GHASHFactors.inputSize, alignment: 16
    ) { input in
      guard let input = input.baseAddress else { return }
      // The hash so far joins the first block; an odd block has a block of zeros before it.
      var index = count &- 2 &* pairs
      var (y0, y1) = (low, high)
      for pair in 0..<pairs {
        var first: (low: UInt64, high: UInt64) = (0, 0)
        if index >= 0 {
          first = unsafe Self.words(blocks + 16 &* index)
          first = (first.low ^ y0, first.high ^ y1)
          (y0, y1) = (0, 0)
        }
        let second = unsafe Self.words(blocks + 16 &* (index &+ 1))
        unsafe GHASHFactors.put(
          Word2(first.low, second.low ^ y0), Word2(first.high, second.high ^ y1),
          pair: pair &+ 4 &- pairs, in: input)
        (y0, y1) = (0, 0)
        index &+= 2
      }
      (low, high) = unsafe factors.sumOfProducts(input, pairs: pairs)
    }
  }

  /// A block as two words, the one of lower weight first.
  @inline(__always)
  private static func words(_ block: UnsafeRawPointer) -> (low: UInt64, high: UInt64) {
    unsafe (
      UInt64(bigEndian: block.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      UInt64(bigEndian: block.loadUnaligned(as: UInt64.self))
    )
  }
}
