#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// Sums of carry-less products of four blocks a register, that wait for one reduction; what
  /// `GHASH128` of the narrow kernels does, four times beside each other.
  struct GHASH512 {
    private var low = Vector512(0, 0, 0, 0, 0, 0, 0, 0)
    private var middle = Vector512(0, 0, 0, 0, 0, 0, 0, 0)
    private var high = Vector512(0, 0, 0, 0, 0, 0, 0, 0)

    /// Adds the products of four blocks and four powers.
    @inline(__always)
    mutating func add(_ blocks: Vector512, times powers: Vector512) {
      low = low.xor(blocks.lowProduct(powers))
      middle = middle.xor(blocks.middleProduct(powers))
      high = high.xor(blocks.highProduct(powers))
    }

    /// The sum of all four, reduced, in the first place.
    @inline(__always)
    var reduced: Vector512 {
      let polynomial = _mm512_broadcast_i32x4(
        SIMD2<Int64>(Int64(bitPattern: 0xc200_0000_0000_0000), 0))
      let folded = middle.xor(low.swapped.xor(polynomial.lowProduct(low)))
      return high.xor(folded.swapped.xor(polynomial.lowProduct(folded))).gathered
    }
  }
#endif
