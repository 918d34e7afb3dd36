internal import SealedLog
internal import Synchronization

/// Where objects are worked with: inserted, fetched, changed, deleted, and saved together.
///
/// A context and its objects are used from one thread, actor or task at a time. It sees its own
/// changes at once, those of other contexts at each `fetch…`, `enumerate`, `save` and `rollback`:
/// there its clean objects take over what others saved; of changed objects the properties that
/// weren't changed here do.
public final class ModelContext {
  /// The container.
  public let container: ModelContainer
  /// Debug aid: every access is checked for the context's isolation. Set before objects are made.
  public nonisolated(unsafe) static var checksIsolation = false
  /// Called with a message where an object is used outside its context's isolation; stops the
  /// program unless replaced.
  public nonisolated(unsafe) static var isolationFailure: (String) -> Void = { fatalError($0) }
  /// Whether objects tell `withObservationTracking` of changes; on for a container's main context.
  public var observesObjects = false
  /// Who makes the changes, for the history.
  public var author: String?

  var isolation = ContextIsolation.unchecked
  var store: ObjectStore { container.store }
  /// By local key.
  var entries: [UInt64: ObjectEntry] = [:]
  var inserted: [UInt64: ModelObject] = [:]
  var changed: [UInt64: ModelObject] = [:]
  var deleted: [UInt64: ModelObject] = [:]
  /// Inserted and deleted again before a save: kept readable until then.
  var discarded: [ModelObject] = []
  var snapshotIfAny: Snapshot?
  /// Set while a save may change objects.
  var savepoint: Savepoint?
  /// Whether related objects couldn't be read since the last time the context caught up: the delete
  /// rules of what was deleted meanwhile are applied again.
  var missedReads = false
  var generation: UInt64
  /// The last objects that relationships made: a loop over `note.folder` doesn't make each anew.
  private var ring: [ModelObject?] = []
  private var ringPosition = 0
  private static let ringSize = 4096
  private var pruneThreshold = 16_384

  /// A context of its own.
  public init(_ container: ModelContainer) {
    self.container = container
    generation = container.store.changes.withLock { $0.generation }
  }

  // MARK: Changes

  /// Whether a save would write something.
  public var hasChanges: Bool { !(inserted.isEmpty && changed.isEmpty && deleted.isEmpty) }
  /// Inserted and not saved, in order of insertion.
  public var insertedObjects: [ModelObject] { Self.sorted(inserted) }
  /// Changed and not saved.
  public var changedObjects: [ModelObject] { Self.sorted(changed) }
  /// Deleted and not saved.
  public var deletedObjects: [ModelObject] { Self.sorted(deleted) }

  static func sorted(_ objects: [UInt64: ModelObject]) -> [ModelObject] {
    objects.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Puts a new object into the context, and what it is related to.
  ///
  /// From here on its identifier is permanent. An object that is in a context already stays there;
  /// one of a model that isn't in the schema is refused when it is saved.
  public func insert(_ object: ModelObject) {
    var waiting = [object]
    while let next = waiting.popLast() {
      guard next._context == nil, next._life == .new else { continue }
      let entry = next._entry
      if let bound = unsafe store.bound(next._entity),
        let id = try? store.makeIdentifier(bound)
      {
        entry.id = id
      }
      next._context = self
      next._life = .pending
      entries[Self.key(entry)] = entry
      inserted[Self.key(entry)] = next
      if observesObjects { next.enableObservation() }
      // The reachable graph comes along; from here on the context owns, not the slots.
      for property in unsafe next._entity.properties
      where property.definition is RelationshipDefinition && next.isLoaded(property.slot) {
        waiting += next.related(property.slot)
        next.disown(property.slot)
      }
    }
  }

  /// The key of an entry: its local key; of a model outside the schema, something no store has.
  static func key(_ entry: ObjectEntry) -> UInt64 {
    entry.id.isProvisional ? entry.id.storeLow << 32 | entry.id.second >> 16 : entry.reference.local
  }

  func noteChanged(_ object: ModelObject) {
    changed[object._entry.reference.local] = object
  }

  // MARK: Objects by identifier

  /// The object of an identifier, read from the store if need be.
  ///
  /// - Returns: Nil where there is none, it is deleted, or the store can't be read.
  public func model(for id: PersistentIdentifier) -> (any PersistentModel)? {
    guard let entry = known(id) else { return nil }
    return unsafe (entry.object ?? materialize(entry)) as? any PersistentModel
  }

  /// The object of an identifier, if the context holds it.
  public func registeredModel(for id: PersistentIdentifier) -> (any PersistentModel)? {
    guard let entry = entries[id.reference.local], entry.id == id else { return nil }
    return unsafe entry.object as? any PersistentModel
  }

  /// The object of an identifier, of the given type.
  public func model<M: PersistentModel>(for id: PersistentIdentifier, as _: M.Type) -> M? {
    model(for: id) as? M
  }

  private func known(_ id: PersistentIdentifier) -> ObjectEntry? {
    guard store.owns(id), store.entities[id.reference.entity] != nil else { return nil }
    return entry(for: id.reference)
  }

  /// This context's object of the same identifier.
  func counterpart(of object: ModelObject) -> ModelObject? {
    guard let entry = known(object.persistentModelID) else { return nil }
    return unsafe entry.object ?? materialize(entry)
  }

  func entry(for reference: Reference) -> ObjectEntry {
    if let entry = entries[reference.local] { return entry }
    let entry = ObjectEntry(id: store.identifier(reference))
    entries[reference.local] = entry
    return entry
  }

  // MARK: Making objects

  func currentSnapshot() throws(StoreError) -> Snapshot {
    if let snapshotIfAny { return snapshotIfAny }
    let snapshot = try store.log.snapshot()
    snapshotIfAny = snapshot
    return snapshot
  }

  /// Makes the object of an entry; nil where it is gone or the store can't be read.
  func materialize(_ entry: ObjectEntry) -> ModelObject? {
    if deleted[Self.key(entry)] != nil || entry.id.isProvisional { return nil }
    guard let snapshot = try? currentSnapshot(),
      let record = try? store.ownedRecord(entry.reference, snapshot)
    else { return nil }
    let object = make(entry, record)
    keep(object)
    return object
  }

  func make(_ entry: ObjectEntry, _ record: OwnedRecord) -> ModelObject {
    let entity = record.layout.entity
    let object = entity.type.init(
      _materialize: ObjectSeed(entity: entity, entry: entry, record: record, context: self))
    if observesObjects { object.enableObservation() }
    return object
  }

  private func keep(_ object: ModelObject) {
    if ring.count < Self.ringSize {
      ring.append(object)
    } else {
      ring[ringPosition] = object
      ringPosition = (ringPosition + 1) % Self.ringSize
    }
  }

  func emptyRing() {
    ring = []
    ringPosition = 0
  }

  /// Drops entries that nobody refers to any more, now and then.
  func pruneEntries() {
    guard entries.count > pruneThreshold else { return }
    for key in Array(entries.keys) {
      guard unsafe entries[key]?.object == nil, var entry = entries.removeValue(forKey: key) else {
        continue
      }
      if !isKnownUniquelyReferenced(&entry) { entries[key] = entry }
    }
    pruneThreshold = max(16_384, entries.count * 2)
  }

  // MARK: Catching up

  /// Takes a new snapshot, and over what other contexts saved since the last one.
  func catchUp() throws(StoreError) {
    let author = ObjectIdentifier(self)
    let (now, locals) = store.changes.withLock {
      ($0.generation, $0.changes(since: generation, notBy: author))
    }
    let snapshot = try store.log.snapshot()
    snapshotIfAny = snapshot
    guard now != generation || missedReads else { return }
    missedReads = false
    generation = now
    for local in locals ?? Array(entries.keys) {
      guard let entry = entries[local], let object = unsafe entry.object,
        object._life == .clean || object._life == .dirty
      else { continue }
      try refresh(object, snapshot)
    }
    for object in Array(changed.values) { releaseForeignTargets(object) }
    for object in Array(deleted.values) { release(object) }
  }

  /// A to-one relationship changed here and elsewhere: here's value wins, so that the other
  /// target's
  /// side gives the object up.
  private func releaseForeignTargets(_ object: ModelObject) {
    guard let view = object._record?.view else { return }
    for property in unsafe object._entity.properties where object.isDirty(property.slot) {
      guard let field = view.layout.fields[property.slot],
        let inverse = unsafe object._entity.inverse(property.slot),
        let stored = view.reference(of: field),
        stored != object.entry(one: property.slot)?.reference,
        let target = object.object(entry(for: stored))
      else { continue }
      target.detach(inverse, object)
    }
  }

  /// Gives an object the store's values, but for those changed here.
  private func refresh(_ object: ModelObject, _ snapshot: Snapshot) throws(StoreError) {
    let record: OwnedRecord?
    do {
      record = try store.ownedRecord(object._entry.reference, snapshot)
    } catch let error as StoreError { throw error } catch { return }
    guard let record else {
      // Deleted elsewhere: readable, with what it had.
      changed[object._entry.reference.local] = nil
      object._life = .gone
      unsafe object._entry.object = nil
      return
    }
    replaceRecord(of: object, record)
  }

  func replaceRecord(of object: ModelObject, _ record: OwnedRecord) {
    let isDirty = object._life == .dirty
    if isDirty {
      // Lists changed here: their difference stays, the base is read anew.
      for property in unsafe object._entity.properties where object.isDirty(property.slot) {
        guard let relationship = property.definition as? RelationshipDefinition,
          relationship.cardinality == .many
        else { continue }
        let list = object.list(property.slot)
        list.rebase()
        list.resetBase(storedCount: storedCount(of: object, property.slot))
      }
    }
    object.replaceRecord(record)
    object.forgetValues(keepingDirty: isDirty)
  }

  // MARK: Edges

  func edgeKeys(of object: ModelObject, _ slot: Int) -> EdgeKeys? {
    guard let relation = unsafe store.bound(object._entity)?.relations[slot] else { return nil }
    return EdgeKeys(owner: object._entry.reference.local, relation: relation)
  }

  /// Nil where the store can't be read: locked, closed, damaged.
  func storedCount(of object: ModelObject, _ slot: Int) -> Int? {
    guard let keys = edgeKeys(of: object, slot) else { return 0 }
    guard let snapshot = try? currentSnapshot() else { return nil }
    return try? store.edgeState(keys, snapshot).count
  }

  /// Nil where the store can't be read.
  func storedMembers(
    of object: ModelObject, _ slot: Int
  ) -> [(ObjectEntry, position: UInt64)]? {
    guard let keys = edgeKeys(of: object, slot) else { return [] }
    guard let snapshot = try? currentSnapshot(),
      let members = try? store.members(keys, snapshot)
    else {
      missedReads = true
      return nil
    }
    return members.map { (entry(for: $0.reference), $0.position) }
  }

  func storeHolds(_ member: ModelObject, in slot: Int, of object: ModelObject) -> Bool {
    guard let keys = edgeKeys(of: object, slot), let snapshot = try? currentSnapshot() else {
      return false
    }
    let position = try? store.position(of: member._entry.reference.local, keys, snapshot)
    return position != nil
  }
}
