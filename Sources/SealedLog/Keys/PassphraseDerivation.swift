public import SealedCrypto

/// How a key slot's key comes from a passphrase. The slot stores it, so that opening does the same.
public struct PassphraseDerivation: Hashable, Sendable {
  enum Method: Hashable, Sendable {
    case pbkdf2(iterations: UInt32)
    case argon2id(passes: UInt32, memoryKiB: UInt32, lanes: UInt32)
  }

  let method: Method

  /// PBKDF2-HMAC-SHA-256 with as many rounds as this machine does in about a quarter of a second,
  /// and never fewer than 600,000.
  ///
  /// Measures the machine, which takes some hundredths of a second.
  ///
  /// - Throws: `.cryptography` where the self tests failed.
  public static func calibrated() throws(StoreError) -> PassphraseDerivation {
    let count = try withCrypto { () throws(CryptoError) in
      try PBKDF2.calibratedIterations(for: .milliseconds(250))
    }
    return PassphraseDerivation(method: .pbkdf2(iterations: UInt32(clamping: count)))
  }

  /// PBKDF2-HMAC-SHA-256.
  ///
  /// - Throws: `.invalidArgument` below 600,000 rounds, which OWASP asks for; `.limitExceeded` past
  ///   what opening takes by default.
  public static func pbkdf2(iterations: Int) throws(StoreError) -> PassphraseDerivation {
    guard iterations >= PBKDF2.recommendedIterations else {
      throw StoreError(
        .invalidArgument, "a passphrase takes \(PBKDF2.recommendedIterations) rounds at least")
    }
    return try PassphraseDerivation(unchecked: iterations).checked()
  }

  /// Argon2id (RFC 9106), by default with 64 MiB and three passes.
  ///
  /// - Throws: `.invalidArgument` for less than OWASP asks for (7 MiB and five passes, 9 and four,
  ///   12 and three, 19 and two, 46 and one), or no parameters of Argon2id; `.limitExceeded` past
  ///   what opening takes by default.
  public static func argon2id(
    _ parameters: Argon2id.Parameters = .standard
  ) throws(StoreError) -> PassphraseDerivation {
    let least = [(7, 5), (9, 4), (12, 3), (19, 2), (46, 1)]
    let isEnough = least.contains { memory, passes in
      parameters.memoryKiB >= memory * 1024 && parameters.passes >= passes
    }
    guard isEnough else {
      throw StoreError(
        .invalidArgument, "too little for a passphrase: take 64 MiB and three passes, say")
    }
    guard 1..<(1 << 24) ~= parameters.lanes, parameters.lanes <= parameters.memoryKiB / 8,
      let passes = UInt32(exactly: parameters.passes),
      let memory = UInt32(exactly: parameters.memoryKiB)
    else { throw StoreError(.invalidArgument, "no parameters that Argon2id takes") }
    let method = Method.argon2id(
      passes: passes, memoryKiB: memory, lanes: UInt32(parameters.lanes))
    return try PassphraseDerivation(method: method).checked()
  }

  /// PBKDF2 with any count: for tests that open stores in loops.
  package init(unchecked iterations: Int) {
    self.init(method: .pbkdf2(iterations: UInt32(clamping: iterations)))
  }

  init(method: Method) { self.method = method }

  private func checked() throws(StoreError) -> PassphraseDerivation {
    try KeyDerivationLimit.standard.check([self])
    return self
  }

  /// The key-encryption key.
  func key(
    passphrase: SecretBytes, salt: [UInt8]
  ) throws(StoreError) -> SecretBytes {
    try withCrypto { () throws(CryptoError) in
      switch method {
      case .pbkdf2(let iterations):
        try PBKDF2.deriveKey(
          password: passphrase, salt: salt, iterations: Int(iterations), count: 32)
      case .argon2id(let passes, let memoryKiB, let lanes):
        try Argon2id.deriveKey(
          password: passphrase, salt: salt,
          parameters: .init(
            memoryKiB: Int(memoryKiB), passes: Int(passes), lanes: Int(lanes)), count: 32)
      }
    }
  }
}
