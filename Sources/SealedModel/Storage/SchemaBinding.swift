/// Makes the run-time tables of a matched schema.
struct SchemaBinding {
  let match: SchemaMatch
  let schema: Schema
  private(set) var entities: [UInt16: BoundEntity] = [:]
  private(set) var numbers: [ObjectIdentifier: UInt16] = [:]
  private(set) var layouts: [UInt16: RecordLayout] = [:]
  private(set) var incoming: [ObjectIdentifier: [BoundIndex]] = [:]

  init(match: SchemaMatch, schema: Schema) {
    self.match = match
    self.schema = schema
  }

  mutating func bind() {
    var indexes: [BoundIndex] = []
    for stored in match.description.indexes {
      if let index = bind(stored) { indexes.append(index) }
    }
    for entity in schema.entities {
      guard let number = match.description.entity(named: entity.name)?.number else { continue }
      let properties = match.allProperties(entity)
      var current: RecordLayout?
      for layout in match.description.layouts where layout.entity == number {
        let made = bind(layout, entity, properties)
        layouts[layout.number] = made
        current = made
      }
      guard let layout = current else { continue }
      var relations = [UInt16?](repeating: nil, count: entity.slotCount)
      for (slot, property) in properties where property.relation?.cardinality == .many {
        relations[slot] = property.number
      }
      numbers[ObjectIdentifier(entity)] = number
      entities[number] = BoundEntity(
        entity: entity, number: number, layout: layout,
        indexes: indexes.filter { entity.isKind(of: $0.entity) }, relations: relations)
      incoming[ObjectIdentifier(entity)] = indexes.filter { index in
        guard index.isReverse,
          let relationship = index.entity.relationship(index.columns[0].slot)
        else { return false }
        return entity.isKind(of: Entity.of(relationship.destination))
      }
    }
  }

  private func bind(_ stored: StoredSchema.Index) -> BoundIndex? {
    guard let entity = schema.entities.first(where: { $0.name == stored.entity }) else {
      return nil
    }
    let columns = stored.properties.compactMap { name in
      entity.slot(named: name).map {
        BoundIndex.Column(slot: $0, name: name, kind: entity.definition($0).storageKind)
      }
    }
    let isMany = entity.relationship(columns[0].slot)?.cardinality == .many
    return BoundIndex(
      number: stored.number, entity: entity, columns: columns, policy: stored.policy,
      isReverse: stored.isReverse, reverseOfMany: isMany ? columns[0].slot : nil)
  }

  private func bind(
    _ layout: StoredSchema.Layout, _ entity: Entity,
    _ properties: [(slot: Int, StoredSchema.Property)]
  ) -> RecordLayout {
    let all = match.description.entities.flatMap(\.properties)
    return RecordLayout(
      number: layout.number, entity: entity,
      columns: layout.columns.map { number in
        let property = all.first { $0.number == number }
        return (
          slot: properties.first { $0.1.number == number }?.slot,
          kind: property?.kind ?? .data, isReference: property?.relation != nil
        )
      })
  }
}
