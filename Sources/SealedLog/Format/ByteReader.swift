/// Reads the small structures of the format from bytes that may be hostile; all integers are
/// little-endian. Reading past the end throws and never traps.
package struct ByteReader {
  /// What reading past the end, or a value out of its range, throws.
  package struct Malformed: Error {
    package init() {}
  }

  private let bytes: [UInt8]
  package private(set) var offset = 0

  package init(_ bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  package var remaining: Int { bytes.count - offset }

  package mutating func byte() throws(Malformed) -> UInt8 {
    guard offset < bytes.count else { throw Malformed() }
    defer { offset += 1 }
    return bytes[offset]
  }

  package mutating func integer<I: FixedWidthInteger & UnsignedInteger>(
    _ type: I.Type = I.self
  ) throws(Malformed) -> I {
    let width = I.bitWidth / 8
    guard remaining >= width else { throw Malformed() }
    var value: I = 0
    for index in (0..<width).reversed() { value = value << 8 | I(bytes[offset + index]) }
    offset += width
    return value
  }

  package mutating func bytes(_ count: Int) throws(Malformed) -> [UInt8] {
    guard count >= 0, remaining >= count else { throw Malformed() }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// A byte string behind its 32-bit length, no longer than `limit`.
  package mutating func counted(limit: Int) throws(Malformed) -> [UInt8] {
    let count = Int(try integer(UInt32.self))
    guard count <= limit else { throw Malformed() }
    return try bytes(count)
  }

  /// Skips bytes that must be zero.
  package mutating func zeros(_ count: Int) throws(Malformed) {
    guard try bytes(count).allSatisfy({ $0 == 0 }) else { throw Malformed() }
  }
}
