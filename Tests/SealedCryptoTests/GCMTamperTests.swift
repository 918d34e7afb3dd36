import SealedCrypto
import TestSupport
import Testing

/// What was changed does not open, and a failed opening leaves no plaintext.
@Suite struct GCMTamperTests {
  private let nonce = [UInt8](0..<12)

  @Test(arguments: CryptoBackend.available)
  func everyFlippedBitIsNoticed(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 1)
    let cipher = try GCMHarness(key: random.bytes(32), backend: backend)
    for count in [0, 1, 15, 16, 100, 300] {
      let (text, aad) = (random.bytes(count), random.bytes(20))
      let sealed = try cipher.seal(text, nonce: nonce, aad: aad)
      for bit in 0..<128 {
        let tag = flipped(sealed.tag, bit)
        expectRefusal(cipher, sealed.text, nonce, aad, tag)
      }
      for bit in 0..<8 * count {
        expectRefusal(cipher, flipped(sealed.text, bit), nonce, aad, sealed.tag)
      }
      for bit in 0..<8 * aad.count {
        expectRefusal(cipher, sealed.text, nonce, flipped(aad, bit), sealed.tag)
      }
      for bit in 0..<96 {
        expectRefusal(cipher, sealed.text, flipped(nonce, bit), aad, sealed.tag)
      }
    }
  }

  @Test(arguments: CryptoBackend.available)
  func anotherLengthIsNoticed(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 2)
    let cipher = try GCMHarness(key: random.bytes(32), backend: backend)
    let (text, aad) = (random.bytes(200), random.bytes(20))
    let sealed = try cipher.seal(text, nonce: nonce, aad: aad)
    for count in 0..<200 {
      expectRefusal(cipher, Array(sealed.text.prefix(count)), nonce, aad, sealed.tag)
    }
    expectRefusal(cipher, sealed.text + [0], nonce, aad, sealed.tag)
    expectRefusal(cipher, sealed.text, nonce, aad + [0], sealed.tag)
    expectRefusal(cipher, sealed.text, nonce, Array(aad.dropLast()), sealed.tag)
  }

  /// In place the ciphertext itself is gone; what must not be there is the text.
  @Test(arguments: CryptoBackend.available)
  func aFailedOpeningInPlaceLeavesZeros(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 6)
    let cipher = try GCMHarness(key: random.bytes(32), backend: backend)
    for count in [1, 15, 16, 127, 128, 129, 256, 300, 511, 512, 2047, 2048, 5000] {
      let text = random.bytes(count)
      let sealed = try cipher.seal(text, nonce: nonce, aad: [])
      let tag = flipped(sealed.tag, count % 128)
      var buffer = sealed.text
      do {
        try cipher.openInPlace(&buffer, nonce: nonce, tag: tag)
        Issue.record("opened \(count) bytes")
      } catch let error as CryptoError { #expect(error.code == .authenticationFailure) }
      let isWiped = buffer.allSatisfy { $0 == 0 }
      #expect(isWiped, "\(count) bytes")
    }
  }

  @Test func sizesThatDoNotFitAreRefused() throws {
    let cipher = try GCMHarness(key: [UInt8](repeating: 1, count: 32), backend: .best)
    #expect(throws: CryptoError.self) { try cipher.seal([1], nonce: [], aad: []) }
    #expect(throws: CryptoError.self) {
      try cipher.open([1], nonce: nonce, aad: [], tag: [UInt8](repeating: 0, count: 15))
    }
    var short: [UInt8] = []
    #expect(throws: CryptoError.self) {
      try cipher.open(
        [1], nonce: nonce, aad: [], tag: [UInt8](repeating: 0, count: 16), into: &short)
    }
    #expect(throws: CryptoError.self) { try GCMHarness(key: [1, 2], backend: .best) }
  }

  private func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }

  private func expectRefusal(
    _ cipher: GCMHarness, _ text: [UInt8], _ nonce: [UInt8], _ aad: [UInt8], _ tag: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var output = [UInt8](repeating: 0xee, count: text.count)
    do {
      try cipher.open(text, nonce: nonce, aad: aad, tag: tag, into: &output)
      Issue.record("opened", sourceLocation: sourceLocation)
    } catch let error as CryptoError {
      if error.code != .authenticationFailure || !output.allSatisfy({ $0 == 0 }) {
        Issue.record("\(error), output wiped: \(output)", sourceLocation: sourceLocation)
      }
    } catch { Issue.record(error, sourceLocation: sourceLocation) }
  }
}
