internal import Synchronization

/// What the program asked of the library before it used it; fixed from the first use on.
struct ModulePolicy: Sendable {
  /// Whether what FIPS 140-3 doesn't list is refused.
  var isApprovedOnly = false
  /// The fastest code that may serve.
  var limit = CryptoBackend.vaes512
  /// The self test whose answer is falsified: for tests of what a failure does.
  var falsified: String?

  private struct Draft: Sendable {
    var policy = ModulePolicy()
    var isFixed = false
  }

  private static let draft = Mutex(Draft())

  /// The policy in force, which nothing changes any more.
  static let current: ModulePolicy = draft.withLock { draft in
    draft.isFixed = true
    return draft.policy
  }

  /// Changes the policy.
  ///
  /// - Throws: `.alreadyInUse` where that would come too late.
  static func change(_ body: @Sendable (inout ModulePolicy) -> Void) throws(CryptoError) {
    let isLate = draft.withLock { draft in
      if !draft.isFixed { body(&draft.policy) }
      return draft.isFixed
    }
    if isLate {
      throw CryptoError(
        .alreadyInUse, "the cryptography is in use; choose how it works before its first use")
    }
  }
}
