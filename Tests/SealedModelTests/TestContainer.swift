import Foundation
import SealedCrypto
import SealedLog
import SealedModel
import TestSupport
import Testing

/// A container in a directory of its own, which goes with it.
final class TestContainer {
  let directory: TemporaryDirectory
  let models: [any PersistentModel.Type]
  private(set) var container: ModelContainer
  private static let key = SecretBytes([UInt8](repeating: 7, count: 32))

  init(_ models: [any PersistentModel.Type]) throws {
    self.models = models
    directory = try TemporaryDirectory()
    container = try Self.open(directory, models)
  }

  private static func open(
    _ directory: TemporaryDirectory, _ models: [any PersistentModel.Type]
  ) throws -> ModelContainer {
    let store = try LogStore.open(path: directory.path("Test.store"), unlock: .rawKey(key))
    return try ModelContainer(models, store: store)
  }

  var context: ModelContext { ModelContext(container) }

  func reopen(_ models: [any PersistentModel.Type]? = nil) throws {
    try container.close()
    container = try Self.open(directory, models ?? self.models)
  }

  func unlock() throws { try container.unlock(.rawKey(Self.key)) }

  /// Closes the store; called at a test's end it also keeps the directory until then.
  func end() {
    do { try container.close() } catch { Issue.record("closing: \(error)") }
  }
}

func check(
  _ condition: Bool, _ text: @autoclosure () -> String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(condition, "\(text())", sourceLocation: sourceLocation)
}

func sample(_ context: ModelContext) throws -> (notes: [Note], folders: [Folder]) {
  let root = Folder(name: "Root")
  let inbox = Folder(name: "Inbox")
  let archive = Folder(name: "Archive")
  inbox.parent = root
  inbox.rank = 1
  archive.parent = inbox
  var notes: [Note] = []
  for i in 0..<60 {
    let note = Note(
      title: ["Émile", "alpha", "Beta", "gamma ray", "ALPHA two"][i % 5],
      createdAt: Date(timeIntervalSinceReferenceDate: Double(i * 1000)))
    note.days = i
    note.rating = i % 4 == 0 ? nil : i % 7
    note.status = [.draft, .open, .done][i % 3]
    note.priority = i % 5 == 0 ? nil : [.low, .normal, .high][i % 3]
    note.tags = i % 2 == 0 ? ["even", "n\(i)"] : ["odd"]
    note.flag = i % 6 == 0
    note.price = Decimal(i)
    note.address.street = i % 2 == 0 ? "Main" : "Side"
    note.folder = [nil, inbox, archive, root][i % 4]
    context.insert(note)
    notes.append(note)
  }
  for folder in [root, inbox, archive] { context.insert(folder) }
  try context.save()
  return (notes, [root, inbox, archive])
}
