import Foundation
import SealedFiles
import SealedStore
import TestSupport
import Testing

/// A container under an authorization runtime.
@Suite struct RuntimeTests {
  private let directory: TemporaryDirectory
  private let runtime = SecureRuntime(fileSystem: PosixFileSystem(), iterations: 10)

  init() throws { directory = try TemporaryDirectory() }

  private var vault: String { directory.path("vault") }
  private var passphrase: SecretBytes { SecretBytes(Array("open sesame".utf8)) }

  final class Note: Model {
    struct Properties: ModelProperties { let title = Attribute<String>("title") }
  }

  private func configuration() throws -> SecureModelConfiguration {
    try SecureModelConfiguration(
      name: "Notes", models: [Note.self],
      storeURL: directory.url.appendingPathComponent("Notes.store"), unlock: .runtime(runtime))
  }

  @Test func noContainerBeforeAuthorization() throws {
    let configuration = try configuration()
    expectError(.containerLocked) { _ = try SecureModelContainer.create(configuration) }
    #expect(!FileManager.default.fileExists(atPath: configuration.storeURL.path))
    try runtime.activate(vault: vault, passphrase: passphrase)
    _ = try SecureModelContainer.create(configuration)
    #expect(try runtime.recordedStores() == [configuration.storeURL.path])
  }

  @Test func theRuntimesLockLocksTheContainer() throws {
    try runtime.activate(vault: vault, passphrase: passphrase)
    let container = try SecureModelContainer.create(try configuration())
    let context = ModelContext(container)
    let note = Note()
    note.title = "First"
    context.insert(note)
    try context.save()
    try runtime.lock()
    #expect(container.isLocked)
    expectError(.locked) { _ = try ModelContext(container).fetchCount(FetchDescriptor<Note>()) }
    try runtime.authorize(vault: vault, passphrase: passphrase)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 1)
    try container.close()
  }
}
