import SealedCrypto
import Testing

/// The vectors of the NIST's algorithm validation programme, and of the RFCs in the same form.
@Suite struct NISTTests {
  static let blockFiles = [
    "GFSbox128", "GFSbox256", "KeySbox128", "KeySbox256", "MMT128", "MMT256", "VarKey128",
    "VarKey256", "VarTxt128", "VarTxt256",
  ]

  private func cases(_ name: String) throws -> [ResponseFile.Case]? {
    try VectorFiles.data(name).map { ResponseFile($0).cases }
  }

  /// Transforms whole blocks one by one.
  private func blocks(
    _ bytes: [UInt8], _ key: AESKey, encrypts: Bool, times: Int = 1
  ) -> [UInt8] {
    var bytes = bytes
    unsafe bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      for offset in stride(from: 0, to: raw.count, by: 16) {
        for _ in 0..<times {
          if encrypts {
            unsafe key.encrypt(base + offset)
          } else {
            unsafe key.decrypt(base + offset)
          }
        }
      }
    }
    return bytes
  }

  private func runBlocks(_ name: String, times: Int) throws {
    guard let cases = try cases(name) else { return }
    var ran = 0
    for test in cases where !test.bytes("key").isEmpty {
      ran += 1
      let key = try unsafe test.bytes("key").withUnsafeBytes { try unsafe AESKey($0) }
      let (plain, sealed) = (test.bytes("plaintext"), test.bytes("ciphertext"))
      let (input, output) = test.encrypts ? (plain, sealed) : (sealed, plain)
      let made = blocks(input, key, encrypts: test.encrypts, times: times)
      #expect(made == output, "\(test.fields)")
    }
    VectorFiles.report(name, ran: ran)
    #expect(ran > 0)
  }

  @Test(arguments: blockFiles) func knownBlocks(file: String) throws {
    try runBlocks("nist/ecb/ECB\(file).rsp", times: 1)
  }

  @Test(arguments: ["128", "256"]) func blocksAThousandTimes(size: String) throws {
    try runBlocks("nist/mct/ECBMCT\(size).rsp", times: 1000)
  }

  @Test(arguments: CryptoBackend.available)
  func gcm(backend: CryptoBackend) throws {
    let name = "nist/gcm/gcmDecrypt256.rsp"
    guard let cases = try cases(name) else { return }
    var ran = 0
    for test in cases where test.fields["count"] != nil {
      ran += 1
      let cipher = try GCMHarness(key: test.bytes("key"), backend: backend)
      let (nonce, aad) = (test.bytes("iv"), test.bytes("aad"))
      let (sealed, tag) = (test.bytes("ct"), test.bytes("tag"))
      // Shorter tags are not offered: the case's is compared with the beginning of ours.
      let made = try whole(sealed, cipher, nonce: nonce, aad: aad)
      #expect(made.tag.starts(with: tag) != test.fails, "\(test.fields)")
      if !test.fails { #expect(made.text == test.bytes("pt"), "\(test.fields)") }
      guard tag.count == 16 else { continue }
      if test.fails {
        #expect(throws: CryptoError.self) {
          try cipher.open(sealed, nonce: nonce, aad: aad, tag: tag)
        }
      } else {
        let opened = try cipher.open(sealed, nonce: nonce, aad: aad, tag: tag)
        #expect(opened == test.bytes("pt"))
      }
    }
    VectorFiles.report("\(name) (\(backend))", ran: ran)
    #expect(ran > 0)
  }

  /// The text behind a ciphertext, and the tag of 16 bytes that goes with it.
  private func whole(
    _ sealed: [UInt8], _ cipher: GCMHarness, nonce: [UInt8], aad: [UInt8]
  ) throws -> (text: [UInt8], tag: [UInt8]) {
    // Zeros are sealed to the key stream.
    let zeros = [UInt8](repeating: 0, count: sealed.count)
    let stream = try cipher.seal(zeros, nonce: nonce, aad: aad).text
    let text = zip(sealed, stream).map { $0 ^ $1 }
    let made = try cipher.seal(text, nonce: nonce, aad: aad)
    #expect(made.text == sealed)
    return (text, made.tag)
  }

  @Test(arguments: ["nist/sha/SHA256ShortMsg.rsp", "nist/sha/SHA256LongMsg.rsp"])
  func messages(name: String) throws {
    guard let cases = try cases(name) else { return }
    for backend in CryptoBackend.available {
      var ran = 0
      for test in cases {
        guard let bits = test.number("len") else { continue }
        ran += 1
        let message = Array(test.bytes("msg").prefix(bits / 8))
        #expect(digest(message, backend) == test.bytes("md"), "\(bits) bits")
      }
      VectorFiles.report("\(name) (\(backend))", ran: ran)
      #expect(ran > 0)
    }
  }

  private func digest(_ message: [UInt8], _ backend: CryptoBackend) -> [UInt8] {
    var hash = SHA256(backend: backend)
    hash.update(message)
    return hash.finalize()
  }

  @Test(arguments: CryptoBackend.available)
  func digestsOfDigests(backend: CryptoBackend) throws {
    let name = "nist/sha/SHA256Monte.rsp"
    guard let cases = try cases(name) else { return }
    var ran = 0
    var seed = cases.lazy.map { $0.bytes("seed") }.first { !$0.isEmpty } ?? []
    for test in cases where test.fields["count"] != nil {
      ran += 1
      var last = [seed, seed, seed]
      for _ in 0..<1000 {
        last = [last[1], last[2], digest(last[0] + last[1] + last[2], backend)]
      }
      seed = last[2]
      #expect(seed == test.bytes("md"))
    }
    VectorFiles.report("\(name) (\(backend))", ran: ran)
    #expect(ran > 0)
  }

  @Test func hmac() throws {
    let name = "rfc/rfc-4231-sha256.txt"
    guard let cases = try cases(name) else { return }
    var ran = 0
    for test in cases where test.fields["md"] != nil {
      ran += 1
      let code = try HMACSHA256.authenticationCode(
        for: test.bytes("msg"), key: SecretBytes(test.bytes("key")))
      #expect(code == test.bytes("md"))
    }
    VectorFiles.report(name, ran: ran)
    #expect(ran > 0)
  }

  @Test func hkdf() throws {
    let name = "rfc/rfc-5869-HKDF-SHA256.txt"
    guard let cases = try cases(name) else { return }
    var ran = 0
    // Some cases have an empty line between what goes in and what comes out.
    var fields: [String: String] = [:]
    for part in cases {
      fields.merge(part.fields) { _, new in new }
      guard part.fields["okm"] != nil else { continue }
      let test = ResponseFile.Case(fields: fields)
      ran += 1
      let key = try HKDF.extract(
        salt: test.bytes("salt"), inputKey: SecretBytes(test.bytes("ikm")))
      #expect(key == SecretBytes(test.bytes("prk")))
      let output = try HKDF.expand(
        pseudorandomKey: key, info: test.bytes("info"), count: test.number("l") ?? 0)
      #expect(output == SecretBytes(test.bytes("okm")))
    }
    VectorFiles.report(name, ran: ran)
    #expect(ran > 0)
  }
}
