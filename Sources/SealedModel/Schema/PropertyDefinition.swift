/// What a descriptor says. Immutable; the typed subclasses know how to handle a slot of their type.
@safe public class PropertyDefinition: @unchecked Sendable {
  // Sendable: only `let` properties, here and in the subclasses.

  /// The name that the store knows the property by.
  public let name: String
  /// The name it had in an older version of the schema.
  public let originalName: String?

  init(name: String, originalName: String?) {
    self.name = name
    self.originalName = originalName
  }

  /// How values are stored; nil for a relationship.
  public var storageKind: StorageKind? { nil }
  /// The attribute's options; none for a relationship.
  public var options: AttributeOptions { [] }
  /// Whether an object must be given a value before it is saved.
  public var isRequired: Bool { false }
  /// Whether the order of values is the order of their stored form.
  var isOrdered: Bool { false }

  // What is done with a slot. A field that is no descriptor has none of it.

  func placePlaceholder(_ slot: UnsafeMutableRawPointer) {}
  func destroy(_ slot: UnsafeMutableRawPointer) {}
  /// Makes a value of its own in the memory of an empty slot.
  func copy(_ slot: UnsafeMutableRawPointer, to empty: UnsafeMutableRawPointer) {}
  func scalar(_ slot: UnsafeMutableRawPointer) -> Scalar { .null }
  func place(_ stored: StoredValue, _ slot: UnsafeMutableRawPointer) -> Bool { false }
  func encode(_ slot: UnsafeMutableRawPointer, to writer: inout RecordWriter) {}
  func encodeDefault(to writer: inout RecordWriter) {}
  func isEqual(_ slot: UnsafeMutableRawPointer, _ value: UnsafeRawPointer) -> Bool { false }
  func assign(_ slot: UnsafeMutableRawPointer, _ value: UnsafeRawPointer) {}
  func value(_ slot: UnsafeMutableRawPointer) -> UnsafeRawPointer { UnsafeRawPointer(slot) }
  var defaultScalar: Scalar { .null }
  func modelKeyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair? { nil }
}
