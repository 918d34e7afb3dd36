/// What becomes of the related objects when an object is deleted.
public enum DeleteRule: String, Sendable, Codable {
  /// They lose the reference.
  case nullify
  /// They are deleted too.
  case cascade
  /// Saving the deletion throws `.deleteDenied` while there are any.
  case deny
  /// Nothing: what still refers to the object reads nil.
  case noAction
}

/// How many objects a relationship leads to.
public enum Cardinality: String, Sendable, Codable {
  /// One or none.
  case one
  /// Any number, in order.
  case many
}

/// How the other side of a relationship is named: a field of the destination's `Properties`.
struct InverseReference: Sendable {
  let slot: @Sendable () -> Int?
}

/// What a `ToOne` or `ToMany` says.
@safe public class RelationshipDefinition: PropertyDefinition, @unchecked Sendable {
  // Sendable: only `let` properties.

  /// How many objects it leads to.
  public let cardinality: Cardinality
  /// What becomes of them when the owner is deleted.
  public let deleteRule: DeleteRule
  private let required: Bool
  /// The model that it leads to.
  public let destination: any PersistentModel.Type
  let inverse: InverseReference?

  init(
    _ name: String, _ originalName: String?, _ cardinality: Cardinality, _ deleteRule: DeleteRule,
    required: Bool, destination: any PersistentModel.Type, inverse: InverseReference?
  ) {
    self.cardinality = cardinality
    self.deleteRule = deleteRule
    self.required = required
    self.destination = destination
    self.inverse = inverse
    super.init(name: name, originalName: originalName)
  }

  public override final var isRequired: Bool { required }
  func accepts(_ object: ModelObject) -> Bool { false }

  override final func placePlaceholder(_ slot: UnsafeMutableRawPointer) {
    unsafe slot.initializeMemory(as: (UInt, UInt).self, to: (0, 0))
  }
  override final func destroy(_ slot: UnsafeMutableRawPointer) {
    switch cardinality {
    case .one: unsafe slot.assumingMemoryBound(to: ToOneSlot.self).deinitialize(count: 1)
    case .many: unsafe slot.assumingMemoryBound(to: ToManySlot.self).deinitialize(count: 1)
    }
  }
  override final func copy(
    _ slot: UnsafeMutableRawPointer, to empty: UnsafeMutableRawPointer
  ) {
    switch cardinality {
    case .one:
      unsafe empty.initializeMemory(
        as: ToOneSlot.self, to: slot.assumingMemoryBound(to: ToOneSlot.self).pointee)
    case .many:
      let list = unsafe slot.assumingMemoryBound(to: ToManySlot.self).pointee.list
      unsafe empty.initializeMemory(as: ToManySlot.self, to: ToManySlot(list: list?.copy()))
    }
  }
}

final class ToOneDefinition<Destination: PersistentModel>: RelationshipDefinition,
  @unchecked Sendable
{
  init(
    _ name: String, _ originalName: String?, _ rule: DeleteRule, _ required: Bool,
    _ inverse: InverseReference?
  ) {
    super.init(
      name, originalName, .one, rule, required: required, destination: Destination.self,
      inverse: inverse)
  }
  override func accepts(_ object: ModelObject) -> Bool { object is Destination }
  override func modelKeyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair? {
    KeyPathPair.optional(M.self, field, level, ToOne<Destination>.self)
  }
}

final class ToManyDefinition<Destination: PersistentModel>: RelationshipDefinition,
  @unchecked Sendable
{
  init(
    _ name: String, _ originalName: String?, _ rule: DeleteRule, _ inverse: InverseReference?
  ) {
    super.init(
      name, originalName, .many, rule, required: false, destination: Destination.self,
      inverse: inverse)
  }
  override func accepts(_ object: ModelObject) -> Bool { object is Destination }
  override func modelKeyPaths<M: PersistentModel, R>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int
  ) -> KeyPathPair? {
    KeyPathPair.plain(M.self, field, level, ToMany<Destination>.self)
  }
}
