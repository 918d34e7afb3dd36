/// A relationship to any number of objects, in order: reads as `RelatedObjects`.
///
/// The inverse is named on one side only; both sides change at once.
@frozen public struct ToMany<Destination: PersistentModel>: Sendable {
  /// What the descriptor says.
  public let definition: RelationshipDefinition

  /// A relationship whose inverse, if any, is named by the other side.
  public init(_ name: String, deleteRule: DeleteRule = .nullify, originalName: String? = nil) {
    definition = ToManyDefinition<Destination>(name, originalName, deleteRule, nil)
  }

  /// A relationship with a to-one inverse.
  public init<Source>(
    _ name: String, inverse: any KeyPath<Destination.Properties, ToOne<Source>> & Sendable,
    deleteRule: DeleteRule = .nullify, originalName: String? = nil
  ) {
    definition = ToManyDefinition<Destination>(
      name, originalName, deleteRule,
      InverseReference(slot: { Destination._slotNumber(inverse) }))
  }

  /// A many-to-many relationship.
  public init<Source>(
    _ name: String, inverse: any KeyPath<Destination.Properties, ToMany<Source>> & Sendable,
    deleteRule: DeleteRule = .nullify, originalName: String? = nil
  ) {
    definition = ToManyDefinition<Destination>(
      name, originalName, deleteRule,
      InverseReference(slot: { Destination._slotNumber(inverse) }))
  }
}
