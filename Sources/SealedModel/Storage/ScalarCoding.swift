import Foundation

/// The tagged byte form of a scalar, for values that have no form of their own in a record: lists,
/// decimals. FORMAT.md, "Tagged values".
enum ScalarTag: UInt8 {
  case null = 0, no = 1, yes = 2, int = 3, uint = 4, double = 5, string = 6, data = 7, date = 8
  case uuid = 9, decimal = 10, encoded = 11, list = 12
}

extension Scalar {
  /// Appends the tagged form. Objects aren't values and are written as nothing.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null, .object: bytes.append(ScalarTag.null.rawValue)
    case .bool(let value): bytes.append((value ? ScalarTag.yes : .no).rawValue)
    case .int(let value): Self.append(.int, UInt64(bitPattern: value), to: &bytes)
    case .uint(let value): Self.append(.uint, value, to: &bytes)
    case .double(let value): Self.append(.double, value.bitPattern, to: &bytes)
    case .date(let value): Self.append(.date, value.bitPattern, to: &bytes)
    case .string(let value): Self.append(.string, Array(value.utf8), to: &bytes)
    case .data(let value): Self.append(.data, Array(value), to: &bytes)
    case .encoded(let value): Self.append(.encoded, Array(value), to: &bytes)
    case .decimal(let value): Self.append(.decimal, Array(value.description.utf8), to: &bytes)
    case .uuid(let value):
      bytes.append(ScalarTag.uuid.rawValue)
      let parts = value.uuid
      unsafe withUnsafeBytes(of: parts) { unsafe bytes.append(contentsOf: $0) }
    case .list(let values):
      Self.append(.list, UInt64(values.count), to: &bytes)
      for value in values { value.append(to: &bytes) }
    }
  }

  private static func append(_ tag: ScalarTag, _ value: UInt64, to bytes: inout [UInt8]) {
    bytes.append(tag.rawValue)
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  private static func append(_ tag: ScalarTag, _ value: [UInt8], to bytes: inout [UInt8]) {
    append(tag, UInt64(value.count), to: &bytes)
    bytes += value
  }
}

/// Reads tagged scalars; nil at the first byte that makes no sense.
@safe struct ScalarReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private static let depthLimit = 64

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  mutating func next(depth: Int = 0) -> Scalar? {
    guard depth < Self.depthLimit, unsafe position < bytes.count,
      let tag = unsafe ScalarTag(rawValue: bytes[position])
    else { return nil }
    position += 1
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int: return word().map { .int(Int64(bitPattern: $0)) }
    case .uint: return word().map { .uint($0) }
    case .double: return word().map { .double(Double(bitPattern: $0)) }
    case .date: return word().map { .date(Double(bitPattern: $0)) }
    case .string: return unsafe run().map { unsafe .string(String(decoding: $0, as: UTF8.self)) }
    case .data: return unsafe run().map { unsafe .data(Data($0)) }
    case .encoded: return unsafe run().map { unsafe .encoded(Data($0)) }
    case .decimal:
      return unsafe run().flatMap { unsafe Decimal(string: String(decoding: $0, as: UTF8.self)) }
        .map { .decimal($0) }
    case .uuid:
      guard unsafe position + 16 <= bytes.count else { return nil }
      let value = unsafe bytes.loadUnaligned(fromByteOffset: position, as: uuid_t.self)
      position += 16
      return .uuid(UUID(uuid: value))
    case .list: return list(depth)
    }
  }

  private mutating func list(_ depth: Int) -> Scalar? {
    guard let count = word(), unsafe count <= UInt64(bytes.count - position) else { return nil }
    var values: [Scalar] = []
    for _ in 0..<count {
      guard let value = next(depth: depth + 1) else { return nil }
      values.append(value)
    }
    return .list(values)
  }

  private mutating func word() -> UInt64? {
    guard unsafe position + 8 <= bytes.count else { return nil }
    defer { position += 8 }
    return unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private mutating func run() -> UnsafeRawBufferPointer? {
    guard let count = word(), unsafe count <= UInt64(bytes.count - position) else { return nil }
    defer { position += Int(count) }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
  }
}
