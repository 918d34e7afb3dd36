import Foundation
import SealedStore
import TestSupport
import Testing

/// Real data, and the answers that another database gave.
@Suite struct ChinookTests {
  static let key = SecretBytes([UInt8](repeating: 3, count: 32))

  static func open(_ directory: TemporaryDirectory) throws -> ModelContainer {
    let configuration = try SecureModelConfiguration(
      name: "Chinook", models: Chinook.models,
      storeURL: directory.url.appendingPathComponent("Chinook.store"), unlock: .rawKey(key))
    return try SecureModelContainer.create(configuration)
  }

  @Test(.enabled(if: SharedData.has("data/chinook/chinook.json")))
  func everyQuestionHasItsAnswerBeforeAndAfterReopening() throws {
    let directory = try TemporaryDirectory()
    let tables = try Chinook.Tables(#require(SharedData.url("data/chinook/chinook.json")))
    #expect(tables.rowCount == 15_607)
    let expected = try Self.expectedAnswers()
    do {
      let container = try Self.open(directory)
      let context = ModelContext(container)
      try Chinook.fill(context, tables)
      try Self.check(context, expected)
      try Self.check(ModelContext(container), expected)
      try container.close()
    }
    let container = try Self.open(directory)
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<PlaylistEntry>()) == 8715)
    try Self.check(context, expected)
    try container.lock()
    #expect(throws: StoreError.self) { try context.fetchCount(FetchDescriptor<Track>()) }
    try container.unlock(.rawKey(Self.key))
    try Self.check(context, expected)
    #expect(try container.logStore.verify().isSound)
    try container.close()
    try Self.checkNothingIsReadable(in: directory.url, tables)
  }

  static func expectedAnswers() throws -> [String: [[String]]] {
    let url = try #require(SharedData.url("data/chinook/expected.json"))
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    let questions = try #require(object as? [String: [String: Any]])
    return questions.mapValues { question in
      (question["answer"] as? [[Any]] ?? []).map { $0.map { "\($0)" } }
    }
  }

  static func check(_ context: ModelContext, _ expected: [String: [[String]]]) throws {
    var asked: Set<String> = []
    func ask(_ name: String, _ answer: [[String]]) {
      asked.insert(name)
      #expect(answer == expected[name], "\(name)")
    }
    for (name, answer) in try ChinookQuestions(context).answers() { ask(name, answer) }
    #expect(asked == Set(expected.keys))
  }

  /// No name of an entity, property or thing is found in any file's bytes.
  static func checkNothingIsReadable(in directory: URL, _ tables: Chinook.Tables) throws {
    var files: [Data] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
      let url = directory.appendingPathComponent(path)
      if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        files.append(try Data(contentsOf: url))
      }
    }
    #expect(files.count >= 3)
    var words = ["Artist", "milliseconds", "records", "Iron Maiden", "Gonçalves"]
    words += tables["Album"].prefix(50).map { Chinook.string($0, "Title") }.filter { $0.count > 6 }
    for word in words {
      let bytes = Data(word.utf8)
      #expect(!files.contains { $0.range(of: bytes) != nil }, "\(word) is readable")
    }
  }
}

/// The questions of the data's collection, asked through the public API.
struct ChinookQuestions {
  let context: ModelContext

  init(_ context: ModelContext) { self.context = context }

  func answers() throws -> [String: [[String]]] {
    var answers = try counts()
    answers.merge(try lists()) { first, _ in first }
    answers.merge(try relations()) { first, _ in first }
    return answers
  }

  private func counts() throws -> [String: [[String]]] {
    let long = try context.fetchCount(
      FetchDescriptor<Track>(predicate: #Predicate { $0.milliseconds > 1_200_000 }))
    #expect(try context.fetchCount(Track.where { $0.milliseconds > 1_200_000 }) == long)
    let unsold = try context.fetchCount(
      FetchDescriptor<Track>(predicate: #Predicate { $0.lines.isEmpty }))
    #expect(try context.fetchCount(Track.where { $0.lines.isEmpty }) == unsold)
    let empty = try context.fetchCount(Track.where { $0.composer == "" })
    #expect(
      try context.fetchCount(
        FetchDescriptor<Track>(predicate: #Predicate { $0.composer == "" })) == empty)
    let chiefs = try context.fetch(
      FetchDescriptor<Employee>(predicate: #Predicate { $0.manager == nil }))
    let start = Chinook.date(["d": "2024-01-01T00:00:00"], "d")
    let end = Chinook.date(["d": "2025-01-01T00:00:00"], "d")
    let invoices = try context.fetch(
      FetchDescriptor<Invoice>(
        predicate: #Predicate { $0.date >= start && $0.date < end }))
    let total = invoices.reduce(Decimal(0)) { $0 + $1.total }
    return [
      "tracksLongerThan20Minutes": [["\(long)"]],
      "neverSold": [["\(unsold)"]],
      "tracksWithEmptyComposer": [["\(empty)"]],
      "employeesWithoutManager": chiefs.map { [$0.lastName] },
      "invoiceTotal2024": [
        ["\(invoices.count)", "\(total)"]
      ],
    ]
  }

  private func lists() throws -> [String: [[String]]] {
    let albums = try context.fetch(
      FetchDescriptor<Album>(
        predicate: #Predicate { $0.artist?.name == "Deep Purple" },
        sortBy: [SortDescriptor(\.title)]))
    let same = try context.fetch(
      Album.where { $0.artist.name == "Deep Purple" }.sorted(by: \.title))
    #expect(albums == same)
    let names = ["Jazz", "Blues"]
    let page = try context.fetch(
      Track.where { $0.genre.name.isIn(names) }
        .sorted(by: \.milliseconds, .reverse).sorted(by: \.number).offset(20).limit(10))
    let countries = Set(try context.fetch(Invoice.all).map(\.country)).sorted()
    let longest = try #require(
      try context.fetch(Track.all.sorted(by: \.milliseconds, .reverse).limit(1)).first)
    return [
      "albumsOfDeepPurple": albums.map { [$0.title] },
      "tracksInTwoGenresPage3": page.map { ["\($0.number)"] },
      "distinctBillingCountries": countries.map { [$0] },
      "genreOfLongestTrack": [[longest.genre?.name ?? "", longest.name]],
    ]
  }

  private func relations() throws -> [String: [[String]]] {
    var counts: [String: Int] = [:]
    for artist in try context.fetch(FetchDescriptor<Artist>()) {
      counts[artist.name, default: 0] += artist.albums.reduce(0) { $0 + $1.tracks.count }
    }
    let best = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
    let support = try #require(
      try context.fetch(FetchDescriptor<Employee>(predicate: #Predicate { $0.number == 3 })).first)
    let boss = try #require(try context.fetch(Employee.where { $0.number == 2 }).first)
    let playlists = try context.fetch(
      FetchDescriptor<Playlist>(
        predicate: #Predicate { $0.tracks.contains { $0.number == 1 } },
        sortBy: [SortDescriptor(\.number)]))
    let track = try #require(try context.fetch(Track.where { $0.number == 1 }).first)
    #expect(Set(track.playlists.map(\.number)) == Set(playlists.map(\.number)))
    return [
      "tracksByArtist": best.map { [$0.key, "\($0.value)"] },
      "customersSupportedBy3": support.customers.map(\.lastName)
        .sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }.map { [$0] },
      "reportsOfEmployee2": boss.reports.map(\.firstName).sorted().map { [$0] },
      "playlistsHoldingTrack1": playlists.map { [$0.name] },
    ]
  }
}
