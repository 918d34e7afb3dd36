import BenchmarkSupport
import Foundation
import SealedCrypto
import SealedLog
import SealedModel
import SealedStore

/// SealedStore's objects, through contexts as an app uses them.
final class SealedObjectEngine: ObjectEngine {
  private let container: ModelContainer
  private var text: NoteText { .shared }
  private var folders: [PersistentIdentifier] = []
  private var notes: [PersistentIdentifier] = []
  private let durability = Durability.deferred(within: .seconds(1))

  let version = Versions.product
  let settingsText: String

  init(directory: String, cache: Int) throws {
    let configuration = try SecureModelConfiguration(
      name: "bench", models: [BenchFolder.self, BenchNote.self],
      storeURL: URL(fileURLWithPath: directory + "/store"),
      unlock: .rawKey(SecretBytes([UInt8](repeating: 7, count: 32))))
    configuration.cacheLimit = cache
    container = try SecureModelContainer.create(configuration)
    settingsText =
      "AES-256-GCM (\(CryptoModule.status.kernel)), raw key, cache \(Figures.bytes(cache)), "
      + "saves deferred within 1 s"
  }

  /// Inserting goes on in one context, which keeps the folders, as an import would.
  private lazy var importing = ModelContext(container)
  private var importedFolders: [BenchFolder] = []

  func insertFolders(_ count: Int) throws {
    for number in 0..<count {
      let folder = BenchFolder()
      folder.name = "Folder \(number)"
      importing.insert(folder)
      importedFolders.append(folder)
    }
    try importing.save(durability: durability)
  }

  func insertNotes(_ notes: Range<Int>, folderCount: Int) throws {
    for number in notes {
      let note = BenchNote()
      note.title = text.title(number)
      note.body = text.body(number)
      note.created = Date(timeIntervalSinceReferenceDate: NoteFigures.created(number))
      note.priority = NoteFigures.priority(number)
      note.flag = NoteFigures.flag(number)
      importing.insert(note)
      note.folder = importedFolders[NoteFigures.folder(number, of: folderCount)]
    }
    try importing.save(durability: durability)
  }

  func prepareAccess() throws {
    let context = ModelContext(container)
    folders = try context.fetchIdentifiers(BenchFolder.all)
    notes = try context.fetchIdentifiers(BenchNote.all)
  }

  private func note(_ number: UInt32, _ context: ModelContext) throws -> BenchNote {
    guard let note = context.model(for: notes[Int(number)], as: BenchNote.self) else {
      throw BenchmarkError("SealedStore has no note \(number)")
    }
    return note
  }

  func get(_ notes: ArraySlice<UInt32>, _ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    for number in notes {
      let note = try note(number, context)
      values.take(note.title)
      values.take(note.body)
    }
  }

  func fetchAll(_ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    for note in try context.fetch(BenchNote.all) {
      values.take(note.title)
      values.take(note.created.timeIntervalSinceReferenceDate)
    }
  }

  func fetchSorted(priority: Int, _ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    let query = BenchNote.where { $0.priority == priority }.sorted(by: \.created).limit(50)
    for note in try context.fetch(query) {
      values.take(note.title)
      values.take(note.created.timeIntervalSinceReferenceDate)
    }
  }

  func fetch(titleContaining word: String, _ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    for note in try context.fetch(BenchNote.where { $0.title.contains(word) }) {
      values.take(note.title)
    }
  }

  func countFlagged() throws -> Int {
    try ModelContext(container).fetchCount(BenchNote.where { $0.flag == true })
  }

  func children(ofFolder folder: Int, _ title: (String) -> Void) throws {
    let context = ModelContext(container)
    guard let folder = context.model(for: folders[folder], as: BenchFolder.self) else {
      throw BenchmarkError("SealedStore has no folder \(folder)")
    }
    for note in folder.notes { title(note.title) }
  }

  func update(_ notes: ArraySlice<UInt32>, version: Int) throws {
    let context = ModelContext(container)
    for number in notes {
      try note(number, context).title = text.title(Int(number), version: version)
    }
    try context.save(durability: durability)
  }

  func delete(_ notes: ArraySlice<UInt32>) throws {
    let context = ModelContext(container)
    for number in notes { context.delete(try note(number, context)) }
    try context.save(durability: durability)
  }

  func first(_ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    guard let note = try context.fetch(BenchNote.all.limit(1)).first else { return }
    values.take(note.title)
  }

  func enumerate(_ values: inout ValueChecksum) throws {
    let context = ModelContext(container)
    var sums = values
    try context.enumerate(BenchNote.all) { sums.take($0.title) }
    values = sums
  }

  func compact() throws { try container.logStore.compact() }

  func close() throws { try container.close() }

  static func isLog(_ name: String) -> Bool { SealedEngine.isLog(name) }
}
