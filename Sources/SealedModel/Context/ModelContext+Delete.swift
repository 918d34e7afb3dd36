internal import SealedLog

extension ModelContext {
  /// Deletes an object, and by its delete rules what is related to it.
  ///
  /// Fetches leave it out from now on; the store loses it with the next save. It stays readable,
  /// with its last values. A `deny` rule speaks at the save.
  public func delete(_ object: ModelObject) {
    var waiting = [object]
    while let next = waiting.popLast() {
      guard next._context === self, !next.isDeleted else { continue }
      waiting += deleteOne(next)
    }
  }

  /// - Returns: What goes with it.
  private func deleteOne(_ object: ModelObject) -> [ModelObject] {
    let entity = unsafe object._entity
    for property in entity.properties { object.load(property.slot) }
    var cascaded: [ModelObject] = []
    var nullified: [(ModelObject, Int)] = []
    for property in entity.properties {
      guard let relationship = property.definition as? RelationshipDefinition else { continue }
      let related = object.related(property.slot)
      if relationship.deleteRule == .cascade { cascaded += related }
      // What a `deny` rule holds keeps its reference, so that it can be led elsewhere.
      guard relationship.deleteRule != .noAction, relationship.deleteRule != .deny,
        let inverse = entity.inverse(property.slot)
      else { continue }
      nullified += related.map { ($0, inverse) }
    }
    nullified += references(to: object)

    let key = Self.key(object._entry)
    let wasInserted = object._life == .pending
    changed[key] = nil
    inserted[key] = nil
    object._life = wasInserted ? .gone : .deleted
    if wasInserted {
      entries[key] = nil
      discarded.append(object)
    } else {
      deleted[key] = object
    }
    object.forgetFastPaths(written: false)
    for (other, slot) in nullified where other !== object { other.detach(slot, object) }
    unsafe object._entry.object = nil
    return cascaded
  }

  /// What other contexts related to a deleted object since: its delete rules again.
  func release(_ object: ModelObject) {
    let entity = unsafe object._entity
    for property in entity.properties {
      guard let relationship = property.definition as? RelationshipDefinition,
        relationship.deleteRule == .cascade || relationship.deleteRule == .nullify,
        relationship.cardinality == .many
      else { continue }
      let inverse = entity.inverse(property.slot)
      for member in storedMembers(of: object, property.slot) ?? [] {
        guard let other = unsafe member.0.object ?? materialize(member.0) else { continue }
        if relationship.deleteRule == .cascade {
          delete(other)
        } else if let inverse {
          other.detach(inverse, object)
        }
      }
    }
    for (other, slot) in references(to: object) where other !== object {
      other.detach(slot, object)
    }
  }

  /// Who refers to an object by a relationship without inverse: the objects and their slots.
  func references(to object: ModelObject) -> [(ModelObject, Int)] {
    guard let indexes = unsafe store.incoming[ObjectIdentifier(object._entity)], !indexes.isEmpty
    else { return [] }
    var result: [(ModelObject, Int)] = []
    for index in indexes {
      let slot = index.columns[0].slot
      for owner in storedReferences(to: object, index) where owner._life != .deleted {
        result.append((owner, slot))
      }
      for owner in Array(inserted.values) + Array(changed.values)
      where unsafe owner._entity.isKind(of: index.entity) {
        result.append((owner, slot))
      }
    }
    return result
  }

  private func storedReferences(to object: ModelObject, _ index: BoundIndex) -> [ModelObject] {
    guard object._record != nil else { return [] }
    var key = KeyWriter()
    key.append(index.number)
    key.append(optional: object._entry.reference)
    var owners: [ModelObject] = []
    do {
      let cursor = try currentSnapshot().cursor(
        in: store.indexes, from: key.bytes, to: KeyWriter.successor(ofPrefix: key.bytes))
      while try cursor.next() {
        guard let reference = unsafe trailingReference(cursor.key) else { continue }
        let entry = entry(for: reference)
        if let owner = unsafe entry.object ?? materialize(entry) { owners.append(owner) }
      }
    } catch {
      missedReads = true
    }
    return owners
  }

  /// Forgets everything that wasn't saved: inserted objects leave the context and lose their
  /// relationships, changed ones have the store's values again, deleted ones are back. The same
  /// instances go on.
  public func rollback() {
    for object in inserted.values {
      entries[Self.key(object._entry)] = nil
      object._entry.id = .provisional()
      object._context = nil
      object._life = .new
      object.forgetRelationships()
    }
    for object in deleted.values {
      unsafe object._entry.object = object
      entries[Self.key(object._entry)] = object._entry
    }
    let revived = Array(changed.values) + Array(deleted.values)
    inserted = [:]
    changed = [:]
    deleted = [:]
    discarded = []
    for object in revived {
      object._life = .clean
      object.forgetValues(keepingDirty: false)
    }
    try? catchUp()
  }

  /// Runs `body` and saves; where either throws, everything is rolled back.
  ///
  /// - Throws: What `body` throws, or `save()`.
  public func transaction(_ body: () throws -> Void) throws {
    do {
      try body()
      try save()
    } catch {
      rollback()
      throw error
    }
  }
}
