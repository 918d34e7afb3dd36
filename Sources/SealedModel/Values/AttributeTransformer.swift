/// Turns an attribute's value into what is stored, and back.
public protocol AttributeTransformer: Sendable {
  /// What the property holds.
  associatedtype Value: AttributeValue
  /// What the record holds.
  associatedtype Stored: AttributeValue
  /// The stored form of a value.
  func stored(_ value: Value) -> Stored
  /// The value of a stored form; nil where it has none, then the attribute's default is read.
  func value(_ stored: Stored) -> Value?
}
