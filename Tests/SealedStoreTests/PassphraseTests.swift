import Foundation
import SealedStore
import TestSupport
import Testing

@Suite struct PassphraseTests {
  private static let composed = "Gr\u{f6}\u{df}e"
  private static let decomposed = "Gro\u{308}\u{df}e"

  /// Composed and decomposed forms of a passphrase are the same passphrase, for stores and vaults.
  @Test func passphrasesAreNormalized() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("P.store")
    for passphrase in [Self.composed, Self.decomposed] {
      try SecureModelContainer.create(
        SecureModelConfiguration(
          name: "P", models: [Folder.self, Note.self], storeURL: url,
          unlock: .passphrase(passphrase))
      ).close()
    }
    let vault = directory.url.appendingPathComponent("vault")
    let runtime = SecureRuntime()
    try runtime.activate(vault: vault, passphrase: Self.composed)
    try runtime.lock()
    try runtime.authorize(vault: vault, passphrase: Self.decomposed)
    #expect(runtime.isAuthorized)
    if let url = URL(string: "https://example.com/vault") {
      expectError(.invalidStoreURL) { try runtime.authorize(vault: url, passphrase: "x") }
    }
  }
}
