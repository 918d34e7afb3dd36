/// AES in counter mode, 128 blocks at a time: bit i of byte j of all blocks lies in word 8 j + i.
///
/// Fully sliced, ShiftRows is a choice of words and MixColumns is additions, and the counters are
/// made sliced, so that only the key stream is transposed. No branch and no address depends on data
/// or key. Worth its overhead from `threshold` on; shorter texts are `BitslicedAES`'s.
@unsafe struct SlicedCounter {
  /// Bytes of key stream of one batch.
  static let batchSize = 2048
  /// The shortest text that is faster here than four blocks at a time.
  static let threshold = 512
  /// Bytes of memory that an instance works in.
  static let memorySize = maskOffset + 15 * 128 * 8

  private static let otherOffset = batchSize
  private static let columnOffset = 2 * batchSize
  private static let maskOffset = columnOffset + 32 * 16

  private let memory: UnsafeMutableRawPointer
  private let rounds: Int

  /// Spreads the bits of the round keys over whole words.
  ///
  /// - Parameters:
  ///   - roundKeys: 16 bytes each, one more than `rounds`.
  ///   - memory: `memorySize` bytes, which the caller wipes.
  init(roundKeys: UnsafeRawPointer, rounds: Int, memory: UnsafeMutableRawPointer) {
    unsafe self.memory = memory
    unsafe self.rounds = rounds
    let masks = unsafe memory + Self.maskOffset
    for index in 0..<16 * (rounds + 1) {
      // The S-box's constant passes ShiftRows and MixColumns unchanged.
      let constant = index < 16 ? 0 : SBoxCircuit.constant
      let byte = unsafe roundKeys.load(fromByteOffset: index, as: UInt8.self) ^ constant
      for bit in 0..<8 {
        let mask = 0 &- UInt64(byte &>> UInt8(bit) & 1)
        unsafe masks.storeBytes(of: mask, toByteOffset: 64 &* index &+ 8 &* bit, as: UInt64.self)
      }
    }
  }

  /// Makes the key stream of 128 blocks.
  ///
  /// - Parameters:
  ///   - prefix: the 12 bytes of the counter blocks that stay.
  ///   - count: the first block's last four bytes.
  /// - Returns: where `batchSize` bytes of key stream are.
  func keystream(prefix: UnsafeRawPointer, count: UInt32) -> UnsafeRawPointer {
    unsafe begin(prefix, count)
    var (source, target) = unsafe (memory, memory + Self.otherOffset)
    for round in unsafe 1..<rounds {
      for column in 0..<4 {
        unsafe substitute(source, column: column)
        unsafe mix(round, column: column, into: target)
      }
      unsafe (source, target) = unsafe (target, source)
    }
    for column in 0..<4 {
      unsafe substitute(source, column: column)
      for index in 0..<32 {
        let word = unsafe Word2.load(memory, Self.columnOffset &+ 16 &* index)
        let place = 32 &* column &+ index
        unsafe (word ^ mask(rounds, place)).store(target, 16 &* place)
      }
    }
    unsafe BitMatrix.transpose(target)
    return UnsafeRawPointer(target)
  }

  /// The bit of a round key in all lanes.
  @inline(__always)
  private func mask(_ round: Int, _ place: Int) -> Word2 {
    let offset = unsafe Self.maskOffset &+ 1024 &* round &+ 8 &* place
    return Word2(both: unsafe memory.load(fromByteOffset: offset, as: UInt64.self))
  }

  // MARK: Counters

  /// Lane numbers, bit by bit.
  private static func lanes(_ bit: Int) -> Word2 {
    switch bit {
    case 0: Word2(both: 0xaaaa_aaaa_aaaa_aaaa)
    case 1: Word2(both: 0xcccc_cccc_cccc_cccc)
    case 2: Word2(both: 0xf0f0_f0f0_f0f0_f0f0)
    case 3: Word2(both: 0xff00_ff00_ff00_ff00)
    case 4: Word2(both: 0xffff_0000_ffff_0000)
    case 5: Word2(both: 0xffff_ffff_0000_0000)
    case 6: Word2(0, ~0)
    default: Word2(both: 0)
    }
  }

  /// The counter blocks with the first round key.
  private func begin(_ prefix: UnsafeRawPointer, _ count: UInt32) {
    for index in 0..<96 {
      let byte = unsafe prefix.load(fromByteOffset: index / 8, as: UInt8.self)
      let bit = 0 &- UInt64(byte &>> UInt8(index % 8) & 1)
      unsafe (Word2(both: bit) ^ mask(0, index)).store(memory, 16 &* index)
    }
    // Counters are added up bit by bit, in all lanes at once.
    var carry = Word2(both: 0)
    for bit in 0..<32 {
      let place = 8 &* (15 &- bit / 8) &+ bit % 8
      let base = Word2(both: 0 &- UInt64(count &>> UInt32(bit) & 1))
      let lane = unsafe Self.lanes(bit)
      let sum = base ^ lane
      unsafe (sum ^ carry ^ mask(0, place)).store(memory, 16 &* place)
      carry = (base & lane) ^ (sum & carry)
    }
  }

  // MARK: Rounds

  /// SubBytes on the four bytes that ShiftRows brings into a column.
  @inline(__always)
  private func substitute(_ source: UnsafeRawPointer, column: Int) {
    for row in 0..<4 {
      let bytes = unsafe source + 128 &* (4 &* ((column &+ row) & 3) &+ row)
      var s = unsafe (
        Word2.load(bytes), Word2.load(bytes, 16), Word2.load(bytes, 32), Word2.load(bytes, 48),
        Word2.load(bytes, 64), Word2.load(bytes, 80), Word2.load(bytes, 96),
        Word2.load(bytes, 112)
      )
      SBoxCircuit.apply(&s)
      let target = unsafe memory + Self.columnOffset + 128 &* row
      unsafe s.0.store(target)
      unsafe s.1.store(target, 16)
      unsafe s.2.store(target, 32)
      unsafe s.3.store(target, 48)
      unsafe s.4.store(target, 64)
      unsafe s.5.store(target, 80)
      unsafe s.6.store(target, 96)
      unsafe s.7.store(target, 112)
    }
  }

  /// MixColumns and the round key.
  @inline(__always)
  private func mix(_ round: Int, column: Int, into target: UnsafeMutableRawPointer) {
    let bytes = unsafe memory + Self.columnOffset
    @inline(__always)
    func bit(_ row: Int, _ index: Int) -> Word2 {
      unsafe .load(bytes, 128 &* row &+ 16 &* index)
    }
    // Twice a sum of two bytes takes the bit below, and the highest bit where x^8 comes in.
    let top0 = bit(0, 7) ^ bit(1, 7)
    let top1 = bit(1, 7) ^ bit(2, 7)
    let top2 = bit(2, 7) ^ bit(3, 7)
    let top3 = bit(3, 7) ^ bit(0, 7)
    var (below0, below1, below2, below3) = (top0, top1, top2, top3)
    for index in 0..<8 {
      let (a0, a1, a2, a3) = (bit(0, index), bit(1, index), bit(2, index), bit(3, index))
      let (d0, d1, d2, d3) = (a0 ^ a1, a1 ^ a2, a2 ^ a3, a3 ^ a0)
      let all = d0 ^ d2
      if index == 1 || index == 3 || index == 4 {
        below0 = below0 ^ top0
        below1 = below1 ^ top1
        below2 = below2 ^ top2
        below3 = below3 ^ top3
      }
      let place = 32 &* column &+ index
      unsafe (a0 ^ all ^ below0 ^ mask(round, place)).store(target, 16 &* place)
      unsafe (a1 ^ all ^ below1 ^ mask(round, place &+ 8)).store(target, 16 &* place &+ 128)
      unsafe (a2 ^ all ^ below2 ^ mask(round, place &+ 16)).store(target, 16 &* place &+ 256)
      unsafe (a3 ^ all ^ below3 ^ mask(round, place &+ 24)).store(target, 16 &* place &+ 384)
      (below0, below1, below2, below3) = (d0, d1, d2, d3)
    }
  }
}
