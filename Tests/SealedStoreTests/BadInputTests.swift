import Foundation
import SealedStore
import TestSupport
import Testing

// Models that contradict themselves or each other.
enum Wrong {
  final class Lonely: Model {
    struct Properties: ModelProperties {
      let stranger = ToOne<Stranger>("stranger")
    }
  }
  final class Stranger: Model {
    struct Properties: ModelProperties { let name = Attribute<String>("name") }
  }
  final class TwiceNamed: Model {
    struct Properties: ModelProperties {
      let first = Attribute<Int>("same")
      let second = Attribute<Int>("same")
    }
  }
  final class Hidden: Model {
    struct Properties: ModelProperties { let id = Attribute<Int>("id") }
  }
  final class Odd: Model {
    struct Properties: ModelProperties {
      let name = Attribute<String>("name")
      let number = 7
    }
  }
  final class Left: Model {
    struct Properties: ModelProperties {
      let right = ToOne<Right>("right", inverse: \.third)
    }
  }
  final class Right: Model {
    struct Properties: ModelProperties { let third = ToMany<Stranger>("third") }
  }
  enum Other {
    final class Stranger: Model {
      struct Properties: ModelProperties { let name = Attribute<String>("name") }
    }
  }
}

@Suite struct BadInputTests {
  private struct Refusal: Error {}

  private func configuration(
    _ models: [any PersistentModel.Type], _ url: URL = URL(fileURLWithPath: "/tmp/none.store")
  ) throws -> SecureModelConfiguration {
    try SecureModelConfiguration(
      name: "Bad", models: models, storeURL: url, unlock: .rawKey(testKey))
  }

  // MARK: Models

  @Test func missingDestinationIsNamed() {
    expectError(.invalidSchema, "Lonely", "stranger", "Stranger") {
      _ = try configuration([Wrong.Lonely.self])
    }
  }

  @Test func everythingWrongIsNamedAtOnce() {
    expectError(
      .invalidSchema, "TwiceNamed.same", "Hidden.id", "Odd.number", "Left.right", "Stranger"
    ) {
      _ = try configuration([
        Wrong.TwiceNamed.self, Wrong.Hidden.self, Wrong.Odd.self, Wrong.Left.self,
        Wrong.Right.self, Wrong.Stranger.self, Wrong.Other.Stranger.self,
      ])
    }
  }

  @Test func noModelsAtAll() {
    expectError(.invalidSchema) { _ = try configuration([]) }
  }

  // MARK: Configuration and place

  @Test func configurationServesOnce() throws {
    let directory = try TemporaryDirectory()
    let used = try configuration(
      [Folder.self, Note.self], directory.url.appending(path: "A.store"))
    let container = try SecureModelContainer.create(used)
    expectError(.configurationAlreadyUsed, "Bad") { _ = try SecureModelContainer.create(used) }
    #expect(try ModelContext(container).fetchCount(Note.all) == 0)
    try container.close()
  }

  @Test func creationBeforeAuthorizationIsRefused() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "Locked.store")
    let isAuthorized = Flag()
    let waiting = try SecureModelConfiguration(
      name: "Waiting", models: [Folder.self, Note.self], storeURL: url,
      unlock: .credential(
        .runtime { _ in
          guard isAuthorized.value else { throw Refusal() }
          return SecretBytes([UInt8](repeating: 9, count: 32))
        }))
    expectError(.containerLocked) { _ = try SecureModelContainer.create(waiting) }
    isAuthorized.value = true
    try SecureModelContainer.create(waiting).close()
  }

  @Test func badPlacesAreNamedWithTheReason() throws {
    let directory = try TemporaryDirectory()
    let models: [any PersistentModel.Type] = [Folder.self, Note.self]
    func refused(_ url: URL, _ words: String) {
      expectError(.invalidStoreURL, url.isFileURL ? url.path : url.absoluteString, words) {
        _ = try SecureModelContainer.create(configuration(models, url))
      }
    }
    refused(directory.url.appending(path: "missing/A.store"), "no directory")
    refused(directory.url, "is a directory")
    if let url = URL(string: "https://example.com/A.store") { refused(url, "file URL") }
    let file = directory.url.appending(path: "file")
    try Data([1]).write(to: file)
    refused(file.appending(path: "A.store"), "no directory")
    #expect(try contents(of: directory.url).count == 1)
  }

  @Test func aDirectoryThatTakesNoFilesIsNamed() throws {
    let directory = try TemporaryDirectory()
    // Root may write where the mode forbids it, but nobody in the kernel's own tree.
    #if os(Linux)
      let url =
        geteuid() == 0
        ? URL(fileURLWithPath: "/sys/A.store") : directory.url.appending(path: "A.store")
    #else
      let url = directory.url.appending(path: "A.store")
    #endif
    try setMode(0o500, directory)
    defer { #expect(throws: Never.self) { try setMode(0o700, directory) } }
    expectError(.invalidStoreURL, url.path, "isn't writable") {
      _ = try SecureModelContainer.create(configuration([Folder.self, Note.self], url))
    }
  }

  private func setMode(_ mode: Int, _ directory: TemporaryDirectory) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: directory.url.path)
  }

  @Test func heldStoreNamesItsHolder() throws {
    let directory = try TemporaryDirectory()
    let first = try openContainer(directory, [Folder.self, Note.self])
    do {
      _ = try openContainer(directory, [Folder.self, Note.self])
      Issue.record("opened twice")
    } catch let error as StoreError {
      #expect(error.code == .storeInUse)
      #expect(error.processID == ProcessInfo.processInfo.processIdentifier)
    }
    let context = ModelContext(first)
    context.insert(Folder(name: "still here"))
    try context.save()
    try first.close()
  }

  @Test func wrongKeyForeignFileAndDamageTouchNothing() throws {
    let directory = try TemporaryDirectory()
    let container = try openContainer(directory, [Folder.self, Note.self])
    let context = ModelContext(container)
    context.insert(Folder(name: "kept"))
    try context.save()
    try container.close()
    let url = directory.url.appending(path: "Test.store")
    func create(_ unlock: StoreUnlocking, _ url: URL) throws {
      try SecureModelContainer.create(
        SecureModelConfiguration(
          name: "Bad", models: [Folder.self, Note.self], storeURL: url, unlock: unlock)
      ).close()
    }
    let before = try contents(of: directory.url)
    expectError(.wrongKey) {
      try create(.rawKey(SecretBytes([UInt8](repeating: 1, count: 32))), url)
    }
    #expect(try contents(of: directory.url) == before)

    let foreign = directory.url.appending(path: "foreign.store")
    try Data("not a store, but a text of some length".utf8).write(to: foreign)
    expectError(.notAStore) { try create(.rawKey(testKey), foreign) }
    try FileManager.default.removeItem(at: foreign)
    #expect(try contents(of: directory.url) == before)

    // Other models than those the store was made for.
    expectError(.schemaMismatch) { _ = try openContainer(directory, [Owner.self, Part.self]) }
    let again = try openContainer(directory, [Folder.self, Note.self])
    #expect(try ModelContext(again).fetchCount(Folder.where { $0.name == "kept" }) == 1)
    try again.close()
  }

  // MARK: Saves

  @Test func failedSavesNameTheCulpritAndChangeNothing() throws {
    let directory = try TemporaryDirectory()
    let container = try openContainer(directory, [Owner.self, Part.self])
    let context = ModelContext(container)
    let owner = Owner("first")
    context.insert(owner)
    try context.save()

    let nameless = Owner()
    context.insert(nameless)
    expectError(.validationFailed, "Owner", "name") { try context.save() }
    #expect(context.hasChanges)
    #expect(try ModelContext(container).fetchCount(Owner.all) == 1)
    nameless.name = "first"
    expectError(.uniqueConflict, "Owner", "name") { try context.save() }
    nameless.name = "second"
    try context.save()
    #expect(!context.hasChanges)

    let part = Part("held")
    owner.denied.append(part)
    try context.save()
    context.delete(owner)
    expectError(.deleteDenied, "Owner", "denied") { try context.save() }
    #expect(try ModelContext(container).fetchCount(Owner.all) == 2)
    context.rollback()
    #expect(!owner.isDeleted)
    #expect(owner.denied.count == 1)
    #expect(part.denier === owner)
    try container.close()
  }
}

/// A flag that closures may read on any thread.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var isSet = false
  var value: Bool {
    get { lock.withLock { isSet } }
    set { lock.withLock { isSet = newValue } }
  }
}
