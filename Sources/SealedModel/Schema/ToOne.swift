/// A relationship to one object or none: reads as an optional of the destination.
///
/// The inverse is named on one side only; both sides change at once.
@frozen public struct ToOne<Destination: PersistentModel>: Sendable {
  /// What the descriptor says.
  public let definition: RelationshipDefinition

  /// A relationship whose inverse, if any, is named by the other side.
  public init(
    _ name: String, deleteRule: DeleteRule = .nullify, required: Bool = false,
    originalName: String? = nil
  ) {
    definition = ToOneDefinition<Destination>(name, originalName, deleteRule, required, nil)
  }

  /// A relationship with a to-one inverse.
  public init<Source>(
    _ name: String, inverse: any KeyPath<Destination.Properties, ToOne<Source>> & Sendable,
    deleteRule: DeleteRule = .nullify, required: Bool = false, originalName: String? = nil
  ) {
    definition = ToOneDefinition<Destination>(
      name, originalName, deleteRule, required,
      InverseReference(slot: { Destination._slotNumber(inverse) }))
  }

  /// A relationship with a to-many inverse.
  public init<Source>(
    _ name: String, inverse: any KeyPath<Destination.Properties, ToMany<Source>> & Sendable,
    deleteRule: DeleteRule = .nullify, required: Bool = false, originalName: String? = nil
  ) {
    definition = ToOneDefinition<Destination>(
      name, originalName, deleteRule, required,
      InverseReference(slot: { Destination._slotNumber(inverse) }))
  }
}
