#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// The bulk of AES-GCM on VAES and VPCLMULQDQ with registers of 512 bits: whole groups of 16
  /// blocks, the hash of one group between the rounds of another.
  ///
  /// Raw pointers in and out, no generic code and no arrays: what the compiler makes of those for
  /// this target must not be shared with code for processors without these registers. To be entered
  /// only where `X86Features.hasVAES512`. The context is `GCMContext` of the narrow kernels.
  package enum GCMKernel512 {
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

    /// Counter and hash between two groups.
    @unsafe private struct Groups {
      let context: UnsafeRawPointer
      let rounds: Int
      let h0, h1, h2, h3: Vector512
      let k0, k1, k2, k3, k4, k5, k6, k7, k8, k9: Vector512
      var counter: Vector512
      var hash: Vector512

      @inline(__always)
      init(_ context: UnsafeRawPointer, _ state: UnsafeRawPointer) {
        unsafe self.context = context
        unsafe rounds = context.load(fromByteOffset: roundsOffset, as: Int.self)
        unsafe h0 = .load(context, powersOffset)
        unsafe h1 = .load(context, powersOffset &+ 64)
        unsafe h2 = .load(context, powersOffset &+ 128)
        unsafe h3 = .load(context, powersOffset &+ 192)
        unsafe k0 = .broadcast(context, 0)
        unsafe k1 = .broadcast(context, 16)
        unsafe k2 = .broadcast(context, 32)
        unsafe k3 = .broadcast(context, 48)
        unsafe k4 = .broadcast(context, 64)
        unsafe k5 = .broadcast(context, 80)
        unsafe k6 = .broadcast(context, 96)
        unsafe k7 = .broadcast(context, 112)
        unsafe k8 = .broadcast(context, 128)
        unsafe k9 = .broadcast(context, 144)
        unsafe counter = _mm512_add_epi32(
          .broadcast(state), Vector512(1, 0, 2, 0, 3, 0, 4, 0))
        let value = unsafe state.loadUnaligned(fromByteOffset: 16, as: SIMD2<Int64>.self)
        unsafe hash = Vector512(value[0], value[1], 0, 0, 0, 0, 0, 0)
      }

      @inline(__always)
      func writeHash(_ state: UnsafeMutableRawPointer) {
        unsafe state.storeBytes(
          of: SIMD2<Int64>(hash[0], hash[1]), toByteOffset: 16, as: SIMD2<Int64>.self)
      }

      @inline(__always)
      mutating func absorb(_ blocks: UnsafeRawPointer) {
        var sum = GHASH512()
        unsafe sum.add(Vector512.load(blocks).reversed.xor(hash), times: h0)
        unsafe sum.add(Vector512.load(blocks, 64).reversed, times: h1)
        unsafe sum.add(Vector512.load(blocks, 128).reversed, times: h2)
        unsafe sum.add(Vector512.load(blocks, 192).reversed, times: h3)
        unsafe hash = sum.reduced
      }

      /// Encrypts or decrypts 256 bytes, and takes in the 256 at `hashed` in between.
      @inline(__always)
      mutating func crypt(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
        hashing hashed: UnsafeRawPointer?
      ) {
        var blocks = unsafe CipherBlocks16(from: &counter, key: k0)
        var sum = GHASH512()
        unsafe blocks.rounds(k1, k2)
        if let hashed = unsafe hashed {
          unsafe sum.add(Vector512.load(hashed).reversed.xor(hash), times: h0)
        }
        unsafe blocks.rounds(k3, k4)
        if let hashed = unsafe hashed {
          unsafe sum.add(Vector512.load(hashed, 64).reversed, times: h1)
        }
        unsafe blocks.rounds(k5, k6)
        if let hashed = unsafe hashed {
          unsafe sum.add(Vector512.load(hashed, 128).reversed, times: h2)
        }
        unsafe blocks.rounds(k7, k8)
        if let hashed = unsafe hashed {
          unsafe sum.add(Vector512.load(hashed, 192).reversed, times: h3)
        }
        unsafe blocks.round(k9)
        if unsafe hashed != nil { unsafe hash = sum.reduced }
        var round = 10
        while unsafe round < rounds {
          unsafe blocks.rounds(
            .broadcast(context, 16 &* round), .broadcast(context, 16 &* round &+ 16))
          round &+= 2
        }
        unsafe blocks.finish(.broadcast(context, 16 &* rounds), source, into: target)
      }
    }
  }
#endif
