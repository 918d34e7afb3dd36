import Foundation
import SealedStore
import TestSupport
import Testing

let testKey = SecretBytes([UInt8](repeating: 7, count: 32))

/// A container over `Test.store` in a directory.
func openContainer(
  _ directory: TemporaryDirectory, _ models: [any PersistentModel.Type]
) throws -> ModelContainer {
  try SecureModelContainer.create(
    SecureModelConfiguration(
      name: "Test", models: models, storeURL: directory.url.appendingPathComponent("Test.store"),
      unlock: .rawKey(testKey)))
}

/// Expects a `StoreError` of a code, with the words given in its message.
func expectError(
  _ code: StoreError.Code, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("no error; expected \(code)", sourceLocation: sourceLocation)
  } catch let error as StoreError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for word in words {
      #expect(
        error.description.contains(word), "\(error) lacks \(word)", sourceLocation: sourceLocation)
    }
  } catch {
    Issue.record("\(error) is no StoreError", sourceLocation: sourceLocation)
  }
}

/// Every file below a directory with its bytes.
func contents(of directory: URL) throws -> [String: Data] {
  var result: [String: Data] = [:]
  for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
    let url = directory.appendingPathComponent(path)
    if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      result[path] = try Data(contentsOf: url)
    }
  }
  return result
}
