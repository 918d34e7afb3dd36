internal import Synchronization

/// What the library knows of one model class: made once a process and class, never freed.
@safe public final class Entity: @unchecked Sendable {
  // Sendable: immutable after init, but for `inverses`, which has its lock.

  /// The entity's name.
  public let name: String
  /// The model class.
  public let type: any PersistentModel.Type
  /// The entity of the superclass.
  public let superentity: Entity?
  /// Superentities, the nearest first.
  let superentities: [Entity]
  /// Stored properties and relationships, inherited ones first.
  public let properties: [Property]
  /// What is wrong with the model in itself.
  public let problems: [SchemaProblem]
  /// The compound indexes that the class declares itself.
  let declaredIndexes: [DeclaredIndex]
  let slotCount: Int
  let groupCount: Int
  let blockSize: Int
  let definitions: UnsafeMutablePointer<Unmanaged<PropertyDefinition>>
  let hooks: UnsafeMutablePointer<Unmanaged<ObservationHooks>>
  let byKeyPath: [AnyKeyPath: Int]
  private let slots: [String: Int]
  private let inverses: Mutex<[Int?]?> = Mutex(nil)

  /// A property with its place.
  public struct Property: Sendable {
    /// The number of its slot in an object.
    public let slot: Int
    /// What its descriptor says.
    public let definition: PropertyDefinition
    let keyPaths: KeyPathPair
  }

  /// A compound index as the class declares it.
  struct DeclaredIndex: Sendable {
    let kind: IndexPolicy
    let slots: [Int]
  }

  private static let registry = Mutex<[ObjectIdentifier: Entity]>([:])

  /// The entity of a class.
  static func of(_ type: ModelObject.Type) -> Entity {
    if let entity = TypeTable.shared.find(type) { return entity }
    let key = ObjectIdentifier(type)
    guard let model = type as? any PersistentModel.Type else {
      preconditionFailure("\(type) must be declared `final class \(type): Model`")
    }
    let entity = Entity(model)
    return registry.withLock { table in
      if let first = table[key] { return first }
      table[key] = entity
      TypeTable.shared.add(type, entity)
      return entity
    }
  }

  private init(_ model: any PersistentModel.Type) {
    func name<M: PersistentModel>(_: M.Type) -> String { M.entityName }
    self.name = name(model)
    self.type = model
    if let parent = _getSuperclass(model) as? any PersistentModel.Type {
      let entity = Entity.of(parent)
      superentity = entity
      superentities = [entity] + entity.superentities
    } else {
      superentity = nil
      superentities = []
    }
    var scan = EntityScan(entity: self.name)
    scan.run(model, depth: superentities.count)
    (properties, problems, slotCount) = (scan.properties, scan.problems, scan.slotCount)
    declaredIndexes = scan.indexes
    groupCount = (slotCount + 63) / 64
    blockSize = 64 * groupCount + 16 * slotCount
    unsafe definitions = .allocate(capacity: max(slotCount, 1))
    unsafe hooks = .allocate(capacity: max(slotCount, 1))
    // What reflection can't see answers with a message.
    let unknown = unsafe Unmanaged<PropertyDefinition>.passRetained(
      UnknownField(name: self.name, originalName: nil))
    for slot in 0..<slotCount { unsafe (definitions + slot).initialize(to: unknown) }
    for property in properties {
      unsafe (definitions + property.slot).initialize(
        to: Unmanaged.passRetained(property.definition))
      unsafe (hooks + property.slot).initialize(
        to: Unmanaged.passRetained(property.keyPaths.hooks))
    }
    byKeyPath = Dictionary(
      properties.map { ($0.keyPaths.path, $0.slot) }, uniquingKeysWith: { first, _ in first })
    slots = Dictionary(
      properties.map { ($0.definition.name, $0.slot) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Look-up

  func slot(named name: String) -> Int? { slots[name] }
  func isKind(of other: Entity) -> Bool {
    self === other || superentities.contains { $0 === other }
  }
  func isKind(ofName name: String) -> Bool {
    self.name == name || superentities.contains { $0.name == name }
  }
  func definition(_ slot: Int) -> PropertyDefinition { unsafe definitions[slot] }
  func relationship(_ slot: Int) -> RelationshipDefinition? {
    unsafe definitions[slot] as? RelationshipDefinition
  }

  /// The slot of the inverse in the destination, whichever side declares it.
  func inverse(_ slot: Int) -> Int? {
    if let known = inverses.withLock({ $0 }) { return known[slot] }
    var table = [Int?](repeating: nil, count: slotCount)
    for property in properties {
      guard let relationship = property.definition as? RelationshipDefinition else { continue }
      table[property.slot] =
        relationship.inverse?.slot() ?? inverseDeclaredElsewhere(property, relationship)
    }
    let result = table
    inverses.withLock { $0 = result }
    return result[slot]
  }

  private func inverseDeclaredElsewhere(
    _ property: Property, _ relationship: RelationshipDefinition
  ) -> Int? {
    for other in Entity.of(relationship.destination).properties {
      guard let back = other.definition as? RelationshipDefinition,
        back.inverse?.slot() == property.slot,
        back.destination == type || superentities.contains(where: { $0.type == back.destination })
      else { continue }
      return other.slot
    }
    return nil
  }

  // MARK: Blocks

  func allocateBlock() -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: blockSize, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64 * groupCount)
    return unsafe memory + 64 * groupCount
  }

  /// Ends the values that are there.
  func destroyValues(_ slots: UnsafeMutableRawPointer, keepingDirty: Bool = false) {
    for group in 0..<groupCount {
      let mask = unsafe (slots - 64 * (group + 1) + Mask.loaded).assumingMemoryBound(
        to: UInt64.self)
      var loaded = unsafe mask.pointee
      if keepingDirty { loaded &= unsafe ~mask[(Mask.dirty - Mask.loaded) / 8] }
      unsafe mask.pointee &= ~loaded
      while loaded != 0 {
        let slot = group * 64 + loaded.trailingZeroBitCount
        unsafe definitions[slot]._withUnsafeGuaranteedRef { unsafe $0.destroy(slots + slot * 16) }
        loaded &= loaded - 1
      }
    }
  }

  func releaseBlock(_ slots: UnsafeMutableRawPointer) {
    unsafe destroyValues(slots)
    unsafe (slots - 64 * groupCount).deallocate()
  }
}

/// Stands where reflection finds no descriptor.
final class UnknownField: PropertyDefinition, @unchecked Sendable {
  override func placePlaceholder(_ slot: UnsafeMutableRawPointer) {
    // A stated programmer error: the slot has no type to make a value of.
    fatalError(
      "The fields of \(name).Properties can't be reflected: build without "
        + "-disable-reflection-metadata")
  }
}

extension UnsafeMutablePointer where Pointee == Unmanaged<PropertyDefinition> {
  subscript(slot: Int) -> PropertyDefinition { unsafe (self + slot).pointee.takeUnretainedValue() }
}
