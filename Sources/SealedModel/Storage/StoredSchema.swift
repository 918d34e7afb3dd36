import Foundation

/// The schema as the store describes it, in JSON, in its own `meta` keyspace. Matched by content:
/// entity and property names and kinds, never Swift type names.
struct StoredSchema: Codable, Equatable {
  struct Relation: Codable, Equatable {
    var cardinality: Cardinality
    var destination: String
    var inverse: String?
  }
  struct Property: Codable, Equatable {
    var name: String
    var number: UInt16
    /// Nil for a relationship.
    var kind: StorageKind?
    var relation: Relation?
  }
  struct StoredEntity: Codable, Equatable {
    var name: String
    var number: UInt16
    var parent: String?
    /// Own ones, not inherited.
    var properties: [Property]
  }
  struct Layout: Codable, Equatable {
    var number: UInt16
    var entity: UInt16
    /// Numbers of the properties, in the order of the columns.
    var columns: [UInt16]
  }
  struct Index: Codable, Equatable {
    var number: UInt16
    var entity: String
    var properties: [String]
    var policy: IndexPolicy
    /// Made by the library for a relationship without inverse: finds who refers to an object.
    var isReverse: Bool
  }

  var entities: [StoredEntity] = []
  var layouts: [Layout] = []
  var indexes: [Index] = []
  /// The next free number of entities, properties, layouts and indexes.
  var nextNumber: UInt16 = 1

  mutating func takeNumber() -> UInt16 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  func entity(named name: String) -> StoredEntity? { entities.first { $0.name == name } }
}

/// Brings a store's description and the app's models together.
struct SchemaMatch {
  private(set) var description: StoredSchema
  /// Whether the description changed and must be stored.
  private(set) var isChanged = false
  /// What differs and can't be bridged.
  private(set) var differences: [String] = []

  init(_ description: StoredSchema?) { self.description = description ?? StoredSchema() }

  mutating func match(_ schema: Schema) {
    let isNew = description.entities.isEmpty
    let before = description
    var newEntities: Set<String> = []
    for stored in description.entities
    where !schema.entities.contains(where: { $0.name == stored.name }) {
      differences.append("entity \(stored.name) is in the store and not among the models")
    }
    for entity in schema.entities {
      if description.entity(named: entity.name) == nil {
        newEntities.insert(entity.name)
        description.entities.append(
          StoredSchema.StoredEntity(
            name: entity.name, number: description.takeNumber(), parent: entity.superentity?.name,
            properties: []))
      }
      matchProperties(entity, isNew: newEntities.contains(entity.name))
    }
    for entity in schema.entities { matchLayout(entity) }
    matchIndexes(schema, newEntities: isNew ? nil : newEntities)
    isChanged = description != before
  }

  private func ownProperties(_ entity: Entity) -> [Entity.Property] {
    let inherited = entity.superentity?.slotCount ?? 0
    return entity.properties.filter {
      $0.slot >= inherited && !$0.definition.options.contains(.ephemeral)
    }
  }

  private mutating func matchProperties(_ entity: Entity, isNew: Bool) {
    guard let place = description.entities.firstIndex(where: { $0.name == entity.name }) else {
      return
    }
    if !isNew, description.entities[place].parent != entity.superentity?.name {
      differences.append("\(entity.name): another superclass")
    }
    let own = ownProperties(entity)
    for stored in description.entities[place].properties
    where !own.contains(where: { $0.definition.name == stored.name }) {
      differences.append("\(entity.name).\(stored.name) is in the store and not in the model")
    }
    for property in own {
      let wanted = describe(entity, property)
      let name = property.definition.name
      if let stored = description.entities[place].properties.first(where: { $0.name == name }) {
        if stored.kind != wanted.kind {
          differences.append(
            "\(entity.name).\(name): the store has \(text(stored.kind)), the model "
              + text(wanted.kind))
        } else if stored.relation != wanted.relation {
          differences.append("\(entity.name).\(name): another kind of relationship")
        }
        continue
      }
      if !isNew, property.definition.isRequired {
        differences.append(
          "\(entity.name).\(name): new, required, and without default for the objects there are")
      }
      if !isNew, wanted.relation?.inverse == nil, wanted.relation != nil {
        // Its reverse index begins empty, as does the relationship.
      }
      var added = wanted
      added.number = description.takeNumber()
      description.entities[place].properties.append(added)
    }
  }

  private func text(_ kind: StorageKind?) -> String { kind.map { "\($0)" } ?? "a relationship" }

  private func describe(_ entity: Entity, _ property: Entity.Property) -> StoredSchema.Property {
    let definition = property.definition
    guard let relationship = definition as? RelationshipDefinition else {
      return StoredSchema.Property(
        name: definition.name, number: 0, kind: definition.storageKind, relation: nil)
    }
    let target = Entity.of(relationship.destination)
    let inverse = entity.inverse(property.slot).map { target.definition($0).name }
    return StoredSchema.Property(
      name: definition.name, number: 0, kind: nil,
      relation: StoredSchema.Relation(
        cardinality: relationship.cardinality, destination: target.name, inverse: inverse))
  }

  /// Properties of an entity with the inherited ones first.
  func allProperties(_ entity: Entity) -> [(slot: Int, StoredSchema.Property)] {
    entity.properties.compactMap { property in
      for owner in [entity] + entity.superentities {
        if let stored = description.entity(named: owner.name)?.properties.first(where: {
          $0.name == property.definition.name
        }) {
          return (property.slot, stored)
        }
      }
      return nil
    }
  }

  private mutating func matchLayout(_ entity: Entity) {
    let columns = allProperties(entity).filter { $0.1.relation?.cardinality != .many }
      .map(\.1.number)
    guard let number = description.entity(named: entity.name)?.number else { return }
    if description.layouts.contains(where: { $0.entity == number && $0.columns == columns }) {
      return
    }
    description.layouts.append(
      StoredSchema.Layout(number: description.takeNumber(), entity: number, columns: columns))
  }

  private mutating func matchIndexes(_ schema: Schema, newEntities: Set<String>?) {
    let wanted = schema.entities.flatMap { indexes(of: $0) }
    for stored in description.indexes
    where !wanted.contains(where: { Self.isSame($0, stored) }) {
      differences.append(
        "\(stored.entity): the index on \(stored.properties.joined(separator: ", ")) "
          + "(\(stored.policy.rawValue)) is in the store and not in the model")
    }
    for index in wanted where !description.indexes.contains(where: { Self.isSame($0, index) }) {
      let isEmpty = newEntities?.contains(index.entity) ?? true
      if !isEmpty, !index.isReverse {
        differences.append(
          "\(index.entity): a new index on \(index.properties.joined(separator: ", ")) "
            + "(\(index.policy.rawValue))")
      }
      var added = index
      added.number = description.takeNumber()
      description.indexes.append(added)
    }
  }

  private static func isSame(_ left: StoredSchema.Index, _ right: StoredSchema.Index) -> Bool {
    left.entity == right.entity && left.properties == right.properties
      && left.policy == right.policy && left.isReverse == right.isReverse
  }

  private func indexes(of entity: Entity) -> [StoredSchema.Index] {
    var result: [StoredSchema.Index] = []
    func add(_ names: [String], _ policy: IndexPolicy, reverse: Bool = false) {
      let index = StoredSchema.Index(
        number: 0, entity: entity.name, properties: names, policy: policy, isReverse: reverse)
      if !result.contains(where: { Self.isSame($0, index) }) { result.append(index) }
    }
    for property in ownProperties(entity) {
      let definition = property.definition
      if definition.options.contains(.uniqueOrThrow) {
        add([definition.name], .refuse)
      } else if definition.options.contains(.unique) {
        add([definition.name], .upsert)
      } else if definition.options.contains(.indexed) {
        add([definition.name], .plain)
      }
      if definition is RelationshipDefinition, entity.inverse(property.slot) == nil {
        add([definition.name], .plain, reverse: true)
      }
    }
    for declared in entity.declaredIndexes {
      add(declared.slots.map { entity.definition($0).name }, declared.kind)
    }
    return result
  }
}
