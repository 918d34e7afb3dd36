/// The state of the library's cryptography: whether its self tests passed, and what serves it.
///
/// This is no validated module; SECURITY.md says what that means.
public enum CryptoModule {
  /// What the library works with.
  public struct Status: Sendable, Equatable {
    /// Whether the self tests passed; where they didn't, every call throws `.selfTestFailed`.
    public let isOpen: Bool
    /// The code that serves AES-GCM.
    public let kernel: String
    /// What failed, if anything did.
    public let failure: String?
  }

  /// Run once, before the first use of anything.
  private static let failure: String? = SelfTest.run()

  /// What the library works with; runs the self tests if they haven't been.
  public static var status: Status {
    Status(isOpen: failure == nil, kernel: CryptoBackend.best.rawValue, failure: failure)
  }

  static func checkOpen() throws(CryptoError) {
    if let failure {
      throw CryptoError(.selfTestFailed, "the self test of \(failure) failed; nothing is served")
    }
  }
}
