/// An entity's place in a store.
final class BoundEntity: Sendable {
  let entity: Entity
  let number: UInt16
  /// The layout that new records get.
  let layout: RecordLayout
  /// Own and inherited ones.
  let indexes: [BoundIndex]
  /// By slot: the number under which a to-many relationship's edges are kept.
  let relations: [UInt16?]
  /// Slots of the relationships.
  let relationshipSlots: [Int]
  let attributeSlots: [Int]

  init(
    entity: Entity, number: UInt16, layout: RecordLayout, indexes: [BoundIndex],
    relations: [UInt16?]
  ) {
    self.entity = entity
    self.number = number
    self.layout = layout
    self.indexes = indexes
    self.relations = relations
    relationshipSlots = entity.properties.filter { $0.definition is RelationshipDefinition }
      .map(\.slot)
    attributeSlots = entity.properties.filter { !($0.definition is RelationshipDefinition) }
      .map(\.slot)
  }
}

/// An index's place in a store. Its keys: number (2) ‖ the columns' values ‖ reference (10).
final class BoundIndex: Sendable {
  struct Column: Sendable {
    let slot: Int
    let name: String
    /// Nil for a to-one relationship.
    let kind: StorageKind?
  }

  let number: UInt16
  /// The entity that declares it; its subentities' objects are in it too.
  let entity: Entity
  let columns: [Column]
  let policy: IndexPolicy
  /// Where it finds who refers to an object by a to-many relationship: that relationship's slot.
  let reverseOfMany: Int?
  let isReverse: Bool

  init(
    number: UInt16, entity: Entity, columns: [Column], policy: IndexPolicy, isReverse: Bool,
    reverseOfMany: Int?
  ) {
    self.number = number
    self.entity = entity
    self.columns = columns
    self.policy = policy
    self.isReverse = isReverse
    self.reverseOfMany = reverseOfMany
  }

  var label: String { "\(entity.name).\(columns.map(\.name).joined(separator: "+"))" }

  /// The beginning of all keys.
  var prefix: [UInt8] {
    var key = KeyWriter()
    key.append(number)
    return key.bytes
  }

  /// Writes the key of a record, without the reference at its end.
  ///
  /// - Returns: Whether one of the values is nil.
  func write(_ record: RecordView, to key: inout KeyWriter) -> Bool {
    key.removeAll()
    key.append(number)
    var hasNull = false
    for column in columns {
      let field = record.layout.fields[column.slot]
      if let kind = column.kind {
        let value =
          field.map { record.value(of: $0).scalar }
          ?? record.layout.entity.definition(column.slot).defaultScalar
        if value == .null { hasNull = true }
        if !key.append(value, kind: kind) { _ = key.append(.null, kind: kind) }
      } else {
        let reference = field.flatMap { record.reference(of: $0) }
        if reference == nil { hasNull = true }
        key.append(optional: reference)
      }
    }
    return hasNull
  }
}
