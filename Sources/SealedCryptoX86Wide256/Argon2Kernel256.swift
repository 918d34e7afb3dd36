#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// The compression function G of Argon2 (RFC 9106, 3.5) on AVX2, four words at a time.
  ///
  /// To be entered only where `X86Features.hasAVX2`.
  package enum Argon2Kernel256 {
    /// Writes G(a, b) to `target`, added to what is there if `adds`.
    ///
    /// - Parameters:
    ///   - target: 1 KiB; may be `a` or `b`.
    ///   - scratch: 1 KiB of its own.
    @inline(never)
    package static func mix(
      _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
      adds: Bool, scratch: UnsafeMutableRawPointer
    ) {
      if adds {
        unsafe rows(a, b, target, scratch) { unsafe $0.xor(.load(target, $1)) }
      } else {
        unsafe rows(a, b, target, scratch) { sum, _ in sum }
      }
      // Two columns of two words at a time make registers of four.
      for pair in 0..<4 {
        let column = unsafe UnsafeMutableRawPointer(target + 32 &* pair)
        var first = unsafe Words(
          a: .halves(column, 0, 128), b: .halves(column, 256, 384),
          c: .halves(column, 512, 640), d: .halves(column, 768, 896))
        var second = unsafe Words(
          a: .halves(column, 16, 144), b: .halves(column, 272, 400),
          c: .halves(column, 528, 656), d: .halves(column, 784, 912))
        Words.permute(&first, &second)
        let sums = unsafe scratch + 32 &* pair
        unsafe add(first.a, second.a, column, sums, 0)
        unsafe add(first.b, second.b, column, sums, 256)
        unsafe add(first.c, second.c, column, sums, 512)
        unsafe add(first.d, second.d, column, sums, 768)
      }
    }

    /// Permutes the rows of a + b, two at a time; what `kept` makes of the sums goes to `scratch`.
    @inline(__always)
    private static func rows(
      _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
      _ scratch: UnsafeMutableRawPointer, _ kept: (Vector256, Int) -> Vector256
    ) {
      @inline(__always)
      func sum(_ offset: Int) -> Vector256 {
        let sum = unsafe Vector256.load(a, offset).xor(.load(b, offset))
        unsafe kept(sum, offset).store(scratch, offset)
        return sum
      }
      for pair in 0..<4 {
        let offset = 256 &* pair
        var first = Words(
          a: sum(offset), b: sum(offset &+ 32), c: sum(offset &+ 64), d: sum(offset &+ 96))
        var second = Words(
          a: sum(offset &+ 128), b: sum(offset &+ 160), c: sum(offset &+ 192),
          d: sum(offset &+ 224))
        Words.permute(&first, &second)
        unsafe first.store(target + offset)
        unsafe second.store(target + (offset &+ 128))
      }
    }

    /// Adds what `scratch` kept and puts two rows of a pair of columns back into their places.
    @inline(__always)
    private static func add(
      _ first: Vector256, _ second: Vector256, _ column: UnsafeMutableRawPointer,
      _ sums: UnsafeRawPointer, _ offset: Int
    ) {
      let low = Vector256(first[0], first[1], second[0], second[1])
      let high = Vector256(first[2], first[3], second[2], second[3])
      unsafe low.xor(.load(sums, offset)).store(column, offset)
      unsafe high.xor(.load(sums, offset &+ 128)).store(column, offset &+ 128)
    }

    /// Sixteen words on their way through the permutation P (RFC 9106, 3.6).
    private struct Words {
      var a, b, c, d: Vector256

      @inline(__always)
      func store(_ target: UnsafeMutableRawPointer) {
        unsafe a.store(target, 0)
        unsafe b.store(target, 32)
        unsafe c.store(target, 64)
        unsafe d.store(target, 96)
      }

      /// Two permutations side by side: each waits for its own results most of the time.
      @inline(__always)
      static func permute(_ x: inout Words, _ y: inout Words) {
        mix(&x, &y)
        x.diagonalize()
        y.diagonalize()
        mix(&x, &y)
        x.undiagonalize()
        y.undiagonalize()
      }

      @inline(__always)
      private mutating func diagonalize() {
        b = Vector256(b[1], b[2], b[3], b[0])
        c = Vector256(c[2], c[3], c[0], c[1])
        d = Vector256(d[3], d[0], d[1], d[2])
      }

      @inline(__always)
      private mutating func undiagonalize() {
        b = Vector256(b[3], b[0], b[1], b[2])
        c = Vector256(c[2], c[3], c[0], c[1])
        d = Vector256(d[1], d[2], d[3], d[0])
      }

      /// GB of the RFC on four columns of each.
      @inline(__always)
      private static func mix(_ x: inout Words, _ y: inout Words) {
        add(&x.a, x.b, &y.a, y.b)
        turn(&x.d, x.a, &y.d, y.a, 32)
        add(&x.c, x.d, &y.c, y.d)
        turn(&x.b, x.c, &y.b, y.c, 24)
        add(&x.a, x.b, &y.a, y.b)
        turn(&x.d, x.a, &y.d, y.a, 16)
        add(&x.c, x.d, &y.c, y.d)
        turn(&x.b, x.c, &y.b, y.c, 63)
      }

      @inline(__always)
      private static func turn(
        _ x: inout Vector256, _ u: Vector256, _ y: inout Vector256, _ v: Vector256, _ count: Int64
      ) {
        x = x.xor(u).rotated(count)
        y = y.xor(v).rotated(count)
      }

      /// x + u + 2 · low(x) · low(u), and the same for y and v.
      @inline(__always)
      private static func add(
        _ x: inout Vector256, _ u: Vector256, _ y: inout Vector256, _ v: Vector256
      ) {
        let p = _mm256_mul_epu32(x, u)
        let q = _mm256_mul_epu32(y, v)
        x = x.plus(u).plus(p.plus(p))
        y = y.plus(v).plus(q.plus(q))
      }
    }
  }

  extension Vector256 {
    /// Two words from each of two places.
    @inline(__always)
    fileprivate static func halves(
      _ base: UnsafeRawPointer, _ first: Int, _ second: Int
    ) -> Vector256 {
      let low = unsafe base.loadUnaligned(fromByteOffset: first, as: SIMD2<Int64>.self)
      let high = unsafe base.loadUnaligned(fromByteOffset: second, as: SIMD2<Int64>.self)
      return Vector256(low[0], low[1], high[0], high[1])
    }
  }
#endif
