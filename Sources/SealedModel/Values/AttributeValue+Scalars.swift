public import Foundation

extension Bool: ZeroValue {
  public static var storageKind: StorageKind { .bool }
  public var scalar: Scalar { .bool(self) }
  public init?(scalar: Scalar) {
    guard case .bool(let value) = scalar else { return nil }
    self = value
  }
  public static var zeroValue: Bool { false }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: UInt8(self ? 1 : 0)) }
  public init?(_stored value: StoredValue) {
    guard let byte = value.fixed(UInt8.self) else { return nil }
    self = byte != 0
  }
}

extension Double: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .double }
  public var scalar: Scalar { .double(self) }
  public init?(scalar: Scalar) {
    guard case .double(let value) = scalar else { return nil }
    self = value
  }
  public static var zeroValue: Double { 0 }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: bitPattern.littleEndian) }
  public init?(_stored value: StoredValue) {
    guard let bits = value.fixed(UInt64.self) else { return nil }
    self.init(bitPattern: UInt64(littleEndian: bits))
  }
}

extension Float: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .float }
  public var scalar: Scalar { .double(Double(self)) }
  public init?(scalar: Scalar) {
    guard case .double(let value) = scalar else { return nil }
    self = Float(value)
  }
  public static var zeroValue: Float { 0 }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: bitPattern.littleEndian) }
  public init?(_stored value: StoredValue) {
    guard let bits = value.fixed(UInt32.self) else { return nil }
    self.init(bitPattern: UInt32(littleEndian: bits))
  }
}

extension Date: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .date }
  public var scalar: Scalar { .date(timeIntervalSinceReferenceDate) }
  public init?(scalar: Scalar) {
    guard case .date(let value) = scalar else { return nil }
    self.init(timeIntervalSinceReferenceDate: value)
  }
  /// 2001-01-01 00:00 UTC.
  public static var zeroValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
  public func _encode(to writer: inout RecordWriter) {
    timeIntervalSinceReferenceDate._encode(to: &writer)
  }
  public init?(_stored value: StoredValue) {
    guard let seconds = Double(_stored: value) else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
}

extension UUID: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .uuid }
  public var scalar: Scalar { .uuid(self) }
  public init?(scalar: Scalar) {
    guard case .uuid(let value) = scalar else { return nil }
    self = value
  }
  /// All zeros.
  public static var zeroValue: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: uuid) }
  public init?(_stored value: StoredValue) {
    guard let bytes = value.fixed(uuid_t.self) else { return nil }
    self.init(uuid: bytes)
  }
}

extension String: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .string }
  public var scalar: Scalar { .string(self) }
  public init?(scalar: Scalar) {
    guard case .string(let value) = scalar else { return nil }
    self = value
  }
  public static var zeroValue: String { "" }
  public func _encode(to writer: inout RecordWriter) { writer.put(utf8: self) }
  public init?(_stored value: StoredValue) {
    guard let text = value.string else { return nil }
    self = text
  }
}

extension Data: ZeroValue {
  public static var storageKind: StorageKind { .data }
  public var scalar: Scalar { .data(self) }
  public init?(scalar: Scalar) {
    guard case .data(let value) = scalar else { return nil }
    self = value
  }
  public static var zeroValue: Data { Data() }
  public func _encode(to writer: inout RecordWriter) { writer.put(data: self) }
  public init?(_stored value: StoredValue) {
    guard let data = value.data else { return nil }
    self = data
  }
}

extension Decimal: ZeroValue, OrderedValue {
  public static var storageKind: StorageKind { .decimal }
  public var scalar: Scalar { .decimal(self) }
  public init?(scalar: Scalar) {
    guard case .decimal(let value) = scalar else { return nil }
    self = value
  }
  public static var zeroValue: Decimal { 0 }
}

extension URL: AttributeValue {
  public static var storageKind: StorageKind { .url }
  public var scalar: Scalar { .string(absoluteString) }
  public init?(scalar: Scalar) {
    guard case .string(let value) = scalar else { return nil }
    self.init(string: value)
  }
}
