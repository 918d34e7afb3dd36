internal import Foundation
internal import SealedStore

/// `sealed tour`: the whole path on real data, every answer checked.
struct Tour {
  private static let passphrase = "correct horse battery staple"

  private let tables: ISOTables
  private let directory: URL
  private let keeps: Bool
  private let runtime = SecureRuntime()

  private var storeURL: URL { directory.appendingPathComponent("Tour.store") }
  private var vaultPath: String { directory.appendingPathComponent("Tour.vault").path }

  init(data: String?, keeps: Bool) throws {
    tables = try ISOTables(directory: ISOTables.directory(data))
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("sealed-tour-\(UUID().uuidString.lowercased())")
    self.keeps = keeps
  }

  func run() throws -> Tool.Exit {
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let faults: Int
    do {
      faults = try walk()
    } catch {
      try cleanUp()
      throw error
    }
    try cleanUp()
    Console.print(
      faults == 0 ? "\nAll is as it should be." : "\n\(faults) things are wrong, see above.")
    return faults == 0 ? .success : .failure
  }

  private func cleanUp() throws {
    if keeps {
      Console.print("\nThe store is kept in \(directory.path)")
      Console.print("Look at it with: sealed info \(storeURL.path) --vault \(vaultPath)")
      Console.print("The vault's passphrase: \(Self.passphrase)")
    } else {
      try FileManager.default.removeItem(at: directory)
    }
  }

  /// Each step gives the number of things that are wrong.
  private func walk() throws -> Int {
    var faults = 0
    Console.print("1. A vault, a container, and \(tables.rowCount) rows")
    Console.print("  AES-GCM by \(CryptoModule.status.kernel)")
    try runtime.activate(vault: vaultPath, passphrase: secret())
    let container = try open()
    try TourImport(context: ModelContext(container), tables: tables).run()
    Console.print("\n2. Questions, each compared with a plain loop over the JSON")
    faults += try ask(container, showsAnswers: true)
    try container.close()
    Console.print("\n3. Closed, and opened again from disk")
    let reopened = try open()
    faults += try ask(reopened, showsAnswers: false)
    faults += try lockAndUnlock(reopened)
    try reopened.close()
    Console.print("\n4. What is on disk")
    try StoreListing(path: storeURL.path).print()
    faults += try searchFiles()
    return faults
  }

  private func secret() -> SecretBytes { SecretBytes(Array(Self.passphrase.utf8)) }

  private func open() throws -> ModelContainer {
    let configuration = try SecureModelConfiguration(
      name: "Tour", models: TourImport.models, storeURL: storeURL,
      unlock: .runtime(runtime))
    return try SecureModelContainer.create(configuration)
  }

  // MARK: Questions

  private func ask(_ container: ModelContainer, showsAnswers: Bool) throws -> Int {
    let context = ModelContext(container)
    let clock = ContinuousClock()
    var wrong = 0
    var total = Duration.zero
    let questions = TourQuestions.all
    for question in questions {
      let start = clock.now
      let answer = try question.ask(context)
      let duration = clock.now - start
      total += duration
      let expected = question.expect(tables)
      if answer != expected { wrong += 1 }
      if showsAnswers || answer != expected {
        Console.print("  \(question.text)")
        Console.print("    \(Self.shortened(answer))")
        Console.print(
          answer == expected
            ? "    right, in \(Format.milliseconds(duration))"
            : "    WRONG, a plain loop gives \(Self.shortened(expected))")
      }
    }
    Console.print(
      "  \(questions.count - wrong) of \(questions.count) answers right, in "
        + Format.milliseconds(total))
    return wrong
  }

  private static func shortened(_ answer: [String]) -> String {
    let shown = answer.prefix(10).joined(separator: ", ")
    return answer.count > 10 ? "\(shown) … (\(answer.count))" : shown
  }

  // MARK: Locking

  private func lockAndUnlock(_ container: ModelContainer) throws -> Int {
    var faults = 0
    try runtime.lock()
    do {
      let count = try ModelContext(container).fetchCount(FetchDescriptor<Country>())
      Console.print("  WRONG: locked, and yet \(count) countries were counted")
      faults += 1
    } catch let error as StoreError where error.code == .locked {
      Console.print("  Locked; reading is refused: \(error)")
    }
    try runtime.authorize(vault: vaultPath, passphrase: secret())
    let count = try ModelContext(container).fetchCount(FetchDescriptor<Country>())
    let isRight = count == tables.countries.count
    Console.print("  Unlocked; \(count) countries are read\(isRight ? "" : ": WRONG")")
    return isRight ? faults : faults + 1
  }

  // MARK: Bytes on disk

  /// Looks for every name and code, and for the names of entities and properties.
  private func searchFiles() throws -> Int {
    var words = ["Country", "Subdivision", "Language", "Currency", "Script"]
    words += ["alpha2Code", "alpha3Code", "numericCode", "officialName", "isMacrolanguage"]
    words += ["subdivisions", "currencies", "children", "category"]
    words += tables.countries.flatMap { [$0.name, $0.official_name ?? "", $0.flag ?? ""] }
    words += tables.subdivisions.flatMap { [$0.name, $0.code, $0.type] }
    words += tables.languages.map(\.name) + tables.currencies.map(\.name)
    words += tables.scripts.map(\.name)
    let search = TourLeakSearch(words)
    // The search must find what is there: in the data's own files.
    let control = search.found(in: try Array(Data(contentsOf: tables.sample))).count
    guard control > 0 else {
      Console.print("  WRONG: the search finds no word even in \(tables.sample.path)")
      return 1
    }
    var faults = 0
    var byteCount: UInt64 = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted() {
      let url = directory.appendingPathComponent(name)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      let bytes = try Array(Data(contentsOf: url))
      byteCount += UInt64(bytes.count)
      let found = search.found(in: bytes)
      if !found.isEmpty {
        Console.print("  WRONG: \(name) holds \(Self.shortened(found)) in clear")
        faults += 1
      }
    }
    Console.print(
      "  Looked for \(search.count) names and codes (of \(TourLeakSearch.shortest) bytes and "
        + "more: shorter ones occur in random bytes) in \(Format.bytes(byteCount)): "
        + (faults == 0 ? "none is there" : "\(faults) files hold some")
        + "; \(control) in \(tables.sample.lastPathComponent)")
    return faults
  }
}
