import Foundation

/// Builds keys whose byte order is the order of the values. FORMAT.md, "Keys of the object layer".
///
/// A value is 0 for nil, or 1 and its form: integers big-endian with the sign bit turned, floating
/// point so that the bits order (-0 as 0, one NaN, last), strings as NFC UTF-8 and data as they are
/// with 0 written 00 FF and ended by 00 00, decimals as sign, exponent, digits.
struct KeyWriter {
  private(set) var bytes: [UInt8] = []

  init() {}
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ value: UInt8) { bytes.append(value) }
  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }
  mutating func append(_ value: UInt64) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
  mutating func append(_ reference: Reference) {
    append(reference.local)
    append(reference.entity)
  }

  /// Appends a value of a column of the kind.
  ///
  /// - Returns: Whether the scalar is one of that kind; if not, what was appended is nothing.
  mutating func append(_ scalar: Scalar, kind: StorageKind) -> Bool {
    switch (kind.base, scalar) {
    case (_, .null): append(UInt8(0))
    case (.bool, .bool(let value)): bytes += [1, value ? 1 : 0]
    case (.int, .int(let value)):
      append(UInt8(1))
      append(UInt64(bitPattern: value) ^ 1 << 63)
    case (.uint, .uint(let value)):
      append(UInt8(1))
      append(value)
    case (.double, .double(let value)), (.float, .double(let value)), (.date, .date(let value)):
      append(UInt8(1))
      append(Self.ordered(value))
    case (.string, .string(let text)), (.url, .string(let text)):
      append(UInt8(1))
      append(escaped: Self.normalized(text).utf8)
      bytes += [0, 0]
    case (.data, .data(let value)):
      append(UInt8(1))
      append(escaped: value)
      bytes += [0, 0]
    case (.uuid, .uuid(let value)):
      append(UInt8(1))
      unsafe withUnsafeBytes(of: value.uuid) { unsafe bytes.append(contentsOf: $0) }
    case (.decimal, .decimal(let value)):
      append(UInt8(1))
      append(value)
    default: return false
    }
    return true
  }

  /// Appends a related object, or nil.
  mutating func append(optional reference: Reference?) {
    guard let reference else { return append(UInt8(0)) }
    append(UInt8(1))
    append(reference)
  }

  /// The beginning of every string that begins with `prefix`.
  mutating func append(prefix: String) {
    append(UInt8(1))
    append(escaped: Self.normalized(prefix).utf8)
  }

  private mutating func append(escaped values: some Sequence<UInt8>) {
    for value in values {
      bytes.append(value)
      if value == 0 { bytes.append(0xff) }
    }
  }

  /// NFC: then the order of the UTF-8 bytes is the order of Swift's strings.
  static func normalized(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }

  private static func ordered(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0.0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private mutating func append(_ value: Decimal) {
    if value.isNaN { return append(UInt8(3)) }
    if value.isZero { return append(UInt8(1)) }
    let (exponent, digits) = Self.parts(value.magnitude)
    let order = UInt16(truncatingIfNeeded: exponent + 0x8000)
    if value.isSignMinus {
      append(UInt8(0))
      append(~order)
      bytes += digits.map { ~$0 }
      append(UInt8.max)
    } else {
      append(UInt8(2))
      append(order)
      bytes += digits
      append(UInt8(0))
    }
  }

  /// The digits without zeros at either end, and the place of the point from their left.
  private static func parts(_ value: Decimal) -> (exponent: Int, digits: [UInt8]) {
    let sides = value.description.split(separator: ".", omittingEmptySubsequences: false)
    var digits = Array(sides[0].utf8)
    var exponent = digits.count
    if sides.count > 1 { digits += sides[1].utf8 }
    let leading = digits.prefix { $0 == 0x30 }.count
    digits.removeFirst(leading)
    exponent -= leading
    while digits.last == 0x30 { digits.removeLast() }
    return (exponent, digits)
  }

  /// The first key behind all that begin with the one given; nil where there is none.
  static func successor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
    var key = prefix
    while let last = key.popLast() {
      if last < 0xff { return key + [last + 1] }
    }
    return nil
  }
}

/// Reads what ends every index key: the object's reference.
func trailingReference(_ key: UnsafeRawBufferPointer) -> Reference? {
  guard key.count >= Reference.width else { return nil }
  return unsafe reference(at: key.count - Reference.width, of: key)
}

/// A reference written big-endian.
func reference(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Reference? {
  guard offset >= 0, offset + Reference.width <= bytes.count else { return nil }
  return unsafe Reference(
    local: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
    entity: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt16.self)))
}
