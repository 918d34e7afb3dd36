import Foundation
import SealedStore
import TestSupport
import Testing

/// The README's block of code, line by line.
private enum ReadmeBlock {
  final class Folder: Model {
    struct Properties: ModelProperties {
      let name = Attribute<String>("name", .unique)
      let notes = ToMany<Note>("notes", inverse: \.folder, deleteRule: .cascade)
    }
  }

  final class Note: Model {
    struct Properties: ModelProperties {
      let title = Attribute<String>("title")
      let createdAt = Attribute<Date>("createdAt", .indexed)
      let folder = ToOne<Folder>("folder")
    }
  }

  static func run(_ url: URL, cutoff: Date) throws -> [Note] {
    let configuration = try SecureModelConfiguration(
      name: "Notes", models: [Note.self, Folder.self], storeURL: url,
      unlock: .passphrase("a long passphrase"))
    let container = try SecureModelContainer.create(configuration)
    let context = ModelContext(container)
    let note = Note()
    note.title = "First"
    note.createdAt = .now
    context.insert(note)
    try context.save()

    let recent = try context.fetch(
      Note.where { $0.createdAt > cutoff && $0.folder.name == "Inbox" }
        .sorted(by: \.createdAt, .reverse).limit(50))
    #expect(try context.fetchCount(Note.all) == 1)
    try container.close()
    return recent
  }
}

@Suite struct ReadmeBlockTests {
  @Test func theBlockRuns() throws {
    let directory = try TemporaryDirectory()
    let recent = try ReadmeBlock.run(
      directory.url.appendingPathComponent("Notes.store"),
      cutoff: Date(timeIntervalSinceReferenceDate: 0))
    // The note is in no folder.
    #expect(recent.isEmpty)
  }

  @Test func theReadmeShowsWhatIsCompiledHere() throws {
    let here = URL(fileURLWithPath: #filePath)
    let readme = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let block = try #require(
      text.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "```").first)
    let compiled = Set(
      try String(contentsOf: here, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    for line in block.split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      #expect(line.isEmpty || compiled.contains(line), "only in the README: \(line)")
    }
  }
}
