internal import Foundation

/// The tables of the package iso-codes, decoded.
struct ISOTables {
  struct CountryRow: Decodable {
    let alpha_2: String
    let alpha_3: String
    let numeric: String
    let name: String
    let official_name: String?
    let flag: String?
  }

  struct SubdivisionRow: Decodable {
    let code: String
    let name: String
    let type: String
    let parent: String?

    /// The country's code, before the dash.
    var countryCode: String { String(code.prefix { $0 != "-" }) }
  }

  struct LanguageRow: Decodable {
    let alpha_3: String
    let alpha_2: String?
    let name: String
    let type: String
    let scope: String
  }

  struct CurrencyRow: Decodable {
    let alpha_3: String
    let numeric: String
    let name: String

    var countryCode: String { String(alpha_3.prefix(2)) }
  }

  struct ScriptRow: Decodable {
    let alpha_4: String
    let numeric: String
    let name: String
  }

  let countries: [CountryRow]
  let subdivisions: [SubdivisionRow]
  let languages: [LanguageRow]
  let currencies: [CurrencyRow]
  let scripts: [ScriptRow]
  /// The code of each subdivision's parent, where it has one.
  let parents: [String: String]
  /// One of the files that the tables come from.
  let sample: URL

  var rowCount: Int {
    countries.count + subdivisions.count + languages.count + currencies.count + scripts.count
  }

  init(directory: URL) throws {
    func rows<Row: Decodable>(_ standard: String) throws -> [Row] {
      let url = directory.appendingPathComponent("iso_\(standard).json")
      let tables = try JSONDecoder().decode([String: [Row]].self, from: Data(contentsOf: url))
      return tables[standard] ?? []
    }
    countries = try rows("3166-1")
    subdivisions = try rows("3166-2")
    languages = try rows("639-3")
    currencies = try rows("4217")
    scripts = try rows("15924")
    sample = directory.appendingPathComponent("iso_3166-2.json")
    let codes = Set(subdivisions.map(\.code))
    parents = Dictionary(
      subdivisions.compactMap { row in
        guard let parent = row.parent else { return nil }
        // A full code, or what follows the country's.
        return (row.code, codes.contains(parent) ? parent : "\(row.countryCode)-\(parent)")
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Where the package puts them.
  static func directory(_ given: String?) throws(UsageError) -> URL {
    let places =
      given.map { [$0] }
      ?? ["/usr", "/usr/local", "/opt/homebrew"].map { $0 + "/share/iso-codes/json" }
    for place in places {
      let url = URL(fileURLWithPath: place)
      if FileManager.default.fileExists(atPath: url.appendingPathComponent("iso_3166-2.json").path)
      {
        return url
      }
    }
    throw UsageError(
      "there are no iso_….json files in \(places.joined(separator: ", ")); install iso-codes "
        + "(apt-get install iso-codes, brew install iso-codes), or give --data DIR",
      command: "tour")
  }
}
