/// How a value is stored: chosen by its type, statically.
public indirect enum StorageKind: Sendable, Hashable, Codable {
  /// One byte.
  case bool
  /// A signed integer of so many bits.
  case int(bits: Int)
  /// An unsigned integer of so many bits.
  case uint(bits: Int)
  /// IEEE 754 single precision.
  case float
  /// IEEE 754 double precision.
  case double
  /// UTF-8.
  case string
  /// Bytes.
  case data
  /// Seconds since 2001-01-01 00:00 UTC, double precision.
  case date
  /// 16 bytes.
  case uuid
  /// The absolute string of a URL.
  case url
  /// Foundation's `Decimal`.
  case decimal
  /// The value or nothing.
  case optional(StorageKind)
  /// The raw value of an enum.
  case raw(StorageKind)
  /// Values of one kind, in order.
  case list(StorageKind)
  /// The JSON form of a `Codable` value.
  case codable

  /// The kind of the value where it is there, the raw value in place of an enum.
  var base: StorageKind {
    switch self {
    case .optional(let kind), .raw(let kind): kind.base
    default: self
    }
  }

  /// Whether nil can be stored.
  var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }

  /// Whether values have an order-preserving key, so that an index can hold them.
  var isIndexable: Bool {
    switch base {
    case .list, .codable: false
    default: true
    }
  }

  /// The bytes a value takes in a record's fixed part; nil where its length varies.
  var fixedWidth: Int? {
    switch base {
    case .bool: 1
    case .int(let bits), .uint(let bits): bits / 8
    case .float: 4
    case .double, .date: 8
    case .uuid: 16
    default: nil
    }
  }
}
