#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Sums of carry-less products of two blocks a register, that wait for one reduction; what
  /// `GHASH128` of the narrow kernels does, twice beside each other.
  struct GHASH256 {
    private var low = Vector256(0, 0, 0, 0)
    private var middle = Vector256(0, 0, 0, 0)
    private var high = Vector256(0, 0, 0, 0)

    /// Adds the products of two blocks and two powers.
    @inline(__always)
    mutating func add(_ blocks: Vector256, times powers: Vector256) {
      low = low.xor(blocks.lowProduct(powers))
      middle = middle.xor(blocks.middleProduct(powers))
      high = high.xor(blocks.highProduct(powers))
    }

    /// The sum of both, reduced, in the first place.
    @inline(__always)
    var reduced: Vector256 {
      let polynomial = Int64(bitPattern: 0xc200_0000_0000_0000)
      let factor = Vector256(polynomial, 0, polynomial, 0)
      let folded = middle.xor(low.swapped.xor(factor.lowProduct(low)))
      return high.xor(folded.swapped.xor(factor.lowProduct(folded))).gathered
    }
  }
#endif
