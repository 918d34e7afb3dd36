import BenchmarkSupport
import CPeers

/// OpenSSL's side of the suite `crypto`: its EVP interface, contexts and fetched algorithms kept.
final class OpenSSLWork {
  private let api: openssl_api
  private let cipher: OpaquePointer
  private let digest: OpaquePointer

  init() throws {
    var api = openssl_api()
    if let problem = openssl_api_load("libcrypto.so.3", &api) {
      throw BenchmarkError("OpenSSL: \(String(cString: problem)); run Benchmarks/setup")
    }
    self.api = api
    guard let cipher = api.EVP_CIPHER_fetch(nil, "AES-256-GCM", nil),
      let digest = api.EVP_MD_fetch(nil, "SHA256", nil)
    else { throw BenchmarkError("OpenSSL lacks AES-256-GCM or SHA-256") }
    self.cipher = cipher
    self.digest = digest
  }

  var version: String { String(cString: api.OpenSSL_version(OPENSSL_VERSION)!) }

  func work(_ kind: CryptoWorkload.Kind) throws -> TimedWork {
    switch kind {
    case .seal(let size): try seal(CryptoInput(size: size))
    case .open(let size): try open(CryptoInput(size: size))
    case .keySetup: keySetup(CryptoInput(size: 4096))
    case .sha256(let size): try sha256(CryptoInput(size: size))
    case .pbkdf2(let rounds): pbkdf2(rounds)
    case .selfTest, .argon2id: throw BenchmarkError("OpenSSL \(version) has nothing to compare")
    }
  }

  private func check(_ code: CInt) throws {
    if code != 1 { throw BenchmarkError("a call to OpenSSL failed") }
  }

  private func context(_ input: CryptoInput, encrypting: Bool) throws -> OpaquePointer {
    guard let context = api.EVP_CIPHER_CTX_new() else {
      throw BenchmarkError("OpenSSL gave no context")
    }
    let key = input.key.baseAddress!.assumingMemoryBound(to: UInt8.self)
    try check(
      encrypting
        ? api.EVP_EncryptInit_ex(context, cipher, nil, key, nil)
        : api.EVP_DecryptInit_ex(context, cipher, nil, key, nil))
    return context
  }

  private func seal(_ context: OpaquePointer, _ input: CryptoInput) throws {
    var count: CInt = 0
    try check(api.EVP_EncryptInit_ex(context, nil, nil, nil, input.nonce.bytes))
    try check(
      api.EVP_EncryptUpdate(
        context, nil, &count, input.additionalData.bytes, CInt(input.additionalData.count)))
    try check(
      api.EVP_EncryptUpdate(
        context, input.ciphertext.bytes, &count, input.plaintext.bytes,
        CInt(input.plaintext.count)))
    try check(api.EVP_EncryptFinal_ex(context, input.ciphertext.bytes, &count))
    try check(
      api.EVP_CIPHER_CTX_ctrl(
        context, EVP_CTRL_AEAD_GET_TAG, CInt(CryptoInput.tagSize), input.tag.baseAddress))
  }

  private func open(_ context: OpaquePointer, _ input: CryptoInput) throws {
    var count: CInt = 0
    try check(api.EVP_DecryptInit_ex(context, nil, nil, nil, input.nonce.bytes))
    try check(
      api.EVP_DecryptUpdate(
        context, nil, &count, input.additionalData.bytes, CInt(input.additionalData.count)))
    try check(
      api.EVP_DecryptUpdate(
        context, input.plaintext.bytes, &count, input.ciphertext.bytes,
        CInt(input.ciphertext.count)))
    try check(
      api.EVP_CIPHER_CTX_ctrl(
        context, EVP_CTRL_AEAD_SET_TAG, CInt(CryptoInput.tagSize), input.tag.baseAddress))
    try check(api.EVP_DecryptFinal_ex(context, input.plaintext.bytes, &count))
  }

  private func seal(_ input: CryptoInput) throws -> TimedWork {
    let context = try context(input, encrypting: true)
    return TimedWork { [self] count in
      for _ in 0..<count {
        input.advanceNonce()
        try seal(context, input)
      }
    } outcome: { [self] in
      input.setNonce(1)
      try seal(context, input)
      return input.checksum(input.ciphertext)
    }
  }

  private func open(_ input: CryptoInput) throws -> TimedWork {
    try seal(context(input, encrypting: true), input)
    let context = try context(input, encrypting: false)
    return TimedWork { [self] count in
      for _ in 0..<count { try open(context, input) }
    } outcome: {
      input.checksum(input.plaintext)
    }
  }

  private func keySetup(_ input: CryptoInput) -> TimedWork {
    TimedWork { [self] count in
      for _ in 0..<count {
        input.advanceNonce()
        let context = try context(input, encrypting: true)
        try seal(context, input)
        api.EVP_CIPHER_CTX_free(context)
      }
    } outcome: { [self] in
      input.setNonce(1)
      let context = try context(input, encrypting: true)
      try seal(context, input)
      api.EVP_CIPHER_CTX_free(context)
      return input.checksum(input.ciphertext)
    }
  }

  private func sha256(_ input: CryptoInput) throws -> TimedWork {
    guard let context = api.EVP_MD_CTX_new() else {
      throw BenchmarkError("OpenSSL gave no context")
    }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    return TimedWork { [self] count in
      for _ in 0..<count {
        try check(api.EVP_DigestInit_ex(context, digest, nil))
        try check(
          api.EVP_DigestUpdate(context, input.plaintext.baseAddress, input.plaintext.count))
        try check(api.EVP_DigestFinal_ex(context, output.bytes, nil))
      }
    } outcome: {
      CryptoInput.checksum(UnsafeRawBufferPointer(output))
    }
  }

  private func pbkdf2(_ rounds: Int) -> TimedWork {
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    let password = DerivationInput.password.map { CChar(bitPattern: $0) }
    return TimedWork { [self] count in
      for _ in 0..<count {
        try check(
          api.PKCS5_PBKDF2_HMAC(
            password, CInt(password.count), DerivationInput.salt,
            CInt(DerivationInput.salt.count), CInt(rounds), digest, 32, output.bytes))
      }
    } outcome: {
      CryptoInput.checksum(UnsafeRawBufferPointer(output))
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The bytes as C's unsigned characters.
  fileprivate var bytes: UnsafeMutablePointer<UInt8>? {
    baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
}
