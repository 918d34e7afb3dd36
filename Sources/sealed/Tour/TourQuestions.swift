internal import Foundation
internal import SealedStore

/// The tour's questions.
enum TourQuestions {
  static var all: [TourQuestion] { counts + lists + relations }

  // MARK: Counts and look-ups

  private static var counts: [TourQuestion] {
    [
      TourQuestion(text: "How many countries, subdivisions and languages are there?") { context in
        [
          "\(try context.fetchCount(FetchDescriptor<Country>()))",
          "\(try context.fetchCount(FetchDescriptor<Subdivision>()))",
          "\(try context.fetchCount(Language.all))",
        ]
      } expect: { tables in
        [tables.countries.count, tables.subdivisions.count, tables.languages.count].map { "\($0)" }
      },
      TourQuestion(text: "Which country has the code PRY?") { context in
        let descriptor = FetchDescriptor<Country>(predicate: #Predicate { $0.alpha3Code == "PRY" })
        return try context.fetch(descriptor).map(\.name)
      } expect: { tables in
        tables.countries.filter { $0.alpha_3 == "PRY" }.map(\.name)
      },
      TourQuestion(text: "How many languages are extinct, and how many macrolanguages are there?") {
        context in
        [
          "\(try context.fetchCount(Language.where { $0.kind == "E" }))",
          "\(try context.fetchCount(Language.where { $0.isMacrolanguage == true }))",
        ]
      } expect: { tables in
        [
          "\(tables.languages.count { $0.type == "E" })",
          "\(tables.languages.count { $0.scope == "M" })",
        ]
      },
      TourQuestion(text: "How many languages have \"sign language\" in their name, in any case?") {
        context in
        [
          "\(try context.fetchCount(Language.where { $0.name.contains("sign language", .caseInsensitive) }))"
        ]
      } expect: { tables in
        ["\(tables.languages.count { $0.name.lowercased().contains("sign language") })"]
      },
      TourQuestion(text: "How many countries have no other official name?") { context in
        let descriptor = FetchDescriptor<Country>(predicate: #Predicate { $0.officialName == nil })
        return ["\(try context.fetchCount(descriptor))"]
      } expect: { tables in
        ["\(tables.countries.count { $0.official_name == nil })"]
      },
    ]
  }

  // MARK: Sorts and pages

  private static var lists: [TourQuestion] {
    [
      TourQuestion(text: "Which five languages come last by name?") { context in
        try context.fetch(
          Language.all.sorted(by: \.name, .reverse).sorted(by: \.alpha3Code).limit(5)
        )
        .map(\.name)
      } expect: { tables in
        tables.languages.sorted { ($1.name, $0.alpha_3) < ($0.name, $1.alpha_3) }.prefix(5).map(
          \.name)
      },
      TourQuestion(text: "Provinces by name: which are the 41st to the 48th?") { context in
        var descriptor = FetchDescriptor<Subdivision>(
          predicate: #Predicate { $0.category == "Province" },
          sortBy: [SortDescriptor(\.name), SortDescriptor(\.code)])
        descriptor.fetchOffset = 40
        descriptor.fetchLimit = 8
        return try context.fetch(descriptor).map { "\($0.name) (\($0.code))" }
      } expect: { tables in
        tables.subdivisions.filter { $0.type == "Province" }
          .sorted { ($0.name, $0.code) < ($1.name, $1.code) }.dropFirst(40).prefix(8)
          .map { "\($0.name) (\($0.code))" }
      },
      TourQuestion(text: "Which scripts have numbers from 100 to 125?") { context in
        try context.fetch(
          Script.where { $0.numericCode.isIn(100...125) }.sorted(by: \.numericCode)
            .sorted(by: \.alpha4Code)
        ).map(\.alpha4Code)
      } expect: { tables in
        tables.scripts.map { (Int($0.numeric) ?? 0, $0.alpha_4) }.filter { (100...125) ~= $0.0 }
          .sorted { $0 < $1 }.map(\.1)
      },
    ]
  }

  // MARK: Relationships

  private static var relations: [TourQuestion] {
    [
      TourQuestion(text: "What are the parts of Austria called?") { context in
        let descriptor = FetchDescriptor<Subdivision>(
          predicate: #Predicate { $0.country?.alpha2Code == "AT" }, sortBy: [SortDescriptor(\.code)]
        )
        return try context.fetch(descriptor).map(\.name)
      } expect: { tables in
        tables.subdivisions.filter { $0.countryCode == "AT" }.sorted { $0.code < $1.code }.map(
          \.name)
      },
      TourQuestion(text: "Which countries have more than 100 subdivisions?") { context in
        try context.fetch(Country.where { $0.subdivisions.count > 100 }.sorted(by: \.alpha2Code))
          .map { "\($0.alpha2Code) \($0.subdivisions.count)" }
      } expect: { tables in
        Dictionary(grouping: tables.subdivisions, by: \.countryCode).filter { $0.value.count > 100 }
          .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)" }
      },
      TourQuestion(text: "Which countries have an emirate, or a republic within them?") { context in
        let kinds = ["Emirate", "Republic"]
        return try context.fetch(
          Country.where { $0.subdivisions.any { $0.category.isIn(kinds) } }.sorted(by: \.alpha2Code)
        ).map(\.alpha2Code)
      } expect: { tables in
        Set(
          tables.subdivisions.filter { $0.type == "Emirate" || $0.type == "Republic" }
            .map(\.countryCode)
        ).sorted()
      },
      TourQuestion(text: "How many subdivisions lie within another, and within one within another?")
      {
        context in
        let parts = FetchDescriptor<Subdivision>(predicate: #Predicate { $0.parent != nil })
        let deep = Subdivision.where { $0.parent.parent != nil }
        return ["\(try context.fetchCount(parts))", "\(try context.fetchCount(deep))"]
      } expect: { tables in
        let deep = tables.parents.values.count { tables.parents[$0] != nil }
        return ["\(tables.parents.count)", "\(deep)"]
      },
      TourQuestion(text: "Which three subdivisions have the most parts?") { context in
        let parents = try context.fetch(Subdivision.where { !$0.children.isEmpty })
        return parents.map { ($0.children.count, $0.code) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
          .prefix(3).map { "\($0.1) \($0.0)" }
      } expect: { tables in
        Dictionary(grouping: tables.parents.values) { $0 }.map { ($0.value.count, $0.key) }
          .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.prefix(3).map { "\($0.1) \($0.0)" }
      },
      TourQuestion(text: "Which currencies does Switzerland have, and how many have no country?") {
        context in
        let country = try context.fetch(Country.where { $0.alpha2Code == "CH" }).first
        let without = try context.fetchCount(Currency.where { $0.country == nil })
        return (country?.currencies.map(\.alpha3Code).sorted() ?? []) + ["\(without)"]
      } expect: { tables in
        let codes = Set(tables.countries.map(\.alpha_2))
        let without = tables.currencies.count { !codes.contains($0.countryCode) }
        return tables.currencies.filter { $0.countryCode == "CH" }.map(\.alpha_3).sorted()
          + ["\(without)"]
      },
    ]
  }
}
