/// Takes back what a save changed in its context before it failed.
///
/// Merging a new object into the one that has its unique values changes that one and what both are
/// related to. While a savepoint is set, each property's first change keeps a copy of what it was.
@safe final class Savepoint {
  /// A property as it was.
  @safe private struct Change {
    let object: ModelObject
    let slot: Int
    let life: ModelObject.Life
    let isDirty: Bool
    /// A slot's memory with a copy of the value.
    let copy: UnsafeMutableRawPointer
  }
  private struct Place: Hashable {
    let object: ObjectIdentifier
    let slot: Int
  }

  private var changes: [Change] = []
  private var known: Set<Place> = []
  private var merged: [ModelObject] = []

  /// Keeps a property that is about to change.
  func note(_ object: ModelObject, _ slot: Int) {
    guard known.insert(Place(object: ObjectIdentifier(object), slot: slot)).inserted else { return }
    object.load(slot)
    let copy = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    unsafe object._entity.definition(slot).copy(object._slots + slot * 16, to: copy)
    unsafe changes.append(
      Change(
        object: object, slot: slot, life: object._life, isDirty: object.isDirty(slot), copy: copy))
  }

  /// Keeps a new object that is about to be dropped in favour of another.
  func noteMerge(_ object: ModelObject) { merged.append(object) }

  /// Makes everything as it was.
  func restore(_ context: ModelContext) {
    for object in merged {
      let key = ModelContext.key(object._entry)
      object._life = .pending
      unsafe object._entry.object = object
      context.entries[key] = object._entry
      context.inserted[key] = object
    }
    context.discarded.removeAll { object in merged.contains { $0 === object } }
    for change in changes.reversed() {
      unsafe change.object.restore(change.slot, from: change.copy, isDirty: change.isDirty)
      change.object._life = change.life
      if change.life == .clean { context.changed[change.object._entry.reference.local] = nil }
    }
    merged = []
  }

  deinit {
    for change in changes {
      unsafe change.object._entity.definition(change.slot).destroy(change.copy)
      unsafe change.copy.deallocate()
    }
  }
}

extension ModelObject {
  /// Puts a copied value back into its slot.
  @unsafe
  fileprivate final func restore(
    _ slot: Int, from copy: UnsafeMutableRawPointer, isDirty: Bool
  ) {
    let definition = unsafe _entity.definition(slot)
    if let box = _observation {
      unsafe _entity.hooks[slot]._withUnsafeGuaranteedRef { $0.willSet(box.registrar, self) }
    }
    unsafe definition.destroy(_slots + slot * 16)
    unsafe definition.copy(copy, to: _slots + slot * 16)
    unsafe _mask(slot, Mask.readable).pointee &= ~Self._bit(slot)
    unsafe _mask(slot, Mask.writable).pointee &= ~Self._bit(slot)
    if !isDirty { unsafe _mask(slot, Mask.dirty).pointee &= ~Self._bit(slot) }
    didChange(slot)
  }
}
