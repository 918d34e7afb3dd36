/// The compression function of BLAKE2b (RFC 7693, 3.2).
enum BLAKE2bBlock {
  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  /// The order in which each round takes the words of a block; rounds 10 and 11 begin again.
  private static let order: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  /// The state of a hash of one lane, its parameters in the first word.
  static func initialize(
    _ state: UnsafeMutablePointer<UInt64>, digestSize: Int, keySize: Int
  ) {
    for index in 0..<8 { unsafe state[index] = initial[index] }
    unsafe state[0] ^= 0x0101_0000 ^ UInt64(keySize) &<< 8 ^ UInt64(digestSize)
  }

  /// Takes one block into the state; `length` counts the bytes up to the block's end.
  static func compress(
    _ state: UnsafeMutablePointer<UInt64>, _ block: UnsafeRawPointer, length: UInt64,
    isLast: Bool
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 32) { scratch in
      guard let v = scratch.baseAddress else { return }
      let words = unsafe v + 16
      for index in 0..<8 {
        unsafe v[index] = state[index]
        unsafe v[index + 8] = initial[index]
      }
      unsafe v[12] ^= length
      if isLast { unsafe v[14] = ~v[14] }
      for index in 0..<16 {
        let word = unsafe block.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
        unsafe words[index] = UInt64(littleEndian: word)
      }
      for round in 0..<12 { unsafe mix(v, words, order[round % 10]) }
      for index in 0..<8 { unsafe state[index] ^= v[index] ^ v[index + 8] }
      unsafe zeroize(UnsafeMutableRawBufferPointer(scratch))
    }
  }

  /// One round: the columns, then the diagonals.
  @inline(__always)
  private static func mix(
    _ v: UnsafeMutablePointer<UInt64>, _ words: UnsafePointer<UInt64>, _ order: [Int]
  ) {
    for index in 0..<4 {
      let (x, y) = unsafe (words[order[2 * index]], words[order[2 * index + 1]])
      unsafe quarter(v, (index, index + 4, index + 8, index + 12), x, y)
    }
    for index in 0..<4 {
      let (x, y) = unsafe (words[order[2 * index + 8]], words[order[2 * index + 9]])
      unsafe quarter(
        v, (index, 4 + (index + 1) % 4, 8 + (index + 2) % 4, 12 + (index + 3) % 4), x, y)
    }
  }

  @inline(__always)
  private static func quarter(
    _ v: UnsafeMutablePointer<UInt64>, _ at: (a: Int, b: Int, c: Int, d: Int), _ x: UInt64,
    _ y: UInt64
  ) {
    var (a, b, c, d) = unsafe (v[at.a], v[at.b], v[at.c], v[at.d])
    a = a &+ b &+ x
    d = rotate(d ^ a, 32)
    c = c &+ d
    b = rotate(b ^ c, 24)
    a = a &+ b &+ y
    d = rotate(d ^ a, 16)
    c = c &+ d
    b = rotate(b ^ c, 63)
    unsafe v[at.a] = a
    unsafe v[at.b] = b
    unsafe v[at.c] = c
    unsafe v[at.d] = d
  }

  @inline(__always)
  private static func rotate(_ x: UInt64, _ count: UInt64) -> UInt64 {
    x &>> count | x &<< (64 &- count)
  }
}
