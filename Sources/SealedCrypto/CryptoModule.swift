/// The state of the library's cryptography: whether its self tests passed, and what serves it.
///
/// This is no validated module; SECURITY.md says what that means.
public enum CryptoModule {
  /// Run once, before the first use of anything.
  private static let failure: String? = SelfTest.run()

  /// What the library works with; runs the self tests if they haven't been.
  public static var status: Status {
    Status(failure: failure, backend: .best, isApprovedOnly: ModulePolicy.current.isApprovedOnly)
  }

  /// Refuses, from now on, what FIPS 140-3 doesn't list: BLAKE2b and Argon2id throw `.notApproved`.
  ///
  /// - Throws: `.alreadyInUse` once anything else of the library was used, unless this was already
  ///   asked for.
  public static func requireApprovedOnly() throws(CryptoError) {
    do throws(CryptoError) {
      try ModulePolicy.change { $0.isApprovedOnly = true }
    } catch {
      guard ModulePolicy.current.isApprovedOnly else { throw error }
    }
  }

  /// Keeps the library from faster code than the given level: to measure it, or to test what other
  /// processors run.
  ///
  /// - Throws: `.alreadyInUse` once anything else of the library was used.
  public static func limitBackend(to limit: CryptoBackend) throws(CryptoError) {
    try ModulePolicy.change { $0.limit = limit }
  }

  /// The self tests that run on this processor, in their order.
  package static var selfTestNames: [String] { SelfTest.all.map(\.name) }

  /// Makes the self test of that name fail.
  ///
  /// - Throws: `.alreadyInUse`.
  package static func falsifySelfTest(_ name: String) throws(CryptoError) {
    try ModulePolicy.change { $0.falsified = name }
  }

  @inline(__always)
  static func checkOpen() throws(CryptoError) {
    if let failure { throw closed(failure) }
  }

  /// The same for an algorithm that FIPS 140-3 doesn't list.
  static func checkOpen(unapproved name: String) throws(CryptoError) {
    try checkOpen()
    guard !ModulePolicy.current.isApprovedOnly else {
      throw CryptoError(.notApproved, "\(name) is no approved algorithm, and only those are served")
    }
  }

  private static func closed(_ failure: String) -> CryptoError {
    CryptoError(.selfTestFailed, "the self test of \(failure) failed; nothing is served")
  }
}
