internal import SealedCryptoX86

/// The code that serves AES, GHASH and SHA-256.
package enum CryptoBackend: String, CaseIterable, Sendable {
  /// Constant-time code for any processor.
  case portable
  /// AES-NI and PCLMULQDQ of x86-64, and its SHA extensions where it has them.
  case x86 = "AES-NI"
  /// The same, with VAES and VPCLMULQDQ at 512 bits for what is long enough.
  case x86Wide = "VAES"

  /// Whether this processor has what the backend needs.
  package var isAvailable: Bool {
    #if arch(x86_64)
      switch self {
      case .portable: true
      case .x86: X86Features.hasAES
      case .x86Wide: X86Features.hasWide
      }
    #else
      self == .portable
    #endif
  }

  /// Those that this processor can run, the slowest first.
  package static var available: [CryptoBackend] { allCases.filter(\.isAvailable) }

  /// The fastest.
  package static let best: CryptoBackend = available.last ?? .portable
}
