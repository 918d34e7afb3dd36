#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// The compression function of SHA-256 on the SHA extensions (FIPS 180-4, 6.2.2).
  ///
  /// The instructions hold the eight words of state as ABEF and CDGH and do two rounds each.
  package enum SHA256Kernel {
    /// Takes whole blocks of 64 bytes into the state of eight words.
    ///
    /// To be entered only where `X86Features.hasSHA`.
    @inline(never)
    package static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, count: Int
    ) {
      var rounds = unsafe Rounds(
        abef: pack(state[5], state[4], state[1], state[0]),
        cdgh: pack(state[7], state[6], state[3], state[2]))
      for index in 0..<count { unsafe rounds.block(blocks + 64 &* index) }
      let abef = unsafe unsafeBitCast(rounds.abef, to: SIMD4<UInt32>.self)
      let cdgh = unsafe unsafeBitCast(rounds.cdgh, to: SIMD4<UInt32>.self)
      unsafe state[0] = abef[3]
      unsafe state[1] = abef[2]
      unsafe state[2] = cdgh[3]
      unsafe state[3] = cdgh[2]
      unsafe state[4] = abef[1]
      unsafe state[5] = abef[0]
      unsafe state[6] = cdgh[1]
      unsafe state[7] = cdgh[0]
    }

    @inline(__always)
    private static func pack(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> Vector128 {
      Vector128(
        Int64(truncatingIfNeeded: UInt64(b) &<< 32 | UInt64(a)),
        Int64(truncatingIfNeeded: UInt64(d) &<< 32 | UInt64(c)))
    }

    private struct Rounds {
      var abef: Vector128
      var cdgh: Vector128

      /// Four rounds with the words `w` of the message and the constants of the standard.
      @inline(__always)
      mutating func four(_ w: Vector128, _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) {
        let low = _mm_add_epi32(w, pack(a, b, c, d))
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, low)
        let high = _mm_unpackhi_epi64(low, low)
        abef = _mm_sha256rnds2_epu32(abef, cdgh, high)
      }

      /// The next four words of the message after sixteen.
      @inline(__always)
      func next(_ w0: Vector128, _ w1: Vector128, _ w2: Vector128, _ w3: Vector128) -> Vector128 {
        let a = unsafe unsafeBitCast(w2, to: SIMD4<UInt32>.self)
        let b = unsafe unsafeBitCast(w3, to: SIMD4<UInt32>.self)
        let shifted = unsafe unsafeBitCast(SIMD4(a[1], a[2], a[3], b[0]), to: Vector128.self)
        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), shifted)
        return _mm_sha256msg2_epu32(sum, w3)
      }

      @inline(__always)
      private func message(_ block: UnsafeRawPointer, _ offset: Int) -> Vector128 {
        unsafe _mm_shuffle_epi8(
          .load(block, offset), Vector128(0x0405_0607_0001_0203, 0x0c0d_0e0f_0809_0a0b))
      }

      @inline(__always)
      mutating func block(_ block: UnsafeRawPointer) {
        let (savedABEF, savedCDGH) = (abef, cdgh)
        var w0 = unsafe message(block, 0)
        var w1 = unsafe message(block, 16)
        var w2 = unsafe message(block, 32)
        var w3 = unsafe message(block, 48)
        four(w0, 0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5)
        four(w1, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5)
        four(w2, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3)
        four(w3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174)
        w0 = next(w0, w1, w2, w3)
        four(w0, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc)
        w1 = next(w1, w2, w3, w0)
        four(w1, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da)
        w2 = next(w2, w3, w0, w1)
        four(w2, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7)
        w3 = next(w3, w0, w1, w2)
        four(w3, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967)
        w0 = next(w0, w1, w2, w3)
        four(w0, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13)
        w1 = next(w1, w2, w3, w0)
        four(w1, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85)
        w2 = next(w2, w3, w0, w1)
        four(w2, 0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3)
        w3 = next(w3, w0, w1, w2)
        four(w3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070)
        w0 = next(w0, w1, w2, w3)
        four(w0, 0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5)
        w1 = next(w1, w2, w3, w0)
        four(w1, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3)
        w2 = next(w2, w3, w0, w1)
        four(w2, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208)
        w3 = next(w3, w0, w1, w2)
        four(w3, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2)
        abef = _mm_add_epi32(abef, savedABEF)
        cdgh = _mm_add_epi32(cdgh, savedCDGH)
      }
    }
  }
#endif
