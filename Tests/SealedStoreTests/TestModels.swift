import Foundation
import SealedStore

enum Status: String, AttributeValue, CaseIterable { case draft, open, done }

struct Place: AttributeValue {
  var street = ""
  var zip: Int?
}

/// Every kind of value, indexed and not, with relationships to itself.
final class Item: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let small = Attribute<Int8>("small", .indexed)
    let wide = Attribute<UInt64>("wide", default: 0)
    let rank = Attribute<Int?>("rank", .indexed)
    let weight = Attribute<Double>("weight", .indexed)
    let ratio = Attribute<Float>("ratio", default: 0)
    let name = Attribute<String>("name", .indexed)
    let note = Attribute<String?>("note")
    let made = Attribute<Date>("made", .indexed)
    let price = Attribute<Decimal>("price", default: 0)
    let token = Attribute<UUID?>("token", .indexed)
    let link = Attribute<URL?>("link")
    let blob = Attribute<Data?>("blob")
    let isOpen = Attribute<Bool>("isOpen", default: false)
    let status = Attribute<Status>("status", .indexed, default: .draft)
    let place = Attribute<Place>("place", default: Place())
    let tags = Attribute<[String]>("tags", default: [])
    let scores = Attribute<[String: Int]>("scores", default: [:])
    let marks = Attribute<Set<Int>>("marks", default: [])
    let parent = ToOne<Item>("parent")
    let children = ToMany<Item>("children", inverse: \.parent)
    let friends = ToMany<Item>("friends")
  }
  static let indexes: [IndexDefinition<Properties>] = [
    .index(\.status, \.made), .index(\.parent, \.number),
  ]
}

/// Owners of all delete rules.
final class Owner: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .uniqueOrThrow)
    let nullified = ToMany<Part>("nullified", inverse: \.nullifier)
    let cascaded = ToMany<Part>("cascaded", inverse: \.cascader, deleteRule: .cascade)
    let denied = ToMany<Part>("denied", inverse: \.denier, deleteRule: .deny)
    let ignored = ToMany<Part>("ignored", inverse: \.ignorer, deleteRule: .noAction)
    let loose = ToOne<Part>("loose", deleteRule: .cascade)
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class Part: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let nullifier = ToOne<Owner>("nullifier")
    let cascader = ToOne<Owner>("cascader")
    let denier = ToOne<Owner>("denier")
    let ignorer = ToOne<Owner>("ignorer")
    let needed = ToOne<Owner>("needed")
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
