import SealedModel

/// A delete rule as a type, so that one pair of models serves all rules.
protocol RuleTag: SendableMetatype {
  static var rule: DeleteRule { get }
}
enum Nullifying: RuleTag { static var rule: DeleteRule { .nullify } }
enum Cascading: RuleTag { static var rule: DeleteRule { .cascade } }
enum Denying: RuleTag { static var rule: DeleteRule { .deny } }
enum Ignoring: RuleTag { static var rule: DeleteRule { .noAction } }

/// Has a relationship of every shape, all with the rule of `Rule`.
final class Owner<Rule: RuleTag>: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", default: "")
    let one = ToOne<Member<Rule>>("one", deleteRule: Rule.rule)
    let many = ToMany<Member<Rule>>("many", inverse: \.owner, deleteRule: Rule.rule)
    let peers = ToMany<Member<Rule>>("peers", inverse: \.owners, deleteRule: Rule.rule)
    let loneOne = ToOne<Member<Rule>>("loneOne", deleteRule: Rule.rule)
    let loneMany = ToMany<Member<Rule>>("loneMany", deleteRule: Rule.rule)
    let parent = ToOne<Owner<Rule>>("parent")
    let children = ToMany<Owner<Rule>>("children", inverse: \.parent, deleteRule: Rule.rule)
  }
  static var entityName: String { "Owner" }
}

/// What owners refer to.
final class Member<Rule: RuleTag>: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", default: "")
    let single = ToOne<Owner<Rule>>("single", inverse: \.one)
    let owner = ToOne<Owner<Rule>>("owner")
    let owners = ToMany<Owner<Rule>>("owners")
  }
  static var entityName: String { "Member" }
}

/// How an owner refers to a member.
enum RelationShape: String, CaseIterable, Sendable {
  case oneToOne, oneToMany, manyToMany, oneWayToOne, oneWayToMany, selfReference

  func relate<R: RuleTag>(_ owner: Owner<R>, _ member: Member<R>, _ child: Owner<R>) {
    switch self {
    case .oneToOne: owner.one = member
    case .oneToMany: owner.many.append(member)
    case .manyToMany: owner.peers.append(member)
    case .oneWayToOne: owner.loneOne = member
    case .oneWayToMany: owner.loneMany.append(member)
    case .selfReference: owner.children.append(child)
    }
  }

  /// Whether what the owner referred to still leads back to an owner.
  func leadsBack<R: RuleTag>(_ member: Member<R>, _ child: Owner<R>) -> Bool {
    switch self {
    case .oneToOne: member.single != nil
    case .oneToMany: member.owner != nil
    case .manyToMany: !member.owners.isEmpty
    case .oneWayToOne, .oneWayToMany: false
    case .selfReference: child.parent != nil
    }
  }
}
