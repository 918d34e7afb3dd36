/// Builds the small structures of the format; all integers are little-endian.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ value: UInt8) { bytes.append(value) }

  package mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  package mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  package mutating func append(zeros count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  /// A byte string behind its 32-bit length.
  package mutating func append(counted other: [UInt8]) {
    append(UInt32(other.count))
    append(other)
  }
}
