/// An attribute of a model: a value of the record.
///
/// Exactly one word, so that its offset in `Properties` numbers its slot.
@frozen public struct Attribute<Value: AttributeValue>: Sendable {
  /// What the descriptor says.
  public let definition: AttributeDefinition<Value>
}

extension Attribute {
  /// A value with a default.
  ///
  /// New objects have it, old records without the property read it, and it is read where a stored
  /// value no longer fits the type.
  public init(
    _ name: String, _ options: AttributeOptions = [], default value: Value,
    originalName: String? = nil
  ) {
    definition = AttributeDefinition(name, originalName, options, value, hasDefault: true)
  }

  /// A value without default: a scalar must be set before its object is saved; optionals begin as
  /// nil, collections empty.
  public init(_ name: String, _ options: AttributeOptions = [], originalName: String? = nil)
  where Value: ZeroValue {
    definition = AttributeDefinition(
      name, originalName, options, Value.zeroValue, hasDefault: false)
  }

  /// Not available: says what is missing.
  @available(
    *, unavailable,
    message: "an attribute of this type has no natural empty value: give it a `default:`"
  )
  @_disfavoredOverload
  public init(_ name: String, _ options: AttributeOptions = [], originalName: String? = nil) {
    preconditionFailure("unavailable")
  }

  /// A value that is stored in another form.
  public init<T: AttributeTransformer>(
    _ name: String, _ options: AttributeOptions = [], default value: Value, transformer: T,
    originalName: String? = nil
  ) where T.Value == Value {
    definition = TransformedDefinition(name, originalName, options, value, transformer)
  }
}
