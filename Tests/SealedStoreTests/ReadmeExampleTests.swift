import Foundation
import SealedStore
import TestSupport
import Testing

// A longer form of the README's example, which `ReadmeBlockTests` has word for word.
final class Folder: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .unique)
    let notes = ToMany<Note>("notes", inverse: \.folder, deleteRule: .cascade)
  }
  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

final class Note: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title")
    let body = Attribute<String>("body", default: "")
    let createdAt = Attribute<Date>("createdAt", .indexed)
    let scan = Attribute<Data?>("scan", .externalStorage)
    let folder = ToOne<Folder>("folder")
  }
  static let indexes: [IndexDefinition<Properties>] = [.index(\.folder, \.createdAt)]
  convenience init(title: String, createdAt: Date = .now) {
    self.init()
    self.title = title
    self.createdAt = createdAt
  }
}

@Suite struct ReadmeExampleTests {
  @Test func theExampleWorks() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("Notes.store")
    let configuration = try SecureModelConfiguration(
      name: "Notes", models: [Note.self, Folder.self], storeURL: url,
      unlock: .passphrase("a long passphrase"))
    configuration.relationshipPrefetchDepth = 2
    let container = try SecureModelContainer.create(configuration)
    let context = ModelContext(container)
    let inbox = Folder(name: "Inbox")
    context.insert(inbox)
    let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    for day in 0..<10 {
      let note = Note(
        title: "Day \(day)", createdAt: start.addingTimeInterval(Double(day) * 86_400))
      note.folder = inbox
    }
    context.insert(Note(title: "Without folder", createdAt: start.addingTimeInterval(1e7)))
    try context.save()

    let cutoff = start.addingTimeInterval(3.5 * 86_400)
    let recent = try context.fetch(
      FetchDescriptor<Note>(
        predicate: #Predicate { $0.createdAt > cutoff && $0.folder?.name == "Inbox" },
        sortBy: [SortDescriptor(\.createdAt, order: .reverse)]))
    let same = try context.fetch(
      Note.where { $0.createdAt > cutoff && $0.folder.name == "Inbox" }
        .sorted(by: \.createdAt, .reverse).limit(50))
    #expect(recent.map(\.title) == ["Day 9", "Day 8", "Day 7", "Day 6", "Day 5", "Day 4"])
    #expect(same == recent)
    #expect(inbox.notes.count == 10)

    try container.close()
    let reopened = try SecureModelContainer.create(
      SecureModelConfiguration(
        name: "Notes", models: [Note.self, Folder.self], storeURL: url,
        unlock: .passphrase("a long passphrase")))
    let folder = try #require(
      ModelContext(reopened).fetch(Folder.where { $0.name == "Inbox" }).first)
    #expect(folder.notes.isEmpty)  // its context is gone: nothing is read, nothing traps
    let second = ModelContext(reopened)
    let again = try #require(second.fetch(Folder.where { $0.name == "Inbox" }).first)
    #expect(again.notes.map(\.title) == (0..<10).map { "Day \($0)" })
    try reopened.close()
  }
}
