import SealedLog
import SealedModel
import Testing

/// Every shape of relationship, every rule, over saved, reopened and unsaved objects.
@Suite struct DeleteRuleTests {
  enum Stage: String, CaseIterable, Sendable { case pending, saved, refetched }

  /// An owner, what it refers to, and a bystander of each.
  private struct Graph<R: RuleTag> {
    let store: TestContainer
    let context: ModelContext
    let owner: Owner<R>
    let member: Member<R>
    let child: Owner<R>

    init(_ shape: RelationShape, _ stage: Stage) throws {
      store = try TestContainer([Owner<R>.self, Member<R>.self])
      var context = store.context
      let owner = Owner<R>()
      let member = Member<R>()
      let child = Owner<R>()
      for (object, name) in [(owner, "owner"), (child, "child")] {
        context.insert(object)
        object.name = name
      }
      context.insert(member)
      member.name = "member"
      let bystander = Owner<R>()
      bystander.name = "bystander"
      context.insert(bystander)
      bystander.many.append(Member<R>())
      shape.relate(owner, member, child)
      if stage != .pending { try context.save() }
      guard stage == .refetched else {
        (self.context, self.owner, self.member, self.child) = (context, owner, member, child)
        return
      }
      context = store.context
      self.context = context
      self.owner = try #require(context.model(for: owner.id, as: Owner<R>.self))
      self.member = try #require(context.model(for: member.id, as: Member<R>.self))
      self.child = try #require(context.model(for: child.id, as: Owner<R>.self))
    }

    /// The names that a fresh context finds.
    func names() throws -> Set<String> {
      let context = store.context
      let owners = try context.fetch(Owner<R>.all).map(\.name)
      let members = try context.fetch(Member<R>.all).map(\.name)
      return Set(owners + members)
    }
  }

  private static let everyone: Set<String> = ["owner", "child", "member", "bystander", ""]

  @Test(arguments: RelationShape.allCases, Stage.allCases)
  func nullify(_ shape: RelationShape, _ stage: Stage) throws {
    let graph = try Graph<Nullifying>(shape, stage)
    defer { graph.store.end() }
    graph.context.delete(graph.owner)
    #expect(graph.owner.isDeleted && graph.owner.name == "owner")
    #expect(!graph.member.isDeleted && !graph.child.isDeleted)
    #expect(!shape.leadsBack(graph.member, graph.child))
    try graph.context.save()
    #expect(try graph.names() == Self.everyone.subtracting(["owner"]))
    try graph.store.reopen()
    #expect(try graph.names() == Self.everyone.subtracting(["owner"]))
  }

  @Test(arguments: RelationShape.allCases, Stage.allCases)
  func cascade(_ shape: RelationShape, _ stage: Stage) throws {
    let graph = try Graph<Cascading>(shape, stage)
    defer { graph.store.end() }
    graph.context.delete(graph.owner)
    let goes = shape == .selfReference ? "child" : "member"
    #expect(graph.member.isDeleted == (goes == "member"))
    #expect(graph.child.isDeleted == (goes == "child"))
    try graph.context.save()
    #expect(try graph.names() == Self.everyone.subtracting(["owner", goes]))
    #expect(graph.member.name == "member")
  }

  @Test(arguments: RelationShape.allCases, [Stage.saved, .refetched])
  func deny(_ shape: RelationShape, _ stage: Stage) throws {
    let graph = try Graph<Denying>(shape, stage)
    defer { graph.store.end() }
    graph.context.delete(graph.owner)
    let error = #expect(throws: StoreError.self) { try graph.context.save() }
    #expect(error?.code == .deleteDenied)
    #expect(error?.message.contains("Owner.") == true)
    #expect(graph.context.hasChanges)
    #expect(try graph.names() == Self.everyone)
    graph.context.rollback()
    #expect(!graph.owner.isDeleted && graph.owner.name == "owner")
    #expect(shape.leadsBack(graph.member, graph.child) || shape.rawValue.hasPrefix("oneWay"))
    // With nothing related any more the rule has nothing to say.
    graph.owner.one = nil
    graph.owner.loneOne = nil
    for list in [\Owner<Denying>.many, \.peers, \.loneMany] { graph.owner[keyPath: list] = [] }
    graph.owner.children = []
    graph.context.delete(graph.owner)
    try graph.context.save()
    #expect(try graph.names() == Self.everyone.subtracting(["owner"]))
  }

  @Test(arguments: RelationShape.allCases, Stage.allCases)
  func noAction(_ shape: RelationShape, _ stage: Stage) throws {
    let graph = try Graph<Ignoring>(shape, stage)
    defer { graph.store.end() }
    graph.context.delete(graph.owner)
    try graph.context.save()
    #expect(try graph.names() == Self.everyone.subtracting(["owner"]))
    // What still refers to it reads nil or leaves it out, and nothing stops the program.
    let context = graph.store.context
    let members = try context.fetch(Member<Ignoring>.where { $0.name == "member" })
    let member = try #require(members.first)
    #expect(member.single == nil && member.owner == nil)
    for owner in member.owners { #expect(owner.isDeleted) }
    let owners = try context.fetch(Owner<Ignoring>.all)
    let owner = try #require(owners.first)
    member.owner = owner
    try context.save()
  }

  @Test func aCycleOfCascades() throws {
    let store = try TestContainer([Owner<Cascading>.self, Member<Cascading>.self])
    defer { store.end() }
    let context = store.context
    let owners = (0..<5).map { _ in Owner<Cascading>() }
    for owner in owners { context.insert(owner) }
    for (index, owner) in owners.enumerated() { owner.children = [owners[(index + 1) % 5]] }
    try context.save()
    context.delete(owners[2])
    #expect(owners.allSatisfy { $0.isDeleted })
    try context.save()
    #expect(try context.fetchCount(Owner<Cascading>.all) == 0)
    #expect(!context.hasChanges)
  }

  @Test func aTreeOfCascades() throws {
    let store = try TestContainer([Owner<Cascading>.self, Member<Cascading>.self])
    defer { store.end() }
    let context = store.context
    let root = Owner<Cascading>()
    context.insert(root)
    var level = [root]
    for _ in 0..<4 {
      level = level.flatMap { parent in
        (0..<4).map { _ in
          let child = Owner<Cascading>()
          child.parent = parent
          child.many.append(Member<Cascading>())
          return child
        }
      }
    }
    try context.save()
    #expect(try context.fetchCount(Member<Cascading>.all) == 340)
    let other = store.context
    let found = try #require(other.model(for: root.id, as: Owner<Cascading>.self))
    other.delete(found)
    try other.save()
    #expect(try context.fetchCount(Owner<Cascading>.all) == 0)
    #expect(try context.fetchCount(Member<Cascading>.all) == 0)
    #expect(root.isDeleted && level.allSatisfy { $0.isDeleted || $0.name.isEmpty })
  }
}
