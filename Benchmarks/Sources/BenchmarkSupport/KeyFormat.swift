/// Writes keys: sixteen decimal digits with leading zeros, as db_bench's.
@safe public struct KeyFormat: @unchecked Sendable {
  /// Bytes of a key.
  public static let size = 16

  // "00" to "99"; never written after `init`, never freed: a process has one or two.
  @usableFromInline let pairs: UnsafeMutablePointer<UInt16>

  /// Makes the table of pairs of digits.
  public init() {
    unsafe pairs = .allocate(capacity: 100)
    for number in 0..<100 {
      let digits = UInt16(48 + number / 10) | UInt16(48 + number % 10) << 8
      unsafe pairs[number] = digits.littleEndian
    }
  }

  /// Writes the key of a number below 10^16.
  @inlinable @inline(__always)
  public func write(_ number: Int, to target: UnsafeMutableRawPointer) {
    var rest = UInt64(truncatingIfNeeded: number)
    var offset = 14
    while offset >= 0 {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
      unsafe target.storeBytes(
        of: pairs[Int(truncatingIfNeeded: remainder)], toByteOffset: offset, as: UInt16.self)
      rest = quotient
      offset &-= 2
    }
  }
}
