internal import SealedLog
internal import Synchronization

/// One save of a context: checks, encodes, commits, and then tells the objects.
struct ContextSave: ~Copyable {
  /// An object that is written.
  struct Item {
    let object: ModelObject
    let bound: BoundEntity
    let record: OwnedRecord
  }

  let context: ModelContext
  let snapshot: Snapshot
  var store: ObjectStore { context.store }
  private(set) var items: [UInt64: Item] = [:]
  private var writer = RecordWriter()
  private var claims = UniqueClaims()
  private var isCommitted = false

  init(context: ModelContext, snapshot: Snapshot) {
    self.context = context
    self.snapshot = snapshot
  }

  // MARK: Checking

  mutating func prepare() throws {
    for object in ModelContext.sorted(context.deleted) { try checkDeny(object) }
    // A merge changes the survivor and what both are related to, which may clash in its turn; each
    // round has fewer new objects than the one before.
    while true {
      let objects = ModelContext.sorted(context.inserted) + ModelContext.sorted(context.changed)
      for object in objects { try validate(object) }
      var merges: [(new: ModelObject, survivor: ModelObject)] = []
      for object in objects {
        if let survivor = try encode(object) { merges.append((object, survivor)) }
      }
      if merges.isEmpty { return }
      removeItems()
      for (new, survivor) in merges {
        context.savepoint?.noteMerge(new)
        context.merge(new, into: survivor)
      }
    }
  }

  private mutating func removeItems() {
    for item in items.values { item.record.free() }
    items = [:]
    claims = UniqueClaims()
  }

  private func checkDeny(_ object: ModelObject) throws(StoreError) {
    let entity = unsafe object._entity
    for property in entity.properties {
      guard let relationship = property.definition as? RelationshipDefinition,
        relationship.deleteRule == .deny
      else { continue }
      let inverse = entity.inverse(property.slot)
      for other in object.related(property.slot) where !other.isDeleted {
        // One that was led elsewhere meanwhile doesn't count.
        if let inverse, unsafe other._entity.relationship(inverse)?.cardinality == .one,
          other.entry(one: inverse) !== object._entry
        {
          continue
        }
        throw StoreError(
          .deleteDenied,
          "\(entity.name).\(relationship.name) denies the deletion of \(object._label): "
            + "\(other._label) is still related; delete or detach it first")
      }
    }
  }

  private func validate(_ object: ModelObject) throws(StoreError) {
    let entity = unsafe object._entity
    guard store.bound(entity) != nil else {
      throw StoreError(.unknownEntity, "\(entity.name) is not among the container's models")
    }
    for property in entity.properties where property.definition.isRequired {
      let isMissing: Bool
      if property.definition is RelationshipDefinition {
        isMissing = object.related(one: property.slot) == nil
      } else {
        isMissing = object._life == .pending && !object.isDirty(property.slot)
      }
      if isMissing {
        throw StoreError(
          .validationFailed,
          "\(entity.name).\(property.definition.name) is required and was never set in "
            + object._label)
      }
    }
  }

  // MARK: Encoding

  /// Encodes an object and claims its unique values.
  ///
  /// - Returns: The object that has them already, which takes this one's values over.
  private mutating func encode(_ object: ModelObject) throws -> ModelObject? {
    guard let bound = unsafe store.bound(object._entity), !object.isDeleted else { return nil }
    writer.removeAll()
    writer.begin(bound.layout)
    let old = object._record?.view
    for field in bound.layout.present { encode(field, of: object, old) }
    let bytes = unsafe writer.bytes(0..<writer.position)
    let item = unsafe Item(
      object: object, bound: bound, record: OwnedRecord(copying: bytes, layout: bound.layout))
    let local = object._entry.reference.local
    items.updateValue(item, forKey: local)?.record.free()
    for index in bound.indexes where index.policy.isUnique {
      guard let owner = try claim(index, item) else { continue }
      guard index.policy == .upsert, object._life == .pending else {
        throw StoreError(
          .uniqueConflict,
          "\(index.label) of \(object._label) has the same value as that of \(owner._label)")
      }
      claims.release(object)
      return owner
    }
    return nil
  }

  private mutating func encode(
    _ field: RecordLayout.Field, of object: ModelObject, _ old: RecordView?
  ) {
    writer.begin(field)
    let slot = field.slot
    let isCurrent = object.isLoaded(slot) && (old == nil || object.isDirty(slot))
    let oldField = old.flatMap { $0.layout.fields[slot] }
    if field.isReference {
      let reference =
        isCurrent ? liveReference(object, slot) : oldField.flatMap { old?.reference(of: $0) }
      if let reference { writer.put(reference: reference) }
    } else if isCurrent {
      unsafe object._entity.definitions[slot]._withUnsafeGuaranteedRef {
        unsafe $0.encode(object._slots + slot * 16, to: &writer)
      }
    } else if let oldField, let old {
      writer.put(copying: old.value(of: oldField))
    } else {
      unsafe object._entity.definition(slot).encodeDefault(to: &writer)
    }
  }

  /// What a to-one relationship leads to, unless another context deleted that meanwhile.
  private func liveReference(_ object: ModelObject, _ slot: Int) -> Reference? {
    guard let entry = object.entry(one: slot), !entry.id.isProvisional else { return nil }
    let reference = entry.reference
    if unsafe entry.object != nil { return reference }
    if context.deleted[reference.local] != nil { return nil }
    let exists = try? store.withRecord(reference, snapshot) { $0 != nil }
    return exists == false ? nil : reference
  }

  /// - Returns: Who has the values already.
  private mutating func claim(_ index: BoundIndex, _ item: Item) throws -> ModelObject? {
    guard let view = item.record.view else { return nil }
    var key = KeyWriter()
    if index.write(view, to: &key) { return nil }
    if let owner = claims.owner(of: key.bytes), owner !== item.object { return owner }
    let own = item.object._entry.reference
    let cursor = try snapshot.cursor(
      in: store.indexes, from: key.bytes, to: KeyWriter.successor(ofPrefix: key.bytes))
    while try cursor.next() {
      guard let reference = unsafe trailingReference(cursor.key),
        unsafe cursor.key.count == key.bytes.count + Reference.width, reference != own
      else { continue }
      if context.deleted[reference.local] != nil { continue }
      // One that is changed here claims for itself what it has now.
      if let other = context.changed[reference.local], try !stillHas(other, index, key.bytes) {
        continue
      }
      let entry = context.entry(for: reference)
      if let owner = unsafe entry.object ?? context.materialize(entry) { return owner }
    }
    claims.add(key.bytes, item.object)
    return nil
  }

  private func stillHas(
    _ object: ModelObject, _ index: BoundIndex, _ key: [UInt8]
  ) throws -> Bool {
    var other = KeyWriter()
    other.append(index.number)
    for column in index.columns {
      if let kind = column.kind {
        _ = other.append(object.scalar(column.slot), kind: kind)
      } else {
        other.append(optional: object.entry(one: column.slot)?.reference)
      }
    }
    return other.bytes == key
  }

  // MARK: Committing

  mutating func commit(_ durability: Durability) throws {
    var batch = WriteBatch()
    var edges = EdgeWriter(store: store, snapshot: snapshot)
    var touched: [UInt64] = []
    let order = items.keys.sorted()
    if order.contains(where: { items[$0]?.object._life == .pending }) {
      let row = store.lineageRow
      try batch.put(row.key, row.value, in: store.meta)
    }
    for local in order {
      guard let item = items[local] else { continue }
      var isTouched = try write(item, to: &batch)
      for slot in item.bound.relationshipSlots where item.object.isDirty(slot) {
        if try edges.write(item.object, slot, item.bound, to: &batch) { isTouched = true }
      }
      if isTouched { touched.append(local) }
    }
    for object in context.deleted.values {
      try delete(object, edges: &edges, from: &batch)
      touched.append(object._entry.reference.local)
    }
    if batch.count > 0 {
      try store.log.commit(batch, durability: durability)
    }
    isCommitted = true
    edges.didCommit()
    let author = ObjectIdentifier(context)
    store.changes.withLock { $0.append(touched, by: author) }
    context.generation = store.changes.withLock { $0.generation }
    context.snapshotIfAny = try? store.log.snapshot()
    context.didSave(items)
  }

  /// - Returns: Whether there was something to write.
  private func write(_ item: Item, to batch: inout WriteBatch) throws -> Bool {
    guard let new = item.record.view else { return false }
    let reference = item.object._entry.reference
    let old = item.object._record?.view
    if let old, unsafe old.bytes.elementsEqual(new.bytes) { return false }
    let key = store.recordKey(reference)
    try unsafe key.withUnsafeBytes { key in
      try unsafe batch.put(key, new.bytes, in: store.records)
    }
    var newKey = KeyWriter()
    var oldKey = KeyWriter()
    for index in item.bound.indexes where index.reverseOfMany == nil {
      _ = index.write(new, to: &newKey)
      if let old {
        _ = index.write(old, to: &oldKey)
        if oldKey.bytes == newKey.bytes { continue }
        oldKey.append(reference)
        try batch.delete(oldKey.bytes, in: store.indexes)
      }
      newKey.append(reference)
      try batch.put(newKey.bytes, [], in: store.indexes)
    }
    return true
  }

  private func delete(
    _ object: ModelObject, edges: inout EdgeWriter, from batch: inout WriteBatch
  ) throws {
    guard let bound = unsafe store.bound(object._entity) else { return }
    let reference = object._entry.reference
    try batch.delete(store.recordKey(reference), in: store.records)
    if let old = object._record?.view {
      var key = KeyWriter()
      for index in bound.indexes where index.reverseOfMany == nil {
        _ = index.write(old, to: &key)
        key.append(reference)
        try batch.delete(key.bytes, in: store.indexes)
      }
    }
    for slot in bound.relationshipSlots where bound.relations[slot] != nil {
      try edges.deleteAll(of: object, slot, bound, from: &batch)
    }
  }

  /// Frees what the objects didn't take over.
  mutating func end() {
    if !isCommitted { for item in items.values { item.record.free() } }
    items = [:]
  }
}

/// Who claims which unique values in a save.
struct UniqueClaims {
  private var owners: [[UInt8]: ModelObject] = [:]
  private var keys: [ObjectIdentifier: [[UInt8]]] = [:]

  func owner(of key: [UInt8]) -> ModelObject? { owners[key] }

  mutating func add(_ key: [UInt8], _ object: ModelObject) {
    owners[key] = object
    keys[ObjectIdentifier(object), default: []].append(key)
  }

  mutating func release(_ object: ModelObject) {
    for key in keys.removeValue(forKey: ObjectIdentifier(object)) ?? [] { owners[key] = nil }
  }
}

extension ModelContext {
  /// A new object has the unique values of another: that one takes over what was set in the new
  /// one, the new one is deleted. Related objects follow to the survivor.
  func merge(_ new: ModelObject, into survivor: ModelObject) {
    let entity = unsafe new._entity
    for property in entity.properties where new.isDirty(property.slot) {
      let slot = property.slot
      guard unsafe survivor._entity.isKind(of: entity) else { break }
      if let relationship = property.definition as? RelationshipDefinition {
        let related = new.related(slot)
        switch relationship.cardinality {
        case .one: survivor.setOne(slot, related.first)
        case .many:
          for object in related { survivor.append(object, to: slot) }
        }
      } else {
        new.load(slot)
        unsafe survivor._slowSet(slot, property.definition.value(new._slots + slot * 16))
      }
    }
    // Who still refers to the new object refers to the survivor.
    for property in entity.properties {
      guard property.definition is RelationshipDefinition,
        let inverse = entity.inverse(property.slot)
      else { continue }
      for object in new.related(property.slot) where !object.isDeleted {
        object.detach(inverse, new)
      }
    }
    for (owner, slot) in references(to: new) { owner.replace(new, by: survivor, in: slot) }
    let key = Self.key(new._entry)
    inserted[key] = nil
    entries[key] = nil
    new._life = .gone
    discarded.append(new)
    unsafe new._entry.object = nil
  }

  /// The store has what the objects have.
  func didSave(_ items: [UInt64: ContextSave.Item]) {
    for item in items.values {
      item.object.replaceRecord(item.record)
      item.object._life = .clean
      item.object.forgetFastPaths(written: true)
    }
    for object in deleted.values {
      object._life = .gone
      entries[Self.key(object._entry)] = nil
    }
    inserted = [:]
    changed = [:]
    deleted = [:]
    discarded = []
    pruneEntries()
  }
}
