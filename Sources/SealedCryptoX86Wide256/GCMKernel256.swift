#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// The bulk of AES-GCM on VAES and VPCLMULQDQ with registers of 256 bits: whole groups of 16
  /// blocks, the hash of one group between the rounds of another.
  ///
  /// For processors without AVX-512; the twin of `GCMKernel512`, which says what holds for both. To
  /// be entered only where `X86Features.hasVAES256`.
  package enum GCMKernel256 {
    /// Seals `count` bytes, a multiple of 256 that isn't 0.
    ///
    /// - Parameter state: the counter block before, reversed, and the hash; the hash is replaced.
    @inline(never)
    package static func seal(
      _ context: UnsafeRawPointer, _ state: UnsafeMutableRawPointer, _ source: UnsafeRawPointer,
      _ target: UnsafeMutableRawPointer, _ count: Int
    ) {
      var groups = unsafe Groups(context, state)
      unsafe groups.crypt(source, into: target, hashing: nil)
      var position = 256
      while position < count {
        unsafe groups.crypt(
          source + position, into: target + position,
          hashing: UnsafeRawPointer(target + (position &- 256)))
        position &+= 256
      }
      unsafe groups.absorb(UnsafeRawPointer(target + (position &- 256)))
      unsafe groups.writeHash(state)
    }

    /// Opens `count` bytes, a multiple of 256 that isn't 0; `state` as for `seal`.
    @inline(never)
    package static func open(
      _ context: UnsafeRawPointer, _ state: UnsafeMutableRawPointer, _ source: UnsafeRawPointer,
      _ target: UnsafeMutableRawPointer, _ count: Int
    ) {
      var groups = unsafe Groups(context, state)
      var position = 0
      while position < count {
        unsafe groups.crypt(
          source + position, into: target + position, hashing: source + position)
        position &+= 256
      }
      unsafe groups.writeHash(state)
    }

    private static let roundsOffset = 240
    private static let powersOffset = 256
    private static let sumsOffset = 640

    /// Counter and hash between two groups.
    @unsafe private struct Groups {
      let context: UnsafeRawPointer
      let rounds: Int
      var counter: Vector256
      var hash: Vector256

      @inline(__always)
      init(_ context: UnsafeRawPointer, _ state: UnsafeRawPointer) {
        unsafe self.context = context
        unsafe rounds = context.load(fromByteOffset: roundsOffset, as: Int.self)
        unsafe counter = _mm256_add_epi32(.broadcast(state), Vector256(1, 0, 2, 0))
        let value = unsafe state.loadUnaligned(fromByteOffset: 16, as: SIMD2<Int64>.self)
        unsafe hash = Vector256(value[0], value[1], 0, 0)
      }

      @inline(__always)
      func writeHash(_ state: UnsafeMutableRawPointer) {
        unsafe state.storeBytes(
          of: SIMD2<Int64>(hash[0], hash[1]), toByteOffset: 16, as: SIMD2<Int64>.self)
      }

      @inline(__always)
      private func key(_ round: Int) -> Vector256 {
        unsafe .broadcast(context, 16 &* round)
      }

      /// Adds the four blocks at a place among sixteen.
      @inline(__always)
      private func add(_ four: Int, of blocks: UnsafeRawPointer, to sum: inout GHASH256) {
        let offset = 64 &* four
        let first = unsafe Vector256.load(blocks, offset).reversed
        let second = unsafe Vector256.load(blocks, offset &+ 32).reversed
        unsafe sum.add(
          four == 0 ? first.xor(hash) : first, second,
          times: .load(context, powersOffset &+ offset),
          .load(context, powersOffset &+ offset &+ 32),
          sums: .load(context, sumsOffset &+ 32 &* four))
      }

      @inline(__always)
      mutating func absorb(_ blocks: UnsafeRawPointer) {
        var sum = GHASH256()
        for four in 0..<4 { unsafe add(four, of: blocks, to: &sum) }
        unsafe hash = sum.reduced
      }

      /// Encrypts or decrypts 256 bytes, and takes in the 256 at `hashed` in between.
      @inline(__always)
      mutating func crypt(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
        hashing hashed: UnsafeRawPointer?
      ) {
        var blocks = unsafe CipherBlocks16(from: &counter, key: key(0))
        var sum = GHASH256()
        for four in 0..<4 {
          unsafe blocks.round(key(2 &* four &+ 1))
          if let hashed = unsafe hashed { unsafe add(four, of: hashed, to: &sum) }
          unsafe blocks.round(key(2 &* four &+ 2))
        }
        unsafe blocks.round(key(9))
        if unsafe hashed != nil { unsafe hash = sum.reduced }
        var round = 10
        while unsafe round < rounds {
          unsafe blocks.round(key(round))
          unsafe blocks.round(key(round &+ 1))
          round &+= 2
        }
        unsafe blocks.finish(key(rounds), source, into: target)
      }
    }
  }
#endif
