/// Lists the descriptors of a model with their slots, and what is wrong with them.
struct EntityScan {
  let entity: String
  private(set) var properties: [Entity.Property] = []
  private(set) var problems: [SchemaProblem] = []
  private(set) var indexes: [Entity.DeclaredIndex] = []
  private(set) var slotCount = 0

  /// What every model has: a field of that name would be hidden by it.
  private static let reservedNames: Set<String> = [
    "id", "persistentModelID", "modelContext", "isDeleted", "hasChanges", "hashValue",
  ]

  init(entity: String) { self.entity = entity }

  mutating func run(_ model: any PersistentModel.Type, depth: Int) {
    scanRoot(model)
    if depth >= 1, let sub = model as? any ModelSubclass.Type { scanOwn(sub) }
    if depth >= 2, let sub = model as? any ModelSubclass2.Type { scanOwn2(sub) }
    checkNames()
    for property in properties { checkOptions(property.definition) }
    // A subclass that declares no indexes of its own inherits the static: they are the parent's.
    if depth == 0 { readIndexes(model) }
  }

  private mutating func scanRoot<M: PersistentModel>(_: M.Type) {
    scan(M.self, M.Properties.self, 0)
  }
  private mutating func scanOwn<M: ModelSubclass>(_: M.Type) {
    scan(M.self, M.OwnProperties.self, 1)
  }
  private mutating func scanOwn2<M: ModelSubclass2>(_: M.Type) {
    scan(M.self, M.OwnProperties2.self, 2)
  }

  private mutating func problem(_ property: String?, _ message: String) {
    problems.append(SchemaProblem(entity: entity, property: property, message: message))
  }

  /// Public API only: `Mirror` lists the fields in order, and as each is one word the next lies 8
  /// bytes on. The key path made from the offset equals the literal that a client writes, if the
  /// descriptor is a `let`.
  private mutating func scan<M: PersistentModel, P: ModelProperties>(
    _: M.Type, _: P.Type, _ level: Int
  ) {
    let instance = P()
    let countBefore = properties.count
    let problemsBefore = problems.count
    var offset = 0
    for (label, value) in Mirror(reflecting: instance).children {
      let name = label ?? "?"
      func add<D>(_ descriptor: D) {
        let mask = MemoryLayout<D>.alignment - 1
        let here = (offset + mask) & ~mask
        offset = here + MemoryLayout<D>.size
        let definition = (descriptor as? any PropertyDescriptor)?.propertyDefinition
        guard let definition else { return problem(name, "is no property descriptor") }
        guard
          let key = _createOffsetBasedKeyPath(root: P.self, value: D.self, offset: here)
            as? KeyPath<P, D>, MemoryLayout<P>.offset(of: key) == here,
          let found = instance[keyPath: key] as? any PropertyDescriptor,
          found.propertyDefinition === definition,
          let paths = definition.modelKeyPaths(M.self, key, level)
        else { return problem(name, "can't be reached by a key path") }
        if Self.reservedNames.contains(name) {
          problem(
            name,
            "is hidden by the property of that name that every model has: name the field "
              + "otherwise (the stored name may stay)")
        }
        properties.append(
          Entity.Property(slot: slotCount + here / 8, definition: definition, keyPaths: paths))
      }
      _openExistential(value, do: add)
    }
    if MemoryLayout<P>.size > 0, properties.count == countBefore, problems.count == problemsBefore {
      problem(nil, "no reflection metadata: build without -disable-reflection-metadata")
    }
    slotCount += (MemoryLayout<P>.size + 7) / 8
  }

  private mutating func checkNames() {
    var names: Set<String> = []
    for property in properties {
      let name = property.definition.name
      if name.isEmpty { problem(nil, "a property has an empty name") }
      if !names.insert(name).inserted { problem(name, "two properties have this name") }
    }
  }

  private mutating func checkOptions(_ definition: PropertyDefinition) {
    let options = definition.options
    guard
      options.contains(.unique) || options.contains(.indexed)
        || options.contains(.uniqueOrThrow)
    else { return }
    if definition.storageKind?.isIndexable != true {
      problem(definition.name, "values of this type have no order, so they can't be indexed")
    }
    if options.contains(.ephemeral) {
      problem(definition.name, "is ephemeral, so it can't be indexed")
    }
  }

  private mutating func readIndexes<M: PersistentModel>(_: M.Type) {
    for index in M.indexes {
      var slots: [Int] = []
      for field in index.fields {
        guard let slot = M._slotNumber(field), let property = property(at: slot) else {
          problem(nil, "an index names a field that is no property")
          continue
        }
        let definition = property.definition
        if let relationship = definition as? RelationshipDefinition {
          if relationship.cardinality == .many {
            problem(definition.name, "is a to-many relationship, so it can't be indexed")
          }
        } else if definition.storageKind?.isIndexable != true
          || definition.options.contains(.ephemeral)
        {
          problem(definition.name, "can't be indexed")
        }
        slots.append(slot)
      }
      let policy: IndexPolicy =
        switch index.kind {
        case .index: .plain
        case .unique: .upsert
        case .uniqueOrThrow: .refuse
        }
      if !slots.isEmpty { indexes.append(Entity.DeclaredIndex(kind: policy, slots: slots)) }
    }
  }

  private func property(at slot: Int) -> Entity.Property? { properties.first { $0.slot == slot } }
}

/// What an index enforces.
enum IndexPolicy: String, Sendable, Codable {
  /// Nothing.
  case plain
  /// Unique: a new object with the values of a stored one updates it.
  case upsert
  /// Unique: a second object is refused.
  case refuse

  var isUnique: Bool { self != .plain }
}
