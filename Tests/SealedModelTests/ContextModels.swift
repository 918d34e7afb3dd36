import SealedModel

/// A person of a club: required, unique and optional values.
final class Person: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let badge = Attribute<Int?>("badge", .unique)
    let email = Attribute<String?>("email", .uniqueOrThrow)
    let age = Attribute<Int>("age", default: 0)
    let tags = Attribute<[String]>("tags", default: [])
    let club = ToOne<Club>("club")
    let friends = ToMany<Person>("friends")
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// A club, with its members in order.
final class Club: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title", default: "")
    let members = ToMany<Person>("members", inverse: \.club)
  }
}
