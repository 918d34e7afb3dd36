import Foundation
import SealedModel
import Synchronization
import Testing

actor Importer: ModelActor {
  let modelExecutor: ModelExecutor
  init(_ container: ModelContainer) { modelExecutor = ModelExecutor(container) }
  func insert(_ count: Int) throws -> [PersistentIdentifier] {
    let notes = (0..<count).map { i in
      let note = Note(title: "imported \(i)")
      note.days = i
      return note
    }
    for note in notes { modelContext.insert(note) }
    try modelContext.save()
    return notes.map(\.persistentModelID)
  }
  func title(_ id: PersistentIdentifier) -> String? { self[id, as: Note.self]?.title }
  func leak() throws -> Leak? {
    try modelContext.model(for: insert(1)[0], as: Note.self).map { Leak($0) }
  }
  func fetch(_ descriptor: FetchDescriptor<Note>) throws -> Int {
    try modelContext.fetch(descriptor).count
  }
}
/// Code that gets round the compiler, as code in Swift 5 mode would.
struct Leak: @unchecked Sendable { let note: Note; init(_ note: Note) { self.note = note } }
let reports = Mutex<[String]>([])

@Test("Model actors work, and use outside a context's owner is reported") func concurrency()
  async throws
{
  let box = try TestContainer([Note.self, Folder.self])
  defer { box.end() }
  let container = box.container
  let importer = Importer(container)
  let ids = try await importer.insert(3)
  let title = await importer.title(ids[1])
  check(title == "imported 1", "\(title ?? "-")")
  let descriptor = FetchDescriptor<Note>(
    predicate: #Predicate { $0.title.contains("2") }, sortBy: [SortDescriptor(\.title)])
  let found = try await importer.fetch(descriptor)  // a descriptor crosses
  check(found == 1, "fetch in actor")
  let context = ModelContext(container)
  check((context.model(for: ids[0]) as? Note)?.title == "imported 0", "other context")

  unsafe ModelContext.checksIsolation = true
  unsafe ModelContext.isolationFailure = { message in reports.withLock { $0.append(message) } }
  let leak = try #require(try await importer.leak())
  check(reports.withLock { $0.isEmpty }, "inside the actor: \(reports.withLock { $0 })")
  _ = leak.note.title
  check(reports.withLock { $0.count } == 1, "a leaked object: \(reports.withLock { $0 })")
  leak.note.title = "x"
  check(reports.withLock { $0.count } >= 2, "a leaked object, set")
  let main = try #require(await container.makeMainContext2(ids[0]))
  reports.withLock { $0 = [] }
  await Task.detached { _ = main.note.title }.value
  check(
    reports.withLock { $0.first?.contains("main") } == true,
    "main context: \(reports.withLock { $0 })")
  unsafe ModelContext.checksIsolation = false
}
extension ModelContainer {
  @MainActor func makeMainContext2(_ id: PersistentIdentifier) -> Leak? {
    (kept.model(self, id)).map { Leak($0) }
  }
}
@MainActor enum kept {
  static var context: ModelContext?
  static func model(_ container: ModelContainer, _ id: PersistentIdentifier) -> Note? {
    let context = container.makeMainContext()
    self.context = context
    return context.model(for: id, as: Note.self)
  }
}
