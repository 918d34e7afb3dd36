internal import Foundation
internal import SealedStore

/// Brings the tables into a container: a save for every few hundred objects.
struct TourImport {
  static let models: [any PersistentModel.Type] = [
    Country.self, Subdivision.self, Language.self, Currency.self, Script.self,
  ]
  private static let batchSize = 1000

  let context: ModelContext
  let tables: ISOTables

  func run() throws {
    let countries = try importCountries()
    try importSubdivisions(countries)
    try importRows("currencies", tables.currencies) { row in
      let currency = Currency()
      currency.alpha3Code = row.alpha_3
      currency.numericCode = Int(row.numeric) ?? 0
      currency.name = row.name
      currency.country = countries[row.countryCode]
      context.insert(currency)
    }
    try importRows("scripts", tables.scripts) { row in
      let script = Script()
      script.alpha4Code = row.alpha_4
      script.numericCode = Int(row.numeric) ?? 0
      script.name = row.name
      context.insert(script)
    }
    try importRows("languages", tables.languages) { row in
      let language = Language()
      language.alpha3Code = row.alpha_3
      language.alpha2Code = row.alpha_2
      language.name = row.name
      language.kind = row.type
      language.isMacrolanguage = row.scope == "M"
      context.insert(language)
    }
  }

  private func importCountries() throws -> [String: Country] {
    var countries: [String: Country] = [:]
    try importRows("countries", tables.countries) { row in
      let country = Country()
      country.alpha2Code = row.alpha_2
      country.alpha3Code = row.alpha_3
      country.numericCode = Int(row.numeric) ?? 0
      country.name = row.name
      country.officialName = row.official_name
      country.flag = row.flag ?? ""
      context.insert(country)
      countries[row.alpha_2] = country
    }
    return countries
  }

  /// A parent may come after its children: all are made first, then related as they are inserted.
  private func importSubdivisions(_ countries: [String: Country]) throws {
    var made: [String: Subdivision] = [:]
    for row in tables.subdivisions {
      let subdivision = Subdivision()
      subdivision.code = row.code
      subdivision.name = row.name
      subdivision.category = row.type
      made[row.code] = subdivision
    }
    try importRows("subdivisions", tables.subdivisions) { row in
      guard let subdivision = made[row.code] else { return }
      context.insert(subdivision)
      subdivision.country = countries[row.countryCode]
      subdivision.parent = tables.parents[row.code].flatMap { made[$0] }
    }
  }

  private func importRows<Row>(_ title: String, _ rows: [Row], _ make: (Row) -> Void) throws {
    var bar = ProgressBar(title, total: rows.count)
    let clock = ContinuousClock()
    let start = clock.now
    for (index, row) in rows.enumerated() {
      make(row)
      bar.advance()
      if (index + 1) % Self.batchSize == 0 { try context.save() }
    }
    try context.save()
    bar.finish("\(rows.count) rows in \(Format.milliseconds(clock.now - start))")
  }
}
