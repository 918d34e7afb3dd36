public import Foundation

/// A value on the query's side: what comparisons, indexes and saved searches work on.
public enum Scalar: Sendable, Hashable, Codable {
  /// Nothing.
  case null
  /// A truth value.
  case bool(Bool)
  /// A signed integer of any width.
  case int(Int64)
  /// An unsigned integer of any width.
  case uint(UInt64)
  /// A floating-point number.
  case double(Double)
  /// A string; equal where canonically equivalent, as Swift's strings are.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A point in time: seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number.
  case decimal(Decimal)
  /// The JSON form of a `Codable` value.
  case encoded(Data)
  /// A list.
  case list([Scalar])
  /// An object, by its identifier.
  case object(PersistentIdentifier)
}
