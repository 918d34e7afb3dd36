#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// AES in counter mode, and GHASH, each on its own, on AES-NI and PCLMULQDQ: for texts that come
  /// in pieces.
  ///
  /// To be entered only where `X86Features.hasAES`. The context is a `GCMContext`.
  package enum CounterKernel128 {
    /// Adds the key stream to whole blocks.
    ///
    /// - Parameters:
    ///   - counter: the first counter block, 16 bytes as the standard has it. Its last 32 bits count,
    ///     modulo 2^32; it is left as it is.
    ///   - target: room for as many bytes; it may be `source`.
    ///   - blockCount: how many blocks of 16 bytes.
    @inline(never)
    package static func crypt(
      _ context: UnsafeRawPointer, counter: UnsafeRawPointer, _ source: UnsafeRawPointer,
      into target: UnsafeMutableRawPointer, blockCount: Int
    ) {
      var stream = unsafe GCMStream(context, counter: .load(counter))
      // The stream takes the last block used: one back, modulo 2^32.
      unsafe stream.counter = stream.counter.advanced(0xffff_ffff)
      var done = 0
      while blockCount &- done >= 8 {
        unsafe stream.eight(source + 16 &* done, into: target + 16 &* done, hashing: nil)
        done &+= 8
      }
      let rounds = unsafe stream.rounds
      while done < blockCount {
        unsafe stream.counter = stream.counter.advanced(1)
        let block = unsafe GCMContext.encrypt(stream.counter.reversed, context, rounds)
        unsafe block.xor(.load(source, 16 &* done)).store(target, 16 &* done)
        done &+= 1
      }
    }

    /// Takes whole blocks into a hash.
    ///
    /// - Parameter hash: 16 bytes, kept as `hashValue` reads them; zeros at the beginning.
    @inline(never)
    package static func absorb(
      _ context: UnsafeRawPointer, _ blocks: UnsafeRawPointer, blockCount: Int,
      hash: UnsafeMutableRawPointer
    ) {
      guard blockCount > 0 else { return }
      var stream = unsafe GCMStream(context, counter: .zero128)
      unsafe stream.hash = .load(hash)
      unsafe stream.absorb(blocks, count: 16 &* blockCount)
      unsafe stream.hash.store(hash)
    }

    /// The hash as the standard has it, in place.
    package static func finish(hash: UnsafeMutableRawPointer) {
      unsafe Vector128.load(hash).reversed.store(hash)
    }
  }
#endif
