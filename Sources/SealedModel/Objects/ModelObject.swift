/// The base class of every model. Values lie in one block: a header of bit masks, then 16 bytes a
/// property.
///
/// Invariants: a bit in `readable` is set only where a plain load of the slot is the whole read (the
/// value is decoded, nobody observes, nothing is checked); a bit in `writable` only where a plain
/// store is the whole write. Whatever needs more clears the bits.
@safe open class ModelObject {
  /// Slot 0; the header of slots 64·g … 64·g+63 lies at -64·(g+1).
  @usableFromInline final let _slots: UnsafeMutableRawPointer
  final unowned(unsafe) let _entity: Entity
  final weak var _context: ModelContext?
  /// Made when a relationship or a context first needs it.
  final var _entryIfAny: ObjectEntry?
  final var _record: OwnedRecord?
  final var _life: Life
  final var _observation: ObservationBox?

  enum Life {
    /// In no context.
    case new
    /// Inserted, not saved.
    case pending
    /// As the store has it.
    case clean
    /// Changed since.
    case dirty
    /// Deleted, not saved.
    case deleted
    /// Deleted for good.
    case gone
  }

  /// A new object: every property has its default or placeholder.
  public required init() {
    let entity = Entity.of(type(of: self))
    unsafe _entity = entity
    unsafe _slots = entity.allocateBlock()
    _life = .new
  }

  /// An object read from a store: nothing is decoded yet, and no code of the model's runs.
  public required init(_materialize seed: ObjectSeed) {
    unsafe _entity = seed.entity
    unsafe _slots = seed.entity.allocateBlock()
    _entryIfAny = seed.entry
    _record = seed.record
    _context = seed.context
    _life = seed.record == nil ? .gone : .clean
    if seed.record != nil { unsafe seed.entry.object = self }
  }

  deinit {
    if let entry = _entryIfAny, unsafe entry.object === self { unsafe entry.object = nil }
    unsafe _entity.releaseBlock(_slots)
    _record?.free()
  }

  final var _entry: ObjectEntry {
    if let entry = _entryIfAny { return entry }
    let entry = ObjectEntry(id: .provisional())
    unsafe entry.object = self
    _entryIfAny = entry
    return entry
  }

  /// The object's identifier: provisional before `insert`, permanent from then on.
  public final var persistentModelID: PersistentIdentifier { _entry.id }
  /// The context that the object is in.
  public final var modelContext: ModelContext? { _context }
  /// Whether the object was deleted. It stays readable.
  public final var isDeleted: Bool { _life == .deleted || _life == .gone }
  /// Whether a save would write the object.
  public final var hasChanges: Bool { _life == .dirty || _life == .pending }

  /// A name for messages.
  final var _label: String { unsafe "\(_entity.name) \(persistentModelID.shortText)" }
}

extension PersistentIdentifier {
  /// For messages: epoch and sequence.
  var shortText: String { "#\(reference.epoch)-\(reference.sequence)" }
}

extension ModelObject: Hashable, Identifiable {
  /// Whether both are the same instance.
  public static func == (left: ModelObject, right: ModelObject) -> Bool { left === right }
  /// Hashes the instance.
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  /// The same as `persistentModelID`.
  public final var id: PersistentIdentifier { persistentModelID }
}
