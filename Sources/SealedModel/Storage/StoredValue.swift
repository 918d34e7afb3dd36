import Foundation

/// One property's bytes in a record. Good only while the record is.
@safe public struct StoredValue {
  let bytes: UnsafeRawBufferPointer
  let kind: StorageKind
  /// Whether there is a value: false stands for nil.
  let isPresent: Bool

  init(bytes: UnsafeRawBufferPointer, kind: StorageKind, isPresent: Bool) {
    unsafe self.bytes = bytes
    self.kind = kind
    self.isPresent = isPresent
  }

  /// The bytes as a plain value of exactly their number; nil where the number differs.
  func fixed<T: BitwiseCopyable>(_: T.Type) -> T? {
    guard isPresent, unsafe bytes.count == MemoryLayout<T>.size else { return nil }
    return unsafe bytes.loadUnaligned(as: T.self)
  }

  var string: String? {
    guard isPresent else { return nil }
    switch kind.base {
    case .string, .url: return unsafe String(decoding: bytes, as: UTF8.self)
    default: return nil
    }
  }

  var data: Data? {
    guard isPresent else { return nil }
    switch kind.base {
    case .data, .codable: return unsafe Data(bytes)
    default: return nil
    }
  }

  /// The value as queries see it.
  var scalar: Scalar {
    guard isPresent else { return .null }
    switch kind.base {
    case .bool: return fixed(UInt8.self).map { .bool($0 != 0) } ?? .null
    case .int(let bits): return signed(bits).map { .int($0) } ?? .null
    case .uint(let bits): return unsigned(bits).map { .uint($0) } ?? .null
    case .float:
      return fixed(UInt32.self).map {
        .double(Double(Float(bitPattern: UInt32(littleEndian: $0))))
      } ?? .null
    case .double: return double.map { .double($0) } ?? .null
    case .date: return double.map { .date($0) } ?? .null
    case .uuid: return fixed(uuid_t.self).map { .uuid(UUID(uuid: $0)) } ?? .null
    case .string, .url: return string.map { .string($0) } ?? .null
    case .data: return data.map { .data($0) } ?? .null
    case .codable: return data.map { .encoded($0) } ?? .null
    case .decimal, .list, .optional, .raw:
      var reader = unsafe ScalarReader(bytes)
      return reader.next() ?? .null
    }
  }

  private var double: Double? {
    fixed(UInt64.self).map { Double(bitPattern: UInt64(littleEndian: $0)) }
  }

  private func signed(_ bits: Int) -> Int64? {
    switch bits {
    case 8: fixed(Int8.self).map { Int64($0) }
    case 16: fixed(Int16.self).map { Int64(Int16(littleEndian: $0)) }
    case 32: fixed(Int32.self).map { Int64(Int32(littleEndian: $0)) }
    default: fixed(Int64.self).map { Int64(littleEndian: $0) }
    }
  }

  private func unsigned(_ bits: Int) -> UInt64? {
    switch bits {
    case 8: fixed(UInt8.self).map { UInt64($0) }
    case 16: fixed(UInt16.self).map { UInt64(UInt16(littleEndian: $0)) }
    case 32: fixed(UInt32.self).map { UInt64(UInt32(littleEndian: $0)) }
    default: fixed(UInt64.self).map { UInt64(littleEndian: $0) }
    }
  }
}
