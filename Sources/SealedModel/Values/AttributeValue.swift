import Foundation

/// What an `Attribute` can hold.
///
/// All of Swift's and Foundation's usual scalars are; for an enum or struct of yours the word is
/// all that is needed, `Codable` and `Equatable` are synthesised:
///
///     enum Status: String, AttributeValue { case draft, open, done }
///     struct Address: AttributeValue { var street = "", zip: Int? }
public protocol AttributeValue: Codable, Equatable, Sendable {
  /// How values of the type are stored.
  static var storageKind: StorageKind { get }
  /// The value as queries see it.
  var scalar: Scalar { get }
  /// The value that a scalar stands for; nil where it stands for none of this type.
  init?(scalar: Scalar)
  /// Writes the value where the record keeps it. Implemented by the library.
  func _encode(to writer: inout RecordWriter)
  /// Reads the value from where a record keeps it. Implemented by the library.
  init?(_stored value: StoredValue)
}

/// A value with an obvious empty value, so that an attribute of it needs no `default:`.
public protocol ZeroValue: AttributeValue {
  /// The empty value.
  static var zeroValue: Self { get }
}

/// A value whose order in queries, sorts and indexes is its `<`.
public protocol OrderedValue: AttributeValue, Comparable {}

extension AttributeValue {
  /// A `Codable` value, kept as JSON.
  public static var storageKind: StorageKind { .codable }
  /// The JSON form.
  public var scalar: Scalar { .encoded(CodableValues.encode(self)) }
  /// From the JSON form.
  public init?(scalar: Scalar) {
    guard case .encoded(let data) = scalar, let value = CodableValues.decode(Self.self, data) else {
      return nil
    }
    self = value
  }
  public func _encode(to writer: inout RecordWriter) { writer.put(scalar) }
  public init?(_stored value: StoredValue) { self.init(scalar: value.scalar) }
}

/// The JSON form of values: keys sorted, so that equal values give equal bytes.
enum CodableValues {
  private static let infinity = ("inf", "-inf", "nan")

  static func encode<V: Encodable>(_ value: V) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity.0, negativeInfinity: infinity.1, nan: infinity.2)
    return (try? encoder.encode([value])) ?? Data()
  }

  static func decode<V: Decodable>(_: V.Type, _ data: Data) -> V? {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity.0, negativeInfinity: infinity.1, nan: infinity.2)
    return (try? decoder.decode([V].self, from: data))?.first
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// An enum, kept as its raw value.
  public static var storageKind: StorageKind { .raw(RawValue.storageKind) }
  /// The raw value.
  public var scalar: Scalar { rawValue.scalar }
  /// From the raw value; nil where no case has it.
  public init?(scalar: Scalar) {
    guard let raw = RawValue(scalar: scalar) else { return nil }
    self.init(rawValue: raw)
  }
  public func _encode(to writer: inout RecordWriter) { rawValue._encode(to: &writer) }
  public init?(_stored value: StoredValue) {
    guard let raw = RawValue(_stored: value) else { return nil }
    self.init(rawValue: raw)
  }
}
