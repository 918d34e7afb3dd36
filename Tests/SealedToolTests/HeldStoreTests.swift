import Foundation
import SealedStore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A store that another process has open.
@Suite struct HeldStoreTests {
  private static let keyBytes = [UInt8](repeating: 7, count: 32)
  private let directory: TemporaryDirectory
  private var storeURL: URL { directory.url.appendingPathComponent("Held.store") }

  init() throws { directory = try TemporaryDirectory() }

  private func create() throws -> ModelContainer {
    try SecureModelContainer.create(
      SecureModelConfiguration(
        name: "Held", models: [Parcel.self, Item.self], storeURL: storeURL,
        unlock: .rawKey(SecretBytes(Self.keyBytes))))
  }

  @Test func containerAndToolNameTheProcessThatHoldsIt() throws {
    let holder = Process()
    holder.executableURL = Bundle.main.bundleURL.appendingPathComponent("KillWriter")
    holder.arguments = [storeURL.path, "0"]
    let pipe = Pipe()
    holder.standardOutput = pipe
    try holder.run()
    try #require(!pipe.fileHandleForReading.availableData.isEmpty, "no save was acknowledged")
    let id = holder.processIdentifier
    // Stopped, it holds the store and fills no pipe.
    kill(id, SIGSTOP)
    defer {
      kill(id, SIGKILL)
      holder.waitUntilExit()
    }

    do {
      _ = try create()
      Issue.record("opened a store that another process holds")
    } catch let error as StoreError {
      #expect(error.code == .storeInUse && error.processID == id, "\(error)")
    }
    let keyFile = directory.path("key")
    try Data(Self.keyBytes).write(to: URL(fileURLWithPath: keyFile))
    for command in ["info", "verify"] {
      let result = try ToolProcess(
        [command, storeURL.path, "--key-file", keyFile], in: directory.url)
      #expect(result.status != 0, "\(command)")
      #expect(result.errors.contains("\(id)"), "\(command): \(result.errors)")
    }
  }

  @Test func aDeadProcessHoldsNothing() throws {
    let holder = Process()
    holder.executableURL = Bundle.main.bundleURL.appendingPathComponent("KillWriter")
    holder.arguments = [storeURL.path, "0"]
    let pipe = Pipe()
    holder.standardOutput = pipe
    try holder.run()
    try #require(!pipe.fileHandleForReading.availableData.isEmpty, "no save was acknowledged")
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    let container = try create()
    #expect(try ModelContext(container).fetchCount(Parcel.all) > 0)
    try container.close()
  }
}
