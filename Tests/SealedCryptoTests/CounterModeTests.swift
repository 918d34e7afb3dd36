import SealedCrypto
import TestSupport
import Testing

/// Counter mode against NIST SP 800-38A, and its pieces against the whole.
@Suite struct CounterModeTests {
  private func crypt(
    _ text: [UInt8], key: [UInt8], counter: [UInt8], pieces: [Int] = [], backend: CryptoBackend
  ) throws -> [UInt8] {
    var stream = try AESCounterMode(key: SecretBytes(key), counter: counter, backend: backend)
    var output = text
    try unsafe output.withUnsafeMutableBytes { buffer in
      var position = 0
      for piece in pieces + [text.count] {
        let end = min(text.count, position + piece)
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[position..<end])
        try unsafe stream.crypt(UnsafeRawBufferPointer(part), into: part)
        position = end
      }
    }
    return output
  }

  private static let text = hex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
  private static let counter = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")

  /// SP 800-38A, F.5.1 and F.5.5.
  @Test(arguments: CryptoBackend.available)
  func theStandardsExamples(backend: CryptoBackend) throws {
    let short = try crypt(
      Self.text, key: hex("2b7e151628aed2a6abf7158809cf4f3c"), counter: Self.counter,
      backend: backend)
    #expect(
      short
        == hex(
          "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
            + "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"))
    let long = try crypt(
      Self.text, key: hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
      counter: Self.counter, backend: backend)
    #expect(
      long
        == hex(
          "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
            + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"))
  }

  @Test(arguments: CryptoBackend.available)
  func piecesGiveTheWholesKeyStream(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 21)
    for index in 0..<200 {
      let (key, text) = (random.bytes(32), random.bytes(Int.random(in: 0...3000, using: &random)))
      var counter = random.bytes(16)
      // Often the last 32, 64 or all bits are about to run over.
      if index % 4 > 0 {
        for place in (16 - [4, 8, 16][index % 4 - 1])..<16 { counter[place] = 0xff }
        counter[15] = 0xf0
      }
      let pieces = (0..<10).map { _ in Int.random(in: 0...400, using: &random) }
      let whole = try crypt(text, key: key, counter: counter, backend: .portable)
      let made = try crypt(text, key: key, counter: counter, pieces: pieces, backend: backend)
      let isSame = made == whole
      #expect(isSame, "seed 21, case \(index): \(text.count) bytes in \(pieces)")
    }
  }

  @Test(arguments: CryptoBackend.available)
  func theCounterCarriesThroughAllBits(backend: CryptoBackend) throws {
    let key = [UInt8](repeating: 3, count: 32)
    let zeros = [UInt8](repeating: 0, count: 16 * 40)
    let all = [UInt8](repeating: 0xff, count: 16)
    let made = try crypt(zeros, key: key, counter: all, backend: backend)
    let start = [UInt8](repeating: 0, count: 16)
    let behind = try crypt(Array(zeros.dropLast(16)), key: key, counter: start, backend: backend)
    #expect(Array(made.dropFirst(16)) == behind)
  }

  @Test func whatIsNoCounterIsRefused() throws {
    #expect(throws: CryptoError.self) {
      try crypt([1], key: [UInt8](repeating: 0, count: 32), counter: [1], backend: .best)
    }
    #expect(throws: CryptoError.self) {
      try crypt([1], key: [1, 2], counter: Self.counter, backend: .best)
    }
  }
}
