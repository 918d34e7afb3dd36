internal import SealedLog

// Both sides of a relationship change at once. `attach` and `detach` change one side only.
extension ModelObject {
  private final func one(_ slot: Int) -> UnsafeMutablePointer<ToOneSlot> {
    load(slot)
    return unsafe (_slots + slot &* 16).assumingMemoryBound(to: ToOneSlot.self)
  }

  /// The list of a to-many relationship, perhaps not loaded.
  final func list(_ slot: Int) -> ToManyList {
    load(slot)
    let pointer = unsafe (_slots + slot &* 16).assumingMemoryBound(to: ToManySlot.self)
    if let list = unsafe pointer.pointee.list {
      if !list.hasBase { list.resetBase(storedCount: _context?.storedCount(of: self, slot)) }
      return list
    }
    let list =
      if _record != nil, let context = _context {
        ToManyList(storedCount: context.storedCount(of: self, slot))
      } else {
        ToManyList()
      }
    unsafe pointer.pointee.list = list
    return list
  }

  /// The list with its members; without those in the store where that can't be read.
  final func loadedList(_ slot: Int) -> ToManyList {
    let list = list(slot)
    if !list.isLoaded, let members = _context?.storedMembers(of: self, slot) { list.load(members) }
    if _context == nil, _life == .new { list.dropDead() }
    return list
  }

  /// How many objects a to-many relationship leads to; where the store is locked, those known.
  final func countOfReadable(_ slot: Int) -> Int {
    let list = list(slot)
    if !list.isLoaded, _context?.store.log.isLocked != false { return list.entries.count }
    return list.count
  }

  final func loadRelationship(
    _ definition: RelationshipDefinition, _ slot: Int, _ address: UnsafeMutableRawPointer
  ) {
    guard definition.cardinality == .one, let context = _context, let view = _record?.view,
      let field = view.layout.fields[slot], let reference = view.reference(of: field)
    else { return }
    unsafe address.assumingMemoryBound(to: ToOneSlot.self).pointee.entry = context.entry(
      for: reference)
  }

  final func entry(one slot: Int) -> ObjectEntry? { unsafe one(slot).pointee.entry }

  final func object(_ entry: ObjectEntry) -> ModelObject? {
    unsafe entry.object ?? _context?.materialize(entry)
  }

  /// The object that a to-one relationship leads to.
  final func related(one slot: Int) -> ModelObject? {
    guard let entry = entry(one: slot), let object = object(entry),
      unsafe _entity.relationship(slot)?.accepts(object) == true
    else { return nil }
    return object
  }

  /// The objects that a relationship leads to.
  final func related(_ slot: Int) -> [ModelObject] {
    switch unsafe _entity.relationship(slot)?.cardinality {
    case .one: related(one: slot).map { [$0] } ?? []
    case .many: loadedList(slot).entries.compactMap { object($0) }
    case nil: []
    }
  }

  // MARK: Reading and assigning a to-one relationship

  @usableFromInline @inline(never)
  final func _prepareReadOne(_ slot: Int) -> ModelObject? {
    if unsafe ModelContext.checksIsolation { _context?.checkIsolation() }
    load(slot)
    if _observation != nil {
      noteRead(slot)
    } else if unsafe !ModelContext.checksIsolation {
      unsafe _mask(slot, Mask.readable).pointee |= Self._bit(slot)
    }
    return related(one: slot)
  }

  @usableFromInline @inline(never)
  final func _slowSetOne<T: PersistentModel>(_ slot: Int, _ value: T?) { setOne(slot, value) }

  final func setOne(_ slot: Int, _ value: ModelObject?) {
    if unsafe ModelContext.checksIsolation { _context?.checkIsolation() }
    let value = value.flatMap { admitted($0) }
    let old = entry(one: slot)
    guard old !== value?._entry else { return }
    storeOne(slot, value, owning: true)
    guard let inverse = unsafe _entity.inverse(slot) else { return }
    if let old, let target = object(old) { target.detach(inverse, self) }
    value?.attach(inverse, self)
  }

  private final func storeOne(_ slot: Int, _ value: ModelObject?, owning: Bool) {
    willChange(slot)
    unsafe one(slot).pointee = ToOneSlot(
      entry: value?._entry,
      strong: owning ? value.flatMap { $0._context == nil ? $0 : nil } : nil)
    didChange(slot)
  }

  // MARK: One side

  /// Adds `object` on this side; what it displaces here loses this object on its side.
  final func attach(_ slot: Int, _ object: ModelObject) {
    guard let relationship = unsafe _entity.relationship(slot) else { return }
    switch relationship.cardinality {
    case .one:
      let old = entry(one: slot)
      if old === object._entry { return }
      storeOne(slot, object, owning: false)
      if let old, let back = unsafe _entity.inverse(slot) { self.object(old)?.detach(back, self) }
    case .many:
      guard !holds(object, in: slot) else { return }
      willChange(slot)
      list(slot).append(object._entry)
      didChange(slot)
    }
  }

  /// Removes `object` on this side.
  final func detach(_ slot: Int, _ object: ModelObject) {
    guard let relationship = unsafe _entity.relationship(slot), !isDeleted else { return }
    switch relationship.cardinality {
    case .one:
      if entry(one: slot) === object._entry { storeOne(slot, nil, owning: false) }
    case .many:
      guard holds(object, in: slot) else { return }
      willChange(slot)
      list(slot).remove(object._entry)
      didChange(slot)
    }
  }

  /// Whether a to-many relationship holds the object, without loading it.
  final func holds(_ object: ModelObject, in slot: Int) -> Bool {
    let entry = object._entry
    if let known = list(slot).knows(entry) { return known }
    // The store has it only if it has the object.
    guard object._record != nil, let context = _context else { return false }
    return context.storeHolds(object, in: slot, of: self)
  }

  // MARK: To-many

  /// Relating a new object to one of a context inserts it; so only objects without any context own
  /// each other, the assigned side the other.
  ///
  /// - Returns: The object to relate: of another context's the own one; nil where there is none.
  final func admitted(_ other: ModelObject) -> ModelObject? {
    if other.isDeleted { return nil }
    if let context = _context {
      if other._context == nil, !isDeleted { context.insert(other) }
      return other._context === context ? other : context.counterpart(of: other)
    }
    if let context = other._context, _life == .new { context.insert(self) }
    return other
  }

  final func append(_ object: ModelObject, to slot: Int) {
    if unsafe ModelContext.checksIsolation { _context?.checkIsolation() }
    guard let object = admitted(object), !holds(object, in: slot) else { return }
    willChange(slot)
    let list = list(slot)
    list.append(object._entry)
    if object._context == nil { list.strong[ObjectIdentifier(object._entry)] = object }
    didChange(slot)
    if let inverse = unsafe _entity.inverse(slot) { object.attach(inverse, self) }
  }

  final func remove(_ object: ModelObject, from slot: Int) {
    guard holds(object, in: slot) else { return }
    detach(slot, object)
    if let inverse = unsafe _entity.inverse(slot) { object.detach(inverse, self) }
  }

  /// Puts another object into the place of one, in a relationship without inverse.
  final func replace(_ object: ModelObject, by other: ModelObject, in slot: Int) {
    switch unsafe _entity.relationship(slot)?.cardinality {
    case .one:
      if entry(one: slot) === object._entry { setOne(slot, other) }
    case .many:
      if holds(object, in: slot) {
        remove(object, from: slot)
        append(other, to: slot)
      }
    case nil: break
    }
  }

  @usableFromInline final func _setMany<T: PersistentModel>(_ slot: Int, _ values: [T]) {
    setMany(slot, values)
  }

  final func setMany(_ slot: Int, _ values: [ModelObject]) {
    if unsafe ModelContext.checksIsolation { _context?.checkIsolation() }
    let list = loadedList(slot)
    // What the list has can't be read, so that nothing can take its place.
    guard list.isLoaded else { return }
    var seen: Set<ObjectIdentifier> = []
    let new = values.compactMap { admitted($0) }.filter {
      seen.insert(ObjectIdentifier($0._entry)).inserted
    }
    let old = list.entries
    if old.elementsEqual(new, by: { $0 === $1._entry }) { return }
    let before = Set(old.map { ObjectIdentifier($0) })
    willChange(slot)
    list.replace(new.map(\._entry))
    for key in list.strong.keys where !seen.contains(key) { list.strong[key] = nil }
    for value in new where value._context == nil && !before.contains(ObjectIdentifier(value._entry))
    {
      list.strong[ObjectIdentifier(value._entry)] = value
    }
    didChange(slot)
    guard let inverse = unsafe _entity.inverse(slot) else { return }
    for entry in old where !seen.contains(ObjectIdentifier(entry)) {
      object(entry)?.detach(inverse, self)
    }
    for value in new where !before.contains(ObjectIdentifier(value._entry)) {
      value.attach(inverse, self)
    }
  }

  /// Empties the relationships on this side; the other sides forget by themselves.
  final func forgetRelationships() {
    for property in unsafe _entity.properties where isLoaded(property.slot) {
      guard let definition = property.definition as? RelationshipDefinition else { continue }
      let address = unsafe _slots + property.slot * 16
      unsafe definition.destroy(address)
      unsafe definition.placePlaceholder(address)
      unsafe _mask(property.slot, Mask.readable).pointee &= ~Self._bit(property.slot)
      unsafe _mask(property.slot, Mask.dirty).pointee &= ~Self._bit(property.slot)
    }
  }

  /// From here on the context owns the related objects, not the slot.
  final func disown(_ slot: Int) {
    guard isLoaded(slot) else { return }
    switch unsafe _entity.relationship(slot)?.cardinality {
    case .one: unsafe one(slot).pointee.strong = nil
    case .many: list(slot).strong = [:]
    case nil: break
    }
  }
}
