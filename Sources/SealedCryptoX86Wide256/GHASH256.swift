#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Sums of carry-less products of two blocks a register, that wait for one reduction; what
  /// `GHASH128` of the narrow kernels does, twice beside each other.
  struct GHASH256 {
    private var low = Vector256(0, 0, 0, 0)
    private var middle = Vector256(0, 0, 0, 0)
    private var high = Vector256(0, 0, 0, 0)

    /// Adds the products of four blocks and four powers by Karatsuba's method: `middle` gets the
    /// products of the halves' sums, of which `reduced` takes the others away.
    ///
    /// - Parameter sums: the powers' halves added up, in the order that unpacking them gives.
    @inline(__always)
    mutating func add(
      _ first: Vector256, _ second: Vector256, times firstPowers: Vector256,
      _ secondPowers: Vector256, sums: Vector256
    ) {
      let halves = Vector256(first[0], second[0], first[2], second[2])
        .xor(Vector256(first[1], second[1], first[3], second[3]))
      low = low.xor(first.lowProduct(firstPowers)).xor(second.lowProduct(secondPowers))
      high = high.xor(first.highProduct(firstPowers)).xor(second.highProduct(secondPowers))
      middle = middle.xor(halves.lowProduct(sums)).xor(halves.highProduct(sums))
    }

    /// The sum of both, reduced, in the first place.
    @inline(__always)
    var reduced: Vector256 {
      let polynomial = Int64(bitPattern: 0xc200_0000_0000_0000)
      let factor = Vector256(polynomial, 0, polynomial, 0)
      let middle = self.middle.xor(low).xor(high)
      let folded = middle.xor(low.swapped.xor(factor.lowProduct(low)))
      return high.xor(folded.swapped.xor(factor.lowProduct(folded))).gathered
    }
  }
#endif
