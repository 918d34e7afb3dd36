extension ModelObject {
  /// True where values may be read and written without anybody being told.
  private final var isQuiet: Bool { unsafe _observation == nil && !ModelContext.checksIsolation }

  /// Afterwards the slot holds its value; the bit is set only if the next read may skip this.
  @usableFromInline @inline(never)
  final func _prepareRead(_ slot: Int) -> UnsafeMutableRawPointer {
    precheck(slot)
    if unsafe _mask(slot, Mask.loaded).pointee & Self._bit(slot) == 0 { load(slot) }
    if _observation != nil {
      noteRead(slot)
    } else if unsafe !ModelContext.checksIsolation {
      unsafe _mask(slot, Mask.readable).pointee |= Self._bit(slot)
    }
    return unsafe (_slots + slot &* 16)
  }

  @usableFromInline @inline(never)
  final func _slowSet(_ slot: Int, _ value: UnsafeRawPointer) {
    precheck(slot)
    load(slot)
    let address = unsafe (_slots + slot &* 16)
    let definition = unsafe _entity.definitions[slot]
    let isFirst = _life == .new || _life == .pending
    if !isFirst || isDirty(slot), unsafe definition.isEqual(address, value) { return }
    willChange(slot)
    unsafe definition.assign(address, value)
    didChange(slot)
    if isQuiet, _life == .new || _life == .pending || _life == .dirty {
      unsafe _mask(slot, Mask.readable).pointee |= Self._bit(slot)
      unsafe _mask(slot, Mask.writable).pointee |= Self._bit(slot)
    }
  }

  @usableFromInline @inline(never)
  final func _prepareModify(_ slot: Int) {
    precheck(slot)
    load(slot)
    willChange(slot)
    unsafe _mask(slot, Mask.readable).pointee &= ~Self._bit(slot)
    unsafe _mask(slot, Mask.writable).pointee &= ~Self._bit(slot)
    unsafe _mask(slot, Mask.modifying).pointee |= Self._bit(slot)
    if !isQuiet { unsafe _mask(slot, Mask.slowEnd).pointee = 1 }
  }

  @usableFromInline @inline(never)
  final func _finishModify(_ slot: Int) {
    unsafe _mask(slot, Mask.modifying).pointee &= ~Self._bit(slot)
    didChange(slot)
  }

  private final func precheck(_ slot: Int) {
    if unsafe _mask(slot, Mask.modifying).pointee & Self._bit(slot) != 0 {
      // A stated programmer error. Not `precondition`, which says nothing in release.
      unsafe fatalError(
        "Overlapping accesses to \(_entity.name).\(_entity.definitions[slot].name), which is "
          + "being modified in place")
    }
    if unsafe ModelContext.checksIsolation { _context?.checkIsolation() }
  }

  final func isDirty(_ slot: Int) -> Bool {
    unsafe _mask(slot, Mask.dirty).pointee & Self._bit(slot) != 0
  }
  final func isLoaded(_ slot: Int) -> Bool {
    unsafe _mask(slot, Mask.loaded).pointee & Self._bit(slot) != 0
  }

  /// Decodes a property from the record, if that wasn't done yet.
  final func load(_ slot: Int) {
    guard !isLoaded(slot) else { return }
    unsafe _mask(slot, Mask.loaded).pointee |= Self._bit(slot)
    let definition = unsafe _entity.definitions[slot]
    let address = unsafe (_slots + slot &* 16)
    if let relationship = definition as? RelationshipDefinition {
      unsafe relationship.placePlaceholder(address)
      if _record != nil { unsafe loadRelationship(relationship, slot, address) }
      return
    }
    if let view = _record?.view, let field = view.layout.fields[slot],
      unsafe definition.place(view.value(of: field), address)
    {
      return
    }
    unsafe definition.placePlaceholder(address)
  }

  final func willChange(_ slot: Int) {
    _context?.savepoint?.note(self, slot)
    if let box = _observation {
      unsafe _entity.hooks[slot]._withUnsafeGuaranteedRef { $0.willSet(box.registrar, self) }
    }
    if _life == .clean {
      _life = .dirty
      _context?.noteChanged(self)
    }
    unsafe _mask(slot, Mask.dirty).pointee |= Self._bit(slot)
  }

  final func didChange(_ slot: Int) {
    if let box = _observation {
      unsafe _entity.hooks[slot]._withUnsafeGuaranteedRef { $0.didSet(box.registrar, self) }
    }
  }

  /// After a save, a rollback, a change of observers: the next access looks again.
  final func forgetFastPaths(written: Bool) {
    let groups = unsafe _entity.groupCount
    for group in 0..<groups {
      unsafe _mask(group * 64, Mask.readable).pointee = 0
      unsafe _mask(group * 64, Mask.writable).pointee = 0
      if written { unsafe _mask(group * 64, Mask.dirty).pointee = 0 }
    }
  }

  /// Forgets decoded values, so that they are read from the record again.
  final func forgetValues(keepingDirty: Bool) {
    let changed = _observation == nil ? [] : unsafe _entity.properties.filter { isLoaded($0.slot) }
    let box = _observation
    for property in changed {
      if let box {
        unsafe _entity.hooks[property.slot]._withUnsafeGuaranteedRef {
          $0.willSet(box.registrar, self)
        }
      }
    }
    unsafe _entity.destroyValues(_slots, keepingDirty: keepingDirty)
    forgetFastPaths(written: !keepingDirty)
    for property in changed { didChange(property.slot) }
  }

  final func replaceRecord(_ record: OwnedRecord?) {
    _record?.free()
    _record = record
  }

  /// The value as queries see it.
  final func scalar(_ slot: Int) -> Scalar {
    let definition = unsafe _entity.definitions[slot]
    guard let relationship = definition as? RelationshipDefinition else {
      if !isLoaded(slot), let view = _record?.view {
        guard let field = view.layout.fields[slot] else { return definition.defaultScalar }
        return view.value(of: field).scalar
      }
      load(slot)
      return unsafe definition.scalar(_slots + slot * 16)
    }
    switch relationship.cardinality {
    case .one: return related(one: slot).map { .object($0.persistentModelID) } ?? .null
    case .many: return .list(loadedList(slot).entries.map { .object($0.id) })
    }
  }
}
