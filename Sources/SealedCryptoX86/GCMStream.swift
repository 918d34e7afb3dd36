#if arch(x86_64)
  internal import SealedCryptoX86Wide
  internal import SealedCryptoX86Wide256

  /// A message on its way through GCM: counter and hash between two steps.
  @unsafe struct GCMStream {
    let context: UnsafeRawPointer
    let rounds: Int
    /// The last counter block used, its bytes reversed: the count is in the lowest 32 bits.
    var counter: Vector128
    /// The hash so far, reflected.
    var hash: Vector128

    @inline(__always)
    init(_ context: UnsafeRawPointer, counter: Vector128) {
      unsafe self.context = context
      unsafe rounds = context.load(fromByteOffset: GCMContext.roundsOffset, as: Int.self)
      unsafe self.counter = counter.reversed
      unsafe hash = .zero128
    }

    @inline(__always)
    func roundKey(_ index: Int) -> Vector128 { unsafe .load(context, 16 &* index) }

    /// The power that the block at `index` of `count` is multiplied by.
    @inline(__always)
    func power(_ index: Int, of count: Int) -> Vector128 {
      unsafe .load(context, GCMContext.powersOffset &+ 16 &* (16 &- count &+ index))
    }

    /// The sums of the halves of the powers for two of eight blocks.
    @inline(__always)
    private func powerSums(_ pair: Int) -> Vector128 {
      unsafe .load(context, GCMContext.sumsOffset &+ 64 &+ 16 &* pair)
    }

    // MARK: Hashing alone

    /// Takes in 1 to 16 whole blocks with one reduction.
    @inline(__always)
    mutating func absorb(blocks: UnsafeRawPointer, count: Int) {
      var sum = GHASH128()
      unsafe sum.add(Vector128.load(blocks).reversed.xor(hash), times: power(0, of: count))
      var index = 1
      while index < count {
        unsafe sum.add(
          Vector128.load(blocks, 16 &* index).reversed, times: power(index, of: count))
        index &+= 1
      }
      unsafe hash = sum.reduced
    }

    /// Takes in bytes, filled up with zeros to whole blocks.
    @inline(__always)
    mutating func absorb(_ bytes: UnsafeRawPointer, count: Int) {
      var position = 0
      while count &- position >= 256 {
        unsafe absorb(blocks: bytes + position, count: 16)
        position &+= 256
      }
      let whole = (count &- position) &>> 4
      if whole > 0 {
        unsafe absorb(blocks: bytes + position, count: whole)
        position &+= 16 &* whole
      }
      guard position < count else { return }
      var last = Vector128.zero128
      unsafe withUnsafeMutableBytes(of: &last) { last in
        unsafe last.baseAddress?.copyMemory(
          from: bytes + position, byteCount: count &- position)
      }
      var sum = GHASH128()
      unsafe sum.add(last.reversed.xor(hash), times: power(15, of: 16))
      unsafe hash = sum.reduced
    }

    // MARK: Eight blocks at a time

    /// Encrypts or decrypts 128 bytes, and takes in the 128 bytes at `hashed` in between.
    ///
    /// The instructions of the two don't depend on each other, so the processor does both at once.
    @inline(__always)
    mutating func eight(
      _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
      hashing hashed: UnsafeRawPointer?
    ) {
      var blocks = unsafe CipherBlocks8(behind: counter, key: roundKey(0))
      unsafe counter = counter.advanced(8)
      var sum = GHASH128()
      for pair in 0..<4 {
        unsafe blocks.round(roundKey(2 &* pair &+ 1))
        if let hashed = unsafe hashed {
          let first = unsafe Vector128.load(hashed, 32 &* pair).reversed
          let second = unsafe Vector128.load(hashed, 32 &* pair &+ 16).reversed
          unsafe sum.add(
            pair == 0 ? first.xor(hash) : first, second, times: power(2 &* pair, of: 8),
            power(2 &* pair &+ 1, of: 8), sums: powerSums(pair))
        }
        unsafe blocks.round(roundKey(2 &* pair &+ 2))
      }
      unsafe blocks.round(roundKey(9))
      if unsafe hashed != nil { unsafe hash = sum.reduced }
      var round = 10
      while unsafe round < rounds {
        unsafe blocks.round(roundKey(round))
        round &+= 1
      }
      unsafe blocks.finish(roundKey(rounds), source, into: target)
    }

    /// Seals as many whole groups as there are; returns the bytes done.
    @inline(__always)
    mutating func sealGroups(_ message: GCMMessage, width: GCMWidth) -> Int {
      var position = unsafe bulk(message, width: width, seals: true)
      guard unsafe message.count &- position >= 128 else { return position }
      let (source, target) = unsafe (message.source, message.target)
      // The hash runs one group behind.
      unsafe eight(source + position, into: target + position, hashing: nil)
      position &+= 128
      while unsafe message.count &- position >= 128 {
        unsafe eight(
          source + position, into: target + position,
          hashing: UnsafeRawPointer(target + (position &- 128)))
        position &+= 128
      }
      unsafe absorb(blocks: UnsafeRawPointer(target + (position &- 128)), count: 8)
      return position
    }

    /// Opens as many whole groups as there are; returns the bytes done.
    @inline(__always)
    mutating func openGroups(_ message: GCMMessage, width: GCMWidth) -> Int {
      var position = unsafe bulk(message, width: width, seals: false)
      while unsafe message.count &- position >= 128 {
        let source = unsafe message.source + position
        unsafe eight(source, into: message.target + position, hashing: source)
        position &+= 128
      }
      return position
    }

    /// Leaves whole groups of 256 bytes to the wide registers; returns the bytes done.
    @inline(__always)
    private mutating func bulk(_ message: GCMMessage, width: GCMWidth, seals: Bool) -> Int {
      let count = unsafe message.count & ~255
      guard count > 0, width != .bits128 else { return 0 }
      let (source, target) = unsafe (message.source, message.target)
      var state = unsafe (counter, hash)
      unsafe withUnsafeMutableBytes(of: &state) { state in
        guard let state = state.baseAddress else { return }
        switch (width, seals) {
        case (.bits512, true): unsafe GCMKernel512.seal(context, state, source, target, count)
        case (.bits512, false): unsafe GCMKernel512.open(context, state, source, target, count)
        case (_, true): unsafe GCMKernel256.seal(context, state, source, target, count)
        case (_, false): unsafe GCMKernel256.open(context, state, source, target, count)
        }
      }
      unsafe counter = counter.advanced(Int64(count &>> 4))
      unsafe hash = state.1
      return count
    }
  }
#endif
