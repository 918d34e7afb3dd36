internal import Foundation
internal import SealedStore

/// A country of ISO 3166-1.
final class Country: Model {
  struct Properties: ModelProperties {
    let alpha2Code = Attribute<String>("alpha2Code", .unique)
    let alpha3Code = Attribute<String>("alpha3Code", .unique)
    let numericCode = Attribute<Int>("numericCode", .indexed)
    let name = Attribute<String>("name", .indexed)
    let officialName = Attribute<String?>("officialName")
    let flag = Attribute<String>("flag")
    let subdivisions = ToMany<Subdivision>(
      "subdivisions", inverse: \.country, deleteRule: .cascade)
    let currencies = ToMany<Currency>("currencies", inverse: \.country)
  }
}

/// A province, district, or whatever a country calls its parts (ISO 3166-2).
final class Subdivision: Model {
  struct Properties: ModelProperties {
    let code = Attribute<String>("code", .unique)
    let name = Attribute<String>("name", .indexed)
    let category = Attribute<String>("category", .indexed)
    let country = ToOne<Country>("country")
    let parent = ToOne<Subdivision>("parent")
    let children = ToMany<Subdivision>("children", inverse: \.parent)
  }
}

/// A language of ISO 639-3.
final class Language: Model {
  struct Properties: ModelProperties {
    let alpha3Code = Attribute<String>("alpha3Code", .unique)
    let alpha2Code = Attribute<String?>("alpha2Code")
    let name = Attribute<String>("name", .indexed)
    let kind = Attribute<String>("kind")
    let isMacrolanguage = Attribute<Bool>("isMacrolanguage", default: false)
  }
}

/// A currency of ISO 4217; its code begins with its country's, where it has one.
final class Currency: Model {
  struct Properties: ModelProperties {
    let alpha3Code = Attribute<String>("alpha3Code", .unique)
    let numericCode = Attribute<Int>("numericCode")
    let name = Attribute<String>("name")
    let country = ToOne<Country>("country")
  }
}

/// A script of ISO 15924.
final class Script: Model {
  struct Properties: ModelProperties {
    let alpha4Code = Attribute<String>("alpha4Code", .unique)
    let numericCode = Attribute<Int>("numericCode", .indexed)
    let name = Attribute<String>("name")
  }
}
