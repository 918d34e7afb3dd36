/// The models of a container, checked.
public struct Schema: Sendable {
  /// Their entities.
  public let entities: [Entity]

  /// Checks models against each other.
  ///
  /// - Throws: `SchemaErrors` with everything that is wrong.
  public init(_ models: [any PersistentModel.Type]) throws {
    let entities = models.map { Entity.of($0) }
    var check = SchemaCheck(entities: entities)
    check.run()
    guard check.problems.isEmpty else { throw SchemaErrors(problems: check.problems) }
    // Parents before children, so that numbers given in order are stable.
    self.entities = entities.sorted {
      ($0.superentities.count, $0.name) < ($1.superentities.count, $1.name)
    }
  }

  func contains(_ entity: Entity) -> Bool { entities.contains { $0 === entity } }
}

/// Finds what is wrong between the models of a schema.
private struct SchemaCheck {
  let entities: [Entity]
  var problems: [SchemaProblem] = []

  init(entities: [Entity]) { self.entities = entities }

  mutating func run() {
    if entities.isEmpty {
      problems.append(SchemaProblem(entity: "(schema)", property: nil, message: "no models"))
    }
    var names: Set<String> = []
    for entity in entities {
      problems += entity.problems
      if !names.insert(entity.name).inserted {
        problems.append(
          SchemaProblem(
            entity: entity.name, property: nil, message: "two models have this entity name"))
      }
      if let parent = entity.superentity, !entities.contains(where: { $0 === parent }) {
        problems.append(
          SchemaProblem(
            entity: entity.name, property: nil,
            message: "its superclass \(parent.name) is not in the list of models"))
      }
    }
    for entity in entities {
      for property in entity.properties {
        guard let relationship = property.definition as? RelationshipDefinition else { continue }
        check(entity, property, relationship)
      }
    }
  }

  private mutating func check(
    _ entity: Entity, _ property: Entity.Property, _ relationship: RelationshipDefinition
  ) {
    let target = Entity.of(relationship.destination)
    func problem(_ message: String) {
      problems.append(
        SchemaProblem(entity: entity.name, property: property.definition.name, message: message))
    }
    guard entities.contains(where: { $0 === target }) else {
      return problem("its destination \(target.name) is not in the list of models")
    }
    guard let inverse = relationship.inverse else { return }
    guard let slot = inverse.slot(),
      let other = target.properties.first(where: { $0.slot == slot }),
      let back = other.definition as? RelationshipDefinition
    else { return problem("its inverse is no relationship of \(target.name)") }
    if !entity.isKind(of: Entity.of(back.destination)) {
      problem(
        "its inverse \(target.name).\(back.name) leads to \(back.destination), not to "
          + entity.name)
    }
    if back.inverse != nil, back !== relationship {
      problem(
        "both sides declare the inverse; name it on one side, not on \(target.name).\(back.name) "
          + "too")
    }
    for rival in entity.properties where rival.slot != property.slot {
      if let rivalRelationship = rival.definition as? RelationshipDefinition,
        rivalRelationship.destination == relationship.destination,
        rivalRelationship.inverse?.slot() == slot
      {
        problem("\(rival.definition.name) has the same inverse")
      }
    }
  }
}
