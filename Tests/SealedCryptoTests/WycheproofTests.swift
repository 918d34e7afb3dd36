import SealedCrypto
import Testing

/// Project Wycheproof: the cases that implementations got wrong before.
@Suite struct WycheproofTests {
  @Test(arguments: CryptoBackend.available)
  func gcm(backend: CryptoBackend) throws {
    let name = "wycheproof/aes_gcm_test.json"
    guard let cases = try WycheproofFile.cases(name) else { return }
    var ran = 0
    var skipped = 0
    for test in cases {
      let key = hex(test.key ?? "")
      guard key.count == 16 || key.count == 32 else {
        skipped += 1
        continue
      }
      ran += 1
      let cipher = try GCMHarness(key: key, backend: backend)
      let (nonce, aad) = (hex(test.iv ?? ""), hex(test.aad ?? ""))
      let (message, text) = (hex(test.msg ?? ""), hex(test.ct ?? ""))
      let tag = hex(test.tag ?? "")
      if test.result == .valid {
        let sealed = try cipher.seal(message, nonce: nonce, aad: aad)
        #expect(sealed.text == text && sealed.tag == tag, "case \(test.tcId)")
        #expect(try cipher.open(text, nonce: nonce, aad: aad, tag: tag) == message)
      } else {
        #expect(throws: CryptoError.self, "case \(test.tcId)") {
          try cipher.open(text, nonce: nonce, aad: aad, tag: tag)
        }
      }
    }
    VectorFiles.report("\(name) (\(backend))", ran: ran, skipped: skipped)
    #expect(ran > 0)
  }

  @Test func keyWrap() throws {
    try runKeyWrap("wycheproof/aes_wrap_test.json", padded: false)
  }

  @Test func paddedKeyWrap() throws {
    try runKeyWrap("wycheproof/aes_kwp_test.json", padded: true)
  }

  private func runKeyWrap(_ name: String, padded: Bool) throws {
    guard let cases = try WycheproofFile.cases(name) else { return }
    var ran = 0
    var skipped = 0
    for test in cases {
      let key = SecretBytes(hex(test.key ?? ""))
      guard key.count == 16 || key.count == 32 else {
        skipped += 1
        continue
      }
      ran += 1
      let message = SecretBytes(hex(test.msg ?? ""))
      let wrapped = hex(test.ct ?? "")
      let made =
        try? padded
        ? AESKeyWrap.wrapPadded(message, with: key) : AESKeyWrap.wrap(message, with: key)
      let back =
        try? padded
        ? AESKeyWrap.unwrapPadded(wrapped, with: key) : AESKeyWrap.unwrap(wrapped, with: key)
      switch test.result {
      case .valid:
        #expect(made == wrapped, "case \(test.tcId)")
        #expect(back == message, "case \(test.tcId)")
      case .invalid: #expect(back == nil, "case \(test.tcId)")
      case .acceptable: #expect(back == nil || back == message, "case \(test.tcId)")
      }
    }
    VectorFiles.report(name, ran: ran, skipped: skipped)
    #expect(ran > 0)
  }

  @Test func hkdf() throws {
    let name = "wycheproof/hkdf_sha256_test.json"
    guard let cases = try WycheproofFile.cases(name) else { return }
    for test in cases {
      let key = try HKDF.extract(
        salt: hex(test.salt ?? ""), inputKey: SecretBytes(hex(test.ikm ?? "")))
      let output = try? HKDF.expand(
        pseudorandomKey: key, info: hex(test.info ?? ""), count: test.size ?? 0)
      if test.result == .valid {
        #expect(output == SecretBytes(hex(test.okm ?? "")), "case \(test.tcId)")
      } else {
        #expect(output == nil, "case \(test.tcId)")
      }
    }
    VectorFiles.report(name, ran: cases.count)
    #expect(!cases.isEmpty)
  }

  @Test func hmac() throws {
    let name = "wycheproof/hmac_sha256_test.json"
    guard let cases = try WycheproofFile.cases(name) else { return }
    for test in cases {
      let code = try HMACSHA256.authenticationCode(
        for: hex(test.msg ?? ""), key: SecretBytes(hex(test.key ?? "")))
      let tag = hex(test.tag ?? "")
      // Some groups carry a shortened code.
      let fits = !tag.isEmpty && code.starts(with: tag)
      #expect(fits == (test.result == .valid), "case \(test.tcId)")
    }
    VectorFiles.report(name, ran: cases.count)
    #expect(!cases.isEmpty)
  }

  @Test func pbkdf2() throws {
    let name = "wycheproof/pbkdf2_hmacsha256_test.json"
    guard let cases = try WycheproofFile.cases(name) else { return }
    for test in cases {
      let key = try PBKDF2.deriveKey(
        password: SecretBytes(hex(test.password ?? "")), salt: hex(test.salt ?? ""),
        iterations: test.iterationCount ?? 0, count: test.dkLen ?? 0)
      #expect(key == SecretBytes(hex(test.dk ?? "")), "case \(test.tcId)")
    }
    VectorFiles.report(name, ran: cases.count)
    #expect(!cases.isEmpty)
  }
}
