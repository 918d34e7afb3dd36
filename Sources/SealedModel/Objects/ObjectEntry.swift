/// One an identifier in a context: what a relationship holds instead of the object, so that objects
/// don't keep each other alive.
@safe @usableFromInline final class ObjectEntry {
  /// Nil where nobody holds the object, or it is deleted.
  @exclusivity(unchecked) @usableFromInline final unowned(unsafe) var object: ModelObject?
  /// Provisional until the object is inserted.
  final var id: PersistentIdentifier

  init(id: PersistentIdentifier) { self.id = id }

  var reference: Reference { id.reference }
}

/// A to-one slot.
struct ToOneSlot {
  var entry: ObjectEntry?
  /// Keeps a target that no context holds yet.
  var strong: ModelObject?
}

/// A to-many slot.
struct ToManySlot {
  var list: ToManyList?
  var unused: Int = 0
}

/// What an object is made from when it is read from a store.
public struct ObjectSeed {
  let entity: Entity
  let entry: ObjectEntry
  let record: OwnedRecord?
  let context: ModelContext?
}
