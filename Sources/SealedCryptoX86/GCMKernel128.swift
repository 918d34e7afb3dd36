#if arch(x86_64)
  internal import _Builtin_intrinsics.intel

  /// AES-GCM on AES-NI and PCLMULQDQ, one pass over the message, eight blocks at a time; what is
  /// left at the end, the block of lengths and the tag's mask go through together.
  ///
  /// Eight counter blocks stitched with the hash of eight blocks as by S. Gueron and V. Krasnov
  /// ("The fragility of AES-GCM authentication algorithm", and OpenSSL's code after it). To be
  /// entered only where `X86Features.hasAES`, and with `isWide` where `X86Features.hasVAES512`.
  package enum GCMKernel128 {
    /// Seals a message and writes 16 bytes of tag.
    @inline(never)
    package static func seal(
      _ context: UnsafeRawPointer, _ message: GCMMessage, tag: UnsafeMutableRawPointer,
      width: GCMWidth
    ) {
      var stream = unsafe GCMStream(context, counter: message.counter)
      unsafe stream.absorb(message.aad, count: message.aadCount)
      let done = unsafe stream.sealGroups(message, width: width)
      unsafe finish(&stream, message, from: done, seals: true, tag: tag)
    }

    /// Opens a message and writes the 16 bytes of the tag it should have.
    ///
    /// The caller compares, and wipes the target where they differ.
    @inline(never)
    package static func open(
      _ context: UnsafeRawPointer, _ message: GCMMessage, tag: UnsafeMutableRawPointer,
      width: GCMWidth
    ) {
      var stream = unsafe GCMStream(context, counter: message.counter)
      unsafe stream.absorb(message.aad, count: message.aadCount)
      let done = unsafe stream.openGroups(message, width: width)
      unsafe finish(&stream, message, from: done, seals: false, tag: tag)
    }

    /// The first counter block (J0) for a nonce that hasn't 96 bits, as it lies in memory.
    @inline(never)
    package static func counter(
      _ context: UnsafeRawPointer, nonce: UnsafeRawPointer, count: Int
    ) -> (UInt64, UInt64) {
      var stream = unsafe GCMStream(context, counter: .zero128)
      unsafe stream.absorb(nonce, count: count)
      var lengths = Vector128(0, Int64(count &* 8).bigEndian)
      unsafe withUnsafeBytes(of: &lengths) { lengths in
        if let base = lengths.baseAddress { unsafe stream.absorb(blocks: base, count: 1) }
      }
      let block = unsafe stream.hash.reversed
      return (UInt64(bitPattern: block[0]), UInt64(bitPattern: block[1]))
    }

    // MARK: The end of a message

    private static let keystreamSize = 128
    /// Key stream for eight blocks; then what is hashed: eight blocks and the lengths.
    private static let scratchSize = 2 * 128 + 16

    @inline(__always)
    private static func finish(
      _ stream: inout GCMStream, _ message: GCMMessage, from position: Int, seals: Bool,
      tag: UnsafeMutableRawPointer
    ) {
      let count = unsafe message.count &- position
      let blockCount = (count &+ 15) &>> 4
      unsafe withUnsafeTemporaryAllocation(byteCount: scratchSize, alignment: 16) { scratch in
        guard let keystream = scratch.baseAddress else { return }
        let hashed = unsafe keystream + keystreamSize
        let mask = unsafe encryptEnd(
          stream, message.counter, blockCount: blockCount, into: keystream)
        let (source, target) = unsafe (message.source + position, message.target + position)
        let whole = count &>> 4
        for index in 0..<whole {
          let offset = 16 &* index
          let text = unsafe Vector128.load(source, offset)
          let result = unsafe text.xor(.load(keystream, offset))
          unsafe (seals ? result : text).store(hashed, offset)
          unsafe result.store(target, offset)
        }
        if whole < blockCount {
          let offset = 16 &* whole
          unsafe cryptPart(
            source + offset, into: target + offset, count: count & 15,
            keystream: keystream + offset, hashed: hashed + offset, seals: seals)
        }
        unsafe Vector128(
          Int64(message.aadCount &* 8).bigEndian, Int64(message.count &* 8).bigEndian
        ).store(hashed, 16 &* blockCount)
        unsafe stream.absorb(blocks: UnsafeRawPointer(hashed), count: blockCount &+ 1)
        unsafe stream.hash.reversed.xor(mask).store(tag)
        unsafe wipe(keystream, count: 16 &* blockCount)
      }
    }

    /// Key stream for up to eight blocks, and the tag's mask beside it.
    @inline(__always)
    private static func encryptEnd(
      _ stream: GCMStream, _ first: Vector128, blockCount: Int,
      into keystream: UnsafeMutableRawPointer
    ) -> Vector128 {
      let rounds = unsafe stream.rounds
      var mask = unsafe first.xor(stream.roundKey(0))
      if blockCount == 0 {
        for round in 1..<rounds { mask = unsafe _mm_aesenc_si128(mask, stream.roundKey(round)) }
      } else if blockCount <= 4 {
        var blocks = unsafe CipherBlocks4(behind: stream.counter, key: stream.roundKey(0))
        for round in 1..<rounds {
          let key = unsafe stream.roundKey(round)
          mask = _mm_aesenc_si128(mask, key)
          blocks.round(key)
        }
        unsafe blocks.finish(stream.roundKey(rounds), into: keystream)
      } else {
        var blocks = unsafe CipherBlocks8(behind: stream.counter, key: stream.roundKey(0))
        for round in 1..<rounds {
          let key = unsafe stream.roundKey(round)
          mask = _mm_aesenc_si128(mask, key)
          blocks.round(key)
        }
        unsafe blocks.finish(stream.roundKey(rounds), into: keystream)
      }
      return unsafe _mm_aesenclast_si128(mask, stream.roundKey(rounds))
    }

    /// A last block of 1 to 15 bytes; leaves the padded ciphertext at `hashed`.
    @inline(__always)
    private static func cryptPart(
      _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int,
      keystream: UnsafeMutableRawPointer, hashed: UnsafeMutableRawPointer, seals: Bool
    ) {
      unsafe Vector128.zero128.store(hashed)
      unsafe hashed.copyMemory(from: source, byteCount: count)
      // In the place of the key stream, which is wiped.
      unsafe Vector128.load(hashed).xor(.load(keystream)).store(keystream)
      if seals { unsafe hashed.copyMemory(from: keystream, byteCount: count) }
      unsafe target.copyMemory(from: keystream, byteCount: count)
    }
  }
#endif
