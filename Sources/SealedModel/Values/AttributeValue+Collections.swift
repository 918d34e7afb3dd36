extension Optional: AttributeValue where Wrapped: AttributeValue {
  public static var storageKind: StorageKind { .optional(Wrapped.storageKind) }
  public var scalar: Scalar { self?.scalar ?? .null }
  public init?(scalar: Scalar) {
    if case .null = scalar {
      self = .none
      return
    }
    guard let value = Wrapped(scalar: scalar) else { return nil }
    self = .some(value)
  }
  public func _encode(to writer: inout RecordWriter) { self?._encode(to: &writer) }
  public init?(_stored value: StoredValue) {
    if !value.isPresent {
      self = .none
      return
    }
    guard let wrapped = Wrapped(_stored: value) else { return nil }
    self = .some(wrapped)
  }
}

extension Optional: ZeroValue where Wrapped: AttributeValue {
  /// Nil.
  public static var zeroValue: Wrapped? { nil }
}

extension Array: AttributeValue where Element: AttributeValue {
  public static var storageKind: StorageKind { .list(Element.storageKind) }
  public var scalar: Scalar { .list(map(\.scalar)) }
  public init?(scalar: Scalar) {
    guard case .list(let values) = scalar else { return nil }
    var result: [Element] = []
    result.reserveCapacity(values.count)
    for value in values {
      guard let element = Element(scalar: value) else { return nil }
      result.append(element)
    }
    self = result
  }
}

extension Array: ZeroValue where Element: AttributeValue {
  /// No element.
  public static var zeroValue: [Element] { [] }
}

extension Dictionary: AttributeValue where Key: AttributeValue, Value: AttributeValue {}
extension Dictionary: ZeroValue where Key: AttributeValue, Value: AttributeValue {
  /// No pair.
  public static var zeroValue: [Key: Value] { [:] }
}

extension Set: AttributeValue where Element: AttributeValue {
  public static var storageKind: StorageKind { .list(Element.storageKind) }
  /// The elements in the order of their stored bytes: equal sets give equal lists.
  public var scalar: Scalar {
    let elements = map { element in
      let scalar = element.scalar
      var bytes: [UInt8] = []
      scalar.append(to: &bytes)
      return (scalar, bytes)
    }
    return .list(elements.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
  }
  public init?(scalar: Scalar) {
    guard let elements = [Element](scalar: scalar) else { return nil }
    self.init(elements)
  }
}
extension Set: ZeroValue where Element: AttributeValue {
  /// No element.
  public static var zeroValue: Set<Element> { [] }
}
