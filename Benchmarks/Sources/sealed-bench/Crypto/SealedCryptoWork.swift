import BenchmarkSupport
import SealedCrypto

/// The product's side of the suite `crypto`.
enum SealedCryptoWork {
  static func work(_ kind: CryptoWorkload.Kind) throws -> TimedWork {
    switch kind {
    case .seal(let size): try seal(CryptoInput(size: size))
    case .open(let size): try open(CryptoInput(size: size))
    case .keySetup: keySetup(CryptoInput(size: 4096))
    case .sha256(let size): sha256(CryptoInput(size: size))
    case .pbkdf2(let rounds): pbkdf2(rounds)
    case .argon2id(let memoryKiB): argon2id(memoryKiB)
    case .selfTest: throw BenchmarkError("the self test is timed by itself")
    }
  }

  private static func seal(_ cipher: AESGCM, _ input: CryptoInput) throws {
    try cipher.seal(
      UnsafeRawBufferPointer(input.plaintext), into: input.ciphertext,
      nonce: UnsafeRawBufferPointer(input.nonce),
      aad: UnsafeRawBufferPointer(input.additionalData), tag: input.tag)
  }

  private static func open(_ cipher: AESGCM, _ input: CryptoInput) throws {
    try cipher.open(
      UnsafeRawBufferPointer(input.ciphertext), into: input.plaintext,
      nonce: UnsafeRawBufferPointer(input.nonce),
      aad: UnsafeRawBufferPointer(input.additionalData), tag: UnsafeRawBufferPointer(input.tag))
  }

  private static func seal(_ input: CryptoInput) throws -> TimedWork {
    let cipher = try AESGCM(key: UnsafeRawBufferPointer(input.key))
    return TimedWork { count in
      for _ in 0..<count {
        input.advanceNonce()
        try seal(cipher, input)
      }
    } outcome: {
      input.setNonce(1)
      try seal(cipher, input)
      return input.checksum(input.ciphertext)
    }
  }

  private static func open(_ input: CryptoInput) throws -> TimedWork {
    let cipher = try AESGCM(key: UnsafeRawBufferPointer(input.key))
    try seal(cipher, input)
    return TimedWork { count in
      for _ in 0..<count { try open(cipher, input) }
    } outcome: {
      input.checksum(input.plaintext)
    }
  }

  private static func keySetup(_ input: CryptoInput) -> TimedWork {
    TimedWork { count in
      for _ in 0..<count {
        input.advanceNonce()
        try seal(AESGCM(key: UnsafeRawBufferPointer(input.key)), input)
      }
    } outcome: {
      input.setNonce(1)
      try seal(AESGCM(key: UnsafeRawBufferPointer(input.key)), input)
      return input.checksum(input.ciphertext)
    }
  }

  private static func sha256(_ input: CryptoInput) -> TimedWork {
    let digest = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    return TimedWork { count in
      for _ in 0..<count {
        var hash = try SHA256()
        hash.update(UnsafeRawBufferPointer(input.plaintext))
        hash.finalize(into: digest.baseAddress!)
      }
    } outcome: {
      CryptoInput.checksum(UnsafeRawBufferPointer(digest))
    }
  }

  private static func pbkdf2(_ rounds: Int) -> TimedWork {
    let password = SecretBytes(DerivationInput.password)
    var derived: SecretBytes?
    return TimedWork { count in
      for _ in 0..<count {
        derived = try PBKDF2.deriveKey(
          password: password, salt: DerivationInput.salt, iterations: rounds, count: 32)
      }
    } outcome: {
      derived?.withUnsafeBytes { CryptoInput.checksum($0) } ?? 0
    }
  }

  private static func argon2id(_ memoryKiB: Int) -> TimedWork {
    let password = SecretBytes(DerivationInput.password)
    var derived: SecretBytes?
    return TimedWork { count in
      for _ in 0..<count {
        derived = try Argon2id.deriveKey(
          password: password, salt: DerivationInput.salt,
          parameters: .init(memoryKiB: memoryKiB, passes: DerivationInput.passes), count: 32)
      }
    } outcome: {
      derived?.withUnsafeBytes { CryptoInput.checksum($0) } ?? 0
    }
  }
}
