extension AttributeValue where Self: FixedWidthInteger & SignedInteger & BitwiseCopyable {
  public static var storageKind: StorageKind { .int(bits: bitWidth) }
  public var scalar: Scalar { .int(Int64(self)) }
  public init?(scalar: Scalar) {
    guard case .int(let value) = scalar else { return nil }
    self.init(exactly: value)
  }
  /// Zero.
  public static var zeroValue: Self { 0 }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: littleEndian) }
  public init?(_stored value: StoredValue) {
    guard let bits = value.fixed(Self.self) else { return nil }
    self.init(littleEndian: bits)
  }
}

extension AttributeValue where Self: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
  public static var storageKind: StorageKind { .uint(bits: bitWidth) }
  public var scalar: Scalar { .uint(UInt64(self)) }
  public init?(scalar: Scalar) {
    guard case .uint(let value) = scalar else { return nil }
    self.init(exactly: value)
  }
  /// Zero.
  public static var zeroValue: Self { 0 }
  public func _encode(to writer: inout RecordWriter) { writer.put(fixed: littleEndian) }
  public init?(_stored value: StoredValue) {
    guard let bits = value.fixed(Self.self) else { return nil }
    self.init(littleEndian: bits)
  }
}

extension Int: ZeroValue, OrderedValue {}
extension Int8: ZeroValue, OrderedValue {}
extension Int16: ZeroValue, OrderedValue {}
extension Int32: ZeroValue, OrderedValue {}
extension Int64: ZeroValue, OrderedValue {}
extension UInt: ZeroValue, OrderedValue {}
extension UInt8: ZeroValue, OrderedValue {}
extension UInt16: ZeroValue, OrderedValue {}
extension UInt32: ZeroValue, OrderedValue {}
extension UInt64: ZeroValue, OrderedValue {}
