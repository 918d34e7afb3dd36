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

/// Something unique that others are in, with one- and two-way references to it.
final class Place: Model {
  struct Properties: ModelProperties {
    let code = Attribute<String>("code", .unique)
    let note = Attribute<String>("note", default: "")
    let visits = ToMany<Visit>("visits", inverse: \.place)
  }
  convenience init(_ code: String) {
    self.init()
    self.code = code
  }
}

final class Visit: Model {
  struct Properties: ModelProperties {
    let day = Attribute<Int>("day", default: 0)
    let place = ToOne<Place>("place")
    let origin = ToOne<Place>("origin")
    let stops = ToMany<Place>("stops")
  }
  static let indexes: [IndexDefinition<Properties>] = [.unique(\.place, \.day)]
}
