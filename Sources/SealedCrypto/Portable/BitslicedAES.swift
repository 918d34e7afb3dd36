/// AES without tables: four blocks at a time, bit i of all their bytes in word i.
///
/// The representation and the linear layers are those of the well-known 64-bit bitsliced AES (four
/// blocks in eight words; Käsper and Schwabe, CHES 2009; T. Pornin, "Constant-time AES"). No branch
/// and no address depends on data or key. FIPS 197.
@unsafe struct BitslicedAES {
  /// Eight words of 64 bits: the state of four blocks.
  typealias State = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  )

  /// Words of the expanded key: eight a round.
  static func keyWords(rounds: Int) -> Int { 8 * (rounds + 1) }

  let roundKeys: UnsafePointer<UInt64>
  let rounds: Int

  // MARK: Key schedule

  /// Expands a key of 16 or 32 bytes for every round, bitsliced, four times over; and plainly, 16
  /// bytes a round.
  static func expand(
    _ key: UnsafeRawBufferPointer, into roundKeys: UnsafeMutablePointer<UInt64>,
    plain: UnsafeMutableRawPointer
  ) {
    let keyCount = key.count / 4
    let rounds = keyCount + 6
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 60) { words in
      for index in 0..<keyCount {
        unsafe words[index] = unsafe UInt32(
          littleEndian: key.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      var constant: UInt32 = 1
      for index in keyCount..<4 * (rounds + 1) {
        var word = unsafe words[index - 1]
        if index % keyCount == 0 {
          word = unsafe substitute(word >> 8 | word << 24) ^ constant
          // The round constants are public: the branch tells nothing.
          constant = constant & 0x80 != 0 ? (constant << 1) ^ 0x11b : constant << 1
        } else if keyCount > 6, index % keyCount == 4 {
          word = unsafe substitute(word)
        }
        unsafe words[index] = words[index - keyCount] ^ word
      }
      for index in 0..<4 * (rounds + 1) {
        unsafe plain.storeBytes(
          of: words[index].littleEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
      for round in 0...rounds {
        let at = unsafe UnsafePointer(words.baseAddress.unsafelyUnwrapped + 4 * round)
        let (low, high) = unsafe interleave(at[0], at[1], at[2], at[3])
        var state: State = (low, low, low, low, high, high, high, high)
        unsafe transpose(&state)
        unsafe store(state, at: roundKeys + 8 * round)
      }
      unsafe zeroize(UnsafeMutableRawBufferPointer(words))
    }
  }

  /// The S-box on the four bytes of a word.
  private static func substitute(_ word: UInt32) -> UInt32 {
    var state: State = (UInt64(word), 0, 0, 0, 0, 0, 0, 0)
    unsafe transpose(&state)
    unsafe substituteBytes(&state)
    unsafe transpose(&state)
    return UInt32(truncatingIfNeeded: state.0)
  }

  private static func store(_ state: State, at target: UnsafeMutablePointer<UInt64>) {
    unsafe target[0] = state.0
    unsafe target[1] = state.1
    unsafe target[2] = state.2
    unsafe target[3] = state.3
    unsafe target[4] = state.4
    unsafe target[5] = state.5
    unsafe target[6] = state.6
    unsafe target[7] = state.7
  }

  // MARK: Whole blocks

  /// Loads four blocks.
  @inline(__always)
  static func load(_ blocks: UnsafeRawPointer) -> State {
    @inline(__always) func word(_ index: Int) -> UInt32 {
      unsafe UInt32(littleEndian: blocks.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
    let a = unsafe interleave(word(0), word(1), word(2), word(3))
    let b = unsafe interleave(word(4), word(5), word(6), word(7))
    let c = unsafe interleave(word(8), word(9), word(10), word(11))
    let d = unsafe interleave(word(12), word(13), word(14), word(15))
    var state: State = (a.0, b.0, c.0, d.0, a.1, b.1, c.1, d.1)
    unsafe transpose(&state)
    return state
  }

  /// Stores four blocks.
  @inline(__always)
  static func store(_ state: State, to blocks: UnsafeMutableRawPointer) {
    var state = state
    unsafe transpose(&state)
    unsafe put(state.0, state.4, blocks)
    unsafe put(state.1, state.5, blocks + 16)
    unsafe put(state.2, state.6, blocks + 32)
    unsafe put(state.3, state.7, blocks + 48)
  }

  @inline(__always)
  private static func put(_ low: UInt64, _ high: UInt64, _ target: UnsafeMutableRawPointer) {
    let words = unsafe deinterleave(low, high)
    unsafe target.storeBytes(of: words.0.littleEndian, as: UInt32.self)
    unsafe target.storeBytes(of: words.1.littleEndian, toByteOffset: 4, as: UInt32.self)
    unsafe target.storeBytes(of: words.2.littleEndian, toByteOffset: 8, as: UInt32.self)
    unsafe target.storeBytes(of: words.3.littleEndian, toByteOffset: 12, as: UInt32.self)
  }

  @inline(__always)
  func encrypt(_ state: inout State) {
    unsafe addKey(&state, 0)
    for round in unsafe 1..<rounds {
      unsafe Self.substituteBytes(&state)
      unsafe Self.shiftRows(&state)
      unsafe Self.mixColumns(&state)
      unsafe addKey(&state, round)
    }
    unsafe Self.substituteBytes(&state)
    unsafe Self.shiftRows(&state)
    unsafe addKey(&state, rounds)
  }

  /// The inverse cipher; for key unwrapping, where speed is no matter.
  func decrypt(_ state: inout State) {
    unsafe addKey(&state, rounds)
    for round in unsafe (1..<rounds).reversed() {
      unsafe Self.unshiftRows(&state)
      unsafe Self.unsubstituteBytes(&state)
      unsafe addKey(&state, round)
      // MixColumns has order four: three times is its inverse.
      unsafe Self.mixColumns(&state)
      unsafe Self.mixColumns(&state)
      unsafe Self.mixColumns(&state)
    }
    unsafe Self.unshiftRows(&state)
    unsafe Self.unsubstituteBytes(&state)
    unsafe addKey(&state, 0)
  }

  @inline(__always)
  private func addKey(_ state: inout State, _ round: Int) {
    let key = unsafe roundKeys + 8 &* round
    state.0 ^= unsafe key[0]
    state.1 ^= unsafe key[1]
    state.2 ^= unsafe key[2]
    state.3 ^= unsafe key[3]
    state.4 ^= unsafe key[4]
    state.5 ^= unsafe key[5]
    state.6 ^= unsafe key[6]
    state.7 ^= unsafe key[7]
  }

  // MARK: Representation

  /// Spreads the bytes of a block so that each row's bytes lie together once transposed.
  @inline(__always)
  private static func interleave(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32
  ) -> (UInt64, UInt64) {
    unsafe (spread(a) | spread(c) &<< 8, spread(b) | spread(d) &<< 8)
  }

  @inline(__always)
  private static func spread(_ word: UInt32) -> UInt64 {
    var x = UInt64(word)
    x = (x | x &<< 16) & 0x0000_ffff_0000_ffff
    x = (x | x &<< 8) & 0x00ff_00ff_00ff_00ff
    return x
  }

  @inline(__always)
  private static func deinterleave(
    _ low: UInt64, _ high: UInt64
  ) -> (UInt32, UInt32, UInt32, UInt32) {
    unsafe (gather(low), gather(high), gather(low &>> 8), gather(high &>> 8))
  }

  @inline(__always)
  private static func gather(_ word: UInt64) -> UInt32 {
    var x = word & 0x00ff_00ff_00ff_00ff
    x = (x | x &>> 8) & 0x0000_ffff_0000_ffff
    return UInt32(truncatingIfNeeded: x | x &>> 16)
  }

  /// Turns eight words of bytes into eight words of bits; its own inverse.
  @inline(__always)
  static func transpose(_ s: inout State) {
    unsafe exchange(&s.0, &s.1, 0x5555_5555_5555_5555, 1)
    unsafe exchange(&s.2, &s.3, 0x5555_5555_5555_5555, 1)
    unsafe exchange(&s.4, &s.5, 0x5555_5555_5555_5555, 1)
    unsafe exchange(&s.6, &s.7, 0x5555_5555_5555_5555, 1)
    unsafe exchange(&s.0, &s.2, 0x3333_3333_3333_3333, 2)
    unsafe exchange(&s.1, &s.3, 0x3333_3333_3333_3333, 2)
    unsafe exchange(&s.4, &s.6, 0x3333_3333_3333_3333, 2)
    unsafe exchange(&s.5, &s.7, 0x3333_3333_3333_3333, 2)
    unsafe exchange(&s.0, &s.4, 0x0f0f_0f0f_0f0f_0f0f, 4)
    unsafe exchange(&s.1, &s.5, 0x0f0f_0f0f_0f0f_0f0f, 4)
    unsafe exchange(&s.2, &s.6, 0x0f0f_0f0f_0f0f_0f0f, 4)
    unsafe exchange(&s.3, &s.7, 0x0f0f_0f0f_0f0f_0f0f, 4)
  }

  @inline(__always)
  private static func exchange(
    _ x: inout UInt64, _ y: inout UInt64, _ mask: UInt64, _ shift: UInt64
  ) {
    let a = x
    let b = y
    x = (a & mask) | ((b & mask) &<< shift)
    y = ((a & ~mask) &>> shift) | (b & ~mask)
  }

  // MARK: Linear layers

  @inline(__always)
  private static func each(_ s: inout State, _ body: (UInt64) -> UInt64) {
    s = (
      body(s.0), body(s.1), body(s.2), body(s.3), body(s.4), body(s.5), body(s.6), body(s.7)
    )
  }

  @inline(__always)
  private static func shiftRows(_ s: inout State) {
    unsafe each(&s) { x in
      (x & 0x0000_0000_0000_ffff) | ((x & 0x0000_0000_fff0_0000) &>> 4)
        | ((x & 0x0000_0000_000f_0000) &<< 12) | ((x & 0x0000_ff00_0000_0000) &>> 8)
        | ((x & 0x0000_00ff_0000_0000) &<< 8) | ((x & 0xf000_0000_0000_0000) &>> 12)
        | ((x & 0x0fff_0000_0000_0000) &<< 4)
    }
  }

  private static func unshiftRows(_ s: inout State) {
    unsafe each(&s) { x in
      (x & 0x0000_0000_0000_ffff) | ((x & 0x0000_0000_0fff_0000) &<< 4)
        | ((x & 0x0000_0000_f000_0000) &>> 12) | ((x & 0x0000_00ff_0000_0000) &<< 8)
        | ((x & 0x0000_ff00_0000_0000) &>> 8) | ((x & 0x000f_0000_0000_0000) &<< 12)
        | ((x & 0xfff0_0000_0000_0000) &>> 4)
    }
  }

  @inline(__always)
  private static func mixColumns(_ s: inout State) {
    @inline(__always) func row(_ x: UInt64) -> UInt64 { (x &>> 16) | (x &<< 48) }
    @inline(__always) func half(_ x: UInt64) -> UInt64 { (x &<< 32) | (x &>> 32) }
    let (q0, q1, q2, q3, q4, q5, q6, q7) = s
    let (r0, r1, r2, r3) = (row(q0), row(q1), row(q2), row(q3))
    let (r4, r5, r6, r7) = (row(q4), row(q5), row(q6), row(q7))
    s.0 = q7 ^ r7 ^ r0 ^ half(q0 ^ r0)
    s.1 = q0 ^ r0 ^ q7 ^ r7 ^ r1 ^ half(q1 ^ r1)
    s.2 = q1 ^ r1 ^ r2 ^ half(q2 ^ r2)
    s.3 = q2 ^ r2 ^ q7 ^ r7 ^ r3 ^ half(q3 ^ r3)
    s.4 = q3 ^ r3 ^ q7 ^ r7 ^ r4 ^ half(q4 ^ r4)
    s.5 = q4 ^ r4 ^ r5 ^ half(q5 ^ r5)
    s.6 = q5 ^ r5 ^ r6 ^ half(q6 ^ r6)
    s.7 = q6 ^ r6 ^ r7 ^ half(q7 ^ r7)
  }
}
