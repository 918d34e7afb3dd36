import Foundation

/// What an `Attribute` says, and how a slot of its type is handled.
@safe
public class AttributeDefinition<Value: AttributeValue>: PropertyDefinition,
  @unchecked Sendable
{
  // Sendable: only `let` properties.
  private let optionSet: AttributeOptions
  /// What is read before a value is set.
  public let placeholder: Value
  /// Whether the placeholder may be saved.
  public let hasDefault: Bool

  init(
    _ name: String, _ originalName: String?, _ options: AttributeOptions, _ placeholder: Value,
    hasDefault: Bool
  ) {
    optionSet = options
    self.placeholder = placeholder
    self.hasDefault = hasDefault
    super.init(name: name, originalName: originalName)
  }

  public override var storageKind: StorageKind? { Value.storageKind }
  public override final var options: AttributeOptions { optionSet }
  public override final var isRequired: Bool {
    if hasDefault || options.contains(.ephemeral) || Value.storageKind.isOptional { return false }
    switch Value.storageKind {
    case .list, .codable: return false
    default: return true
    }
  }
  override var isOrdered: Bool {
    Value.self is any OrderedValue.Type || Value.self is any OptionalOrdered.Type
  }

  override final func placePlaceholder(_ slot: UnsafeMutableRawPointer) {
    unsafe SlotStorage<Value>.initialize(slot, placeholder)
  }
  override final func destroy(_ slot: UnsafeMutableRawPointer) {
    unsafe SlotStorage<Value>.destroy(slot)
  }
  override final func copy(
    _ slot: UnsafeMutableRawPointer, to empty: UnsafeMutableRawPointer
  ) {
    unsafe SlotStorage<Value>.initialize(empty, SlotStorage<Value>.pointer(slot).pointee)
  }
  override final func isEqual(_ slot: UnsafeMutableRawPointer, _ value: UnsafeRawPointer) -> Bool {
    unsafe SlotStorage<Value>.pointer(slot).pointee
      == value.assumingMemoryBound(to: Value.self).pointee
  }
  override final func assign(_ slot: UnsafeMutableRawPointer, _ value: UnsafeRawPointer) {
    unsafe SlotStorage<Value>.pointer(slot).pointee =
      value.assumingMemoryBound(to: Value.self).pointee
  }
  override final func value(_ slot: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(SlotStorage<Value>.pointer(slot))
  }
  override func scalar(_ slot: UnsafeMutableRawPointer) -> Scalar {
    unsafe SlotStorage<Value>.pointer(slot).pointee.scalar
  }
  override var defaultScalar: Scalar { placeholder.scalar }
  override func place(_ stored: StoredValue, _ slot: UnsafeMutableRawPointer) -> Bool {
    guard let value = Value(_stored: stored) else { return false }
    unsafe SlotStorage<Value>.initialize(slot, value)
    return true
  }
  override func encode(_ slot: UnsafeMutableRawPointer, to writer: inout RecordWriter) {
    unsafe SlotStorage<Value>.pointer(slot).pointee._encode(to: &writer)
  }
  override func encodeDefault(to writer: inout RecordWriter) { placeholder._encode(to: &writer) }
  override final func modelKeyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair? {
    if let optional = Value.self as? any OptionalValue.Type {
      return optional.keyPaths(M.self, field, level)
    }
    return KeyPathPair.plain(M.self, field, level, Attribute<Value>.self)
  }
}

/// An attribute whose stored form a transformer makes.
final class TransformedDefinition<Value: AttributeValue, T: AttributeTransformer>:
  AttributeDefinition<Value>, @unchecked Sendable
where T.Value == Value {
  private let transformer: T

  init(
    _ name: String, _ originalName: String?, _ options: AttributeOptions, _ placeholder: Value,
    _ transformer: T
  ) {
    self.transformer = transformer
    super.init(name, originalName, options, placeholder, hasDefault: true)
  }

  override var storageKind: StorageKind? { T.Stored.storageKind }
  override var isOrdered: Bool { false }
  override func scalar(_ slot: UnsafeMutableRawPointer) -> Scalar {
    unsafe transformer.stored(SlotStorage<Value>.pointer(slot).pointee).scalar
  }
  override var defaultScalar: Scalar { transformer.stored(placeholder).scalar }
  override func place(_ stored: StoredValue, _ slot: UnsafeMutableRawPointer) -> Bool {
    guard let form = T.Stored(_stored: stored), let value = transformer.value(form) else {
      return false
    }
    unsafe SlotStorage<Value>.initialize(slot, value)
    return true
  }
  override func encode(_ slot: UnsafeMutableRawPointer, to writer: inout RecordWriter) {
    unsafe transformer.stored(SlotStorage<Value>.pointer(slot).pointee)._encode(to: &writer)
  }
  override func encodeDefault(to writer: inout RecordWriter) {
    transformer.stored(placeholder)._encode(to: &writer)
  }
}

private protocol OptionalOrdered {}
extension Optional: OptionalOrdered where Wrapped: OrderedValue {}

private protocol OptionalValue {
  static func keyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair?
}
extension Optional: OptionalValue where Wrapped: AttributeValue {
  static func keyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair? {
    KeyPathPair.optional(M.self, field, level, Attribute<Wrapped?>.self)
  }
}
