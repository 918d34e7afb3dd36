import SealedCrypto
import TestSupport
import Testing

/// Messages in pieces are sealed as whole ones, and none opens that was changed.
@Suite struct GCMStreamTests {
  private struct Message {
    var key, nonce, aad, text: [UInt8]
    var pieces: [Int]

    init(_ random: inout SeededGenerator) {
      key = random.bytes(Bool.random(using: &random) ? 16 : 32)
      nonce = random.bytes(
        Bool.random(using: &random) ? 12 : Int.random(in: 1...40, using: &random))
      aad = random.bytes(Int.random(in: 0...70, using: &random))
      text = random.bytes(Int.random(in: 0...4000, using: &random))
      pieces = (0..<12).map { [random, text] _ in
        var random = random
        return Int.random(in: 0...max(1, text.count / 4), using: &random)
      }
    }

    /// The text's parts, the last one whatever is left.
    func parts(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
      var position = 0
      return (pieces + [text.count]).map { piece in
        let end = min(text.count, position + piece)
        defer { position = end }
        return text[position..<end]
      }
    }

    func cipher(_ backend: CryptoBackend) throws -> AESGCM {
      try unsafe key.withUnsafeBytes { try unsafe AESGCM(key: $0, backend: backend) }
    }
  }

  private func seal(
    _ message: Message, _ backend: CryptoBackend
  ) throws -> (text: [UInt8], tag: [UInt8]) {
    var stream = try message.cipher(backend)
      .sealingStream(nonce: message.nonce, aad: message.aad)
    var output: [UInt8] = []
    for part in message.parts(message.text) {
      var part = Array(part)
      try unsafe part.withUnsafeMutableBytes {
        try unsafe stream.update(UnsafeRawBufferPointer($0), into: $0)
      }
      output += part
    }
    return (output, try stream.finish())
  }

  private func open(
    _ message: Message, _ text: [UInt8], tag: [UInt8], again: [UInt8]? = nil,
    _ backend: CryptoBackend
  ) throws -> [UInt8] {
    var first = try message.cipher(backend)
      .verifyingStream(nonce: message.nonce, aad: message.aad)
    for part in message.parts(text) {
      try unsafe Array(part).withUnsafeBytes { try unsafe first.update($0) }
    }
    var second = try first.finish(tag: tag)
    var output: [UInt8] = []
    for part in message.parts(again ?? text) {
      var part = Array(part)
      try unsafe part.withUnsafeMutableBytes {
        try unsafe second.update(UnsafeRawBufferPointer($0), into: $0)
      }
      output += part
    }
    try second.finish()
    return output
  }

  @Test(arguments: CryptoBackend.available)
  func piecesAreSealedAsTheWhole(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 31)
    for index in 0..<150 {
      let message = Message(&random)
      let whole = try GCMHarness(key: message.key, backend: .portable)
        .seal(message.text, nonce: message.nonce, aad: message.aad)
      let sealed = try seal(message, backend)
      #expect(sealed.text == whole.text && sealed.tag == whole.tag, "seed 31, case \(index)")
      let opened = try open(message, sealed.text, tag: sealed.tag, backend)
      let isSame = opened == message.text
      #expect(isSame, "seed 31, case \(index)")
    }
  }

  @Test func whatWasChangedIsRefused() throws {
    var random = SeededGenerator(seed: 32)
    var message = Message(&random)
    message.text = random.bytes(100)
    let sealed = try seal(message, .best)
    for bit in 0..<128 {
      var tag = sealed.tag
      tag[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CryptoError.self) { try open(message, sealed.text, tag: tag, .best) }
    }
    for index in sealed.text.indices {
      var text = sealed.text
      text[index] ^= 1
      #expect(throws: CryptoError.self) { try open(message, text, tag: sealed.tag, .best) }
      // Changed between the passes.
      #expect(throws: CryptoError.self) {
        try open(message, sealed.text, tag: sealed.tag, again: text, .best)
      }
    }
    #expect(throws: CryptoError.self) {
      try open(message, sealed.text, tag: Array(sealed.tag.dropLast()), .best)
    }
  }

  @Test func aKeySealsNoMoreThanTheStandardAllows() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let gcm = try unsafe key.withUnsafeBytes {
      try unsafe AESGCM(
        key: $0, backend: .best, invocations: AESGCM.invocationLimit - 2)
    }
    let harness = GCMHarness(gcm: gcm)
    let nonce = [UInt8](repeating: 0, count: 12)
    let sealed = try harness.seal([1, 2, 3], nonce: nonce, aad: [])
    _ = try gcm.sealingStream(nonce: nonce, aad: [])
    for _ in 0..<2 {
      do {
        _ = try harness.seal([1], nonce: nonce, aad: [])
        Issue.record("sealed past the limit")
      } catch let error as CryptoError { #expect(error.code == .limitExceeded) }
      #expect(throws: CryptoError.self) { _ = try gcm.sealingStream(nonce: nonce, aad: []) }
    }
    // Opening has no such limit.
    #expect(try harness.open(sealed.text, nonce: nonce, aad: [], tag: sealed.tag) == [1, 2, 3])
  }
}
