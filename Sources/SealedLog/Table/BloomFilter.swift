/// A blocked Bloom filter: the probes of a key stay in one 64-byte line.
///
/// About ten bits a key and six probes let one miss in a hundred through (Putze, Sanders, Singler,
/// 2007). FORMAT.md, "Filters", defines every bit.
enum BloomFilter {
  static let lineSize = 64
  static let bitsPerKey = 10
  private static let probes = 6

  static func lineCount(keys: Int) -> Int { keys * bitsPerKey / (lineSize * 8) + 1 }

  @inline(__always)
  static func add(_ hash: UInt64, to lines: UnsafeMutableRawPointer, count: UInt64) {
    let line = unsafe lines + offset(hash, count: count)
    var bits = hash &* 0x9e37_79b9_7f4a_7c15
    for _ in 0..<probes {
      let bit = bits &>> 55
      let byte = unsafe line + Int(truncatingIfNeeded: bit &>> 3)
      unsafe byte.storeBytes(
        of: byte.load(as: UInt8.self) | (1 &<< UInt8(truncatingIfNeeded: bit & 7)),
        as: UInt8.self)
      bits = bits &<< 9
    }
  }

  @inline(__always)
  static func contains(_ hash: UInt64, in lines: UnsafeRawPointer, count: UInt64) -> Bool {
    let line = unsafe lines + offset(hash, count: count)
    var bits = hash &* 0x9e37_79b9_7f4a_7c15
    var result: UInt64 = 1
    for _ in 0..<probes {
      let bit = bits &>> 55
      result &= unsafe line.u64(Int(truncatingIfNeeded: (bit &>> 6) &<< 3)) &>> (bit & 63)
      bits = bits &<< 9
    }
    return result & 1 != 0
  }

  @inline(__always)
  private static func offset(_ hash: UInt64, count: UInt64) -> Int {
    Int(truncatingIfNeeded: ((hash &>> 32) &* count) &>> 32) &* lineSize
  }
}
