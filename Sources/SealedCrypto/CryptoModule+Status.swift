extension CryptoModule {
  /// What the library works with.
  public struct Status: Sendable, Equatable, CustomStringConvertible {
    /// A primitive, the code that serves it, and why that code.
    public struct Primitive: Sendable, Equatable {
      /// Its name, such as "AES-GCM".
      public let name: String
      /// The code that serves it, such as "VAES, 256 bits".
      public let kernel: String
      /// Why that code and no faster one.
      public let reason: String
    }

    /// Whether the self tests passed; where they didn't, every call throws `.selfTestFailed`.
    public var isOpen: Bool { failure == nil }
    /// What failed, if anything did.
    public let failure: String?
    /// Whether only what FIPS 140-3 lists is served. This is no validated module all the same.
    public let isApprovedOnly: Bool
    /// Every primitive.
    public let primitives: [Primitive]
    /// Bytes of pages for keys that are locked into memory now.
    public let lockedBytes: Int
    /// Bytes of pages for keys that the system would not lock (`RLIMIT_MEMLOCK`), and may swap.
    public let unlockedBytes: Int

    /// The code that serves AES-GCM.
    public var kernel: String { primitives.first { $0.name == "AES-GCM" }?.kernel ?? "none" }

    init(failure: String?, backend: CryptoBackend, isApprovedOnly: Bool) {
      self.failure = failure
      self.isApprovedOnly = isApprovedOnly
      lockedBytes = Pages.lockedCount
      unlockedBytes = Pages.unlockedCount
      primitives = Self.primitives(backend, isApprovedOnly: isApprovedOnly)
    }

    /// One line a primitive.
    public var description: String {
      let lines = primitives.map { "\($0.name): \($0.kernel) (\($0.reason))" }
      let state = failure.map { "closed: the self test of \($0) failed" } ?? "self tests passed"
      return ([state] + lines).joined(separator: "\n")
    }

    // MARK: Reasons

    private static func primitives(
      _ backend: CryptoBackend, isApprovedOnly: Bool
    ) -> [Primitive] {
      let hash = Primitive(
        name: "SHA-256", kernel: backend.usesSHA ? "SHA extensions" : "portable",
        reason: reason(
          backend, served: backend.usesSHA, has: "the processor has the SHA extensions",
          lacks: "the processor has no SHA extensions"))
      let argon = Primitive(
        name: "Argon2id",
        kernel: isApprovedOnly ? "refused" : backend.usesAVX2 ? "AVX2" : "portable",
        reason: isApprovedOnly
          ? "only approved algorithms were asked for"
          : reason(
            backend, served: backend.usesAVX2, has: "the processor has AVX2",
            lacks: "the processor has no AVX2"))
      return [
        Primitive(name: "AES-GCM", kernel: backend.name, reason: gcmReason(backend)), hash,
        Primitive(
          name: "AES key wrap", kernel: "portable", reason: "keys are too short to gain anything"),
        argon,
      ]
    }

    private static func gcmReason(_ backend: CryptoBackend) -> String {
      if let reason = limitReason(backend) { return reason }
      switch backend {
      case .portable: return "no kernel for this processor, or it lacks AES-NI and PCLMULQDQ"
      case .aesni: return "the processor has AES-NI and PCLMULQDQ, and no VAES"
      case .vaes256: return "the processor has VAES and VPCLMULQDQ, and no AVX-512"
      case .vaes512: return "the processor has VAES, VPCLMULQDQ and AVX-512"
      }
    }

    private static func reason(
      _ backend: CryptoBackend, served: Bool, has: String, lacks: String
    ) -> String {
      served ? has : limitReason(backend) ?? lacks
    }

    /// Where the program itself keeps the processor from doing better.
    private static func limitReason(_ backend: CryptoBackend) -> String? {
      let isHeldBack = CryptoBackend.available.contains { $0 > backend }
      return isHeldBack ? "the program limited the library to this" : nil
    }
  }
}

extension CryptoBackend {
  /// What a person calls it.
  package var name: String {
    switch self {
    case .portable: "portable"
    case .aesni: "AES-NI"
    case .vaes256: "VAES, 256 bits"
    case .vaes512: "VAES, 512 bits"
    }
  }
}
