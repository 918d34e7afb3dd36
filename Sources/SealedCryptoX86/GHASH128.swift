#if arch(x86_64)
  /// Sums of carry-less products that wait for one reduction.
  ///
  /// GHASH on reflected operands (S. Gueron, M. Kounavis, "Intel carry-less multiplication
  /// instruction and its usage for computing the GCM mode", with the hash key shifted by one bit
  /// beforehand, RFC 8452 appendix A): products of several blocks, each by its own power of the
  /// hash key, are added up before the result is brought back to 128 bits.
  struct GHASH128 {
    private var low = Vector128.zero128
    private var middle = Vector128.zero128
    private var high = Vector128.zero128

    /// Adds the product of a block and a power.
    @inline(__always)
    mutating func add(_ block: Vector128, times power: Vector128) {
      low = low.xor(block.multiplied(by: power, .lowLow))
      middle = middle.xor(
        block.multiplied(by: power, .lowHigh).xor(block.multiplied(by: power, .highLow)))
      high = high.xor(block.multiplied(by: power, .highHigh))
    }

    /// Adds the products of two blocks and two powers by Karatsuba's method: six multiplications
    /// for eight.
    ///
    /// - Parameter sums: the sum of the halves of each power.
    @inline(__always)
    mutating func add(
      _ first: Vector128, _ second: Vector128, times firstPower: Vector128,
      _ secondPower: Vector128, sums: Vector128
    ) {
      let halves = Vector128(first[0], second[0]).xor(Vector128(first[1], second[1]))
      let lows = first.multiplied(by: firstPower, .lowLow)
        .xor(second.multiplied(by: secondPower, .lowLow))
      let highs = first.multiplied(by: firstPower, .highHigh)
        .xor(second.multiplied(by: secondPower, .highHigh))
      let mixed = halves.multiplied(by: sums, .lowLow).xor(halves.multiplied(by: sums, .highHigh))
      low = low.xor(lows)
      high = high.xor(highs)
      middle = middle.xor(mixed).xor(lows).xor(highs)
    }

    /// The sum modulo x^128 + x^127 + x^126 + x^121 + 1, by two multiplications.
    @inline(__always)
    var reduced: Vector128 {
      let polynomial = Vector128(Int64(bitPattern: 0xc200_0000_0000_0000), 0)
      let folded = middle.xor(low.swapped.xor(polynomial.multiplied(by: low, .lowLow)))
      return high.xor(folded.swapped.xor(polynomial.multiplied(by: folded, .lowLow)))
    }

    /// The product of two field elements.
    @inline(__always)
    static func product(_ a: Vector128, _ b: Vector128) -> Vector128 {
      var sum = GHASH128()
      sum.add(a, times: b)
      return sum.reduced
    }
  }
#endif
