/// The code that serves AES, GHASH and SHA-256.
package enum CryptoBackend: String, CaseIterable, Sendable {
  /// Constant-time code for any processor.
  case portable

  /// Whether this processor has what the backend needs.
  package var isAvailable: Bool { true }

  /// Those that this processor can run, the slowest first.
  package static var available: [CryptoBackend] { allCases.filter(\.isAvailable) }

  /// The fastest.
  package static let best: CryptoBackend = available.last ?? .portable
}
