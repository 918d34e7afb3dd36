/// Transposes a square of 128 by 128 bits (H. S. Warren, "Hacker's Delight", 7-3: squares of half
/// the size change places, then those within them).
enum BitMatrix {
  /// Bit j of row i changes places with bit i of row j.
  ///
  /// - Parameter rows: 128 rows of 16 bytes, little-endian.
  static func transpose(_ rows: UnsafeMutableRawPointer) {
    for row in 0..<64 {
      let (a, b) = unsafe (Word2.load(rows, 16 &* row), Word2.load(rows, 16 &* row &+ 1024))
      unsafe Word2(a.low, b.low).store(rows, 16 &* row)
      unsafe Word2(a.high, b.high).store(rows, 16 &* row &+ 1024)
    }
    unsafe exchange(rows, 32, 0x0000_0000_ffff_ffff)
    unsafe exchange(rows, 16, 0x0000_ffff_0000_ffff)
    unsafe exchange(rows, 8, 0x00ff_00ff_00ff_00ff)
    unsafe exchange(rows, 4, 0x0f0f_0f0f_0f0f_0f0f)
    unsafe exchange(rows, 2, 0x3333_3333_3333_3333)
    unsafe exchange(rows, 1, 0x5555_5555_5555_5555)
  }

  /// Exchanges the squares of `size` bits off the diagonal.
  @inline(__always)
  private static func exchange(_ rows: UnsafeMutableRawPointer, _ size: Int, _ mask: UInt64) {
    let mask = Word2(both: mask)
    let shift = UInt64(truncatingIfNeeded: size)
    var first = 0
    while first < 128 {
      for row in first..<first &+ size {
        let place = 16 &* row
        let (a, b) = unsafe (Word2.load(rows, place), Word2.load(rows, place &+ 16 &* size))
        let moved = (a &>> shift ^ b) & mask
        unsafe (b ^ moved).store(rows, place &+ 16 &* size)
        unsafe (a ^ moved &<< shift).store(rows, place)
      }
      first &+= 2 &* size
    }
  }
}
