internal import SealedCryptoX86

/// A level of code that serves the library, the slowest first: each level uses the ones before it
/// for what it has nothing better for.
public enum CryptoBackend: Int, CaseIterable, Sendable, Comparable {
  /// Constant-time code for any processor.
  case portable
  /// AES-NI and PCLMULQDQ of x86-64, and its SHA extensions and AVX2 where it has them.
  case aesni
  /// The same, with VAES and VPCLMULQDQ at 256 bits for what is long enough.
  case vaes256
  /// The same, with VAES and VPCLMULQDQ at 512 bits for what is long enough.
  case vaes512

  /// Whether this processor, and the system for its wide registers, have what the level needs.
  public var isAvailable: Bool {
    #if arch(x86_64)
      switch self {
      case .portable: true
      case .aesni: X86Features.hasAES
      case .vaes256: X86Features.hasVAES256
      case .vaes512: X86Features.hasVAES512
      }
    #else
      self == .portable
    #endif
  }

  /// Those that this processor can run, the slowest first.
  public static var available: [CryptoBackend] { allCases.filter(\.isAvailable) }

  /// What serves the library: the fastest that is available and allowed.
  package static let best: CryptoBackend =
    available.last { $0 <= ModulePolicy.current.limit } ?? .portable

  public static func < (left: CryptoBackend, right: CryptoBackend) -> Bool {
    left.rawValue < right.rawValue
  }

  // MARK: What serves a primitive

  /// Whether SHA-256 runs on the SHA extensions.
  @inline(__always)
  var usesSHA: Bool {
    #if arch(x86_64)
      self != .portable && X86Features.hasSHA
    #else
      false
    #endif
  }

  /// Whether Argon2's compression runs on AVX2.
  @inline(__always)
  var usesAVX2: Bool {
    #if arch(x86_64)
      self != .portable && X86Features.hasAVX2
    #else
      false
    #endif
  }
}
