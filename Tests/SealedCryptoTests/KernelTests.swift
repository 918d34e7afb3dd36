import SealedCrypto
import TestSupport
import Testing

/// Every kernel gives what the portable code gives.
@Suite struct KernelTests {
  private static let kernels = CryptoBackend.available.filter { $0 != .portable }

  /// Memory at a chosen distance from a boundary of 64 bytes, with a guard pattern around it.
  @safe private struct Room: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int, offset: Int) {
      unsafe memory = .allocate(byteCount: count + 128, alignment: 64)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0xa5)
      unsafe bytes = UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + count])
    }

    init(_ content: [UInt8], offset: Int) {
      self.init(count: content.count, offset: offset)
      unsafe bytes.copyBytes(from: content)
    }

    /// Whether nothing was written beside the bytes.
    var isIntact: Bool {
      guard let start = unsafe memory.baseAddress, let first = unsafe bytes.baseAddress else {
        return false
      }
      let offset = unsafe first - start
      let end = unsafe offset + bytes.count
      let before = unsafe memory[..<offset].allSatisfy { $0 == 0xa5 }
      let behind = unsafe memory[end...].allSatisfy { $0 == 0xa5 }
      return before && behind
    }

    deinit { unsafe memory.deallocate() }
  }

  /// How often random sizes are tried; the short ones are all tried anyway.
  private static let randomCases = LongTests.areEnabled ? 1_000_000 : 1500

  @Test(arguments: kernels)
  func gcmEqualsThePortableCode(backend: CryptoBackend) throws {
    var random = SeededGenerator(seed: 3)
    for index in 0..<800 + Self.randomCases {
      let count = index < 800 ? index : Int.random(in: 0...5000, using: &random)
      try check(backend, count: count, &random, "seed 3, case \(index)")
    }
    // Lengths that end just before, at and behind a group of each kernel, far in.
    for count in 16_380...16_390 { try check(backend, count: count, &random, "seed 3, far") }
    print("\(backend): \(800 + Self.randomCases + 11) cases equal the portable code's")
  }

  private func check(
    _ backend: CryptoBackend, count: Int, _ random: inout SeededGenerator, _ name: String
  ) throws {
    let key = random.bytes(Bool.random(using: &random) ? 32 : 16)
    let nonceCount =
      Int.random(in: 0..<8, using: &random) == 0
      ? Int.random(in: 1...300, using: &random) : 12
    let nonce = random.bytes(nonceCount)
    let aadCount =
      Int.random(in: 0..<4, using: &random) == 0
      ? Int.random(in: 0...700, using: &random) : Int.random(in: 0...40, using: &random)
    let (text, aad) = (random.bytes(count), random.bytes(aadCount))
    let expected = try GCMHarness(key: key, backend: .portable).seal(text, nonce: nonce, aad: aad)
    let gcm = try GCMHarness(key: key, backend: backend).gcm

    let isApart = Bool.random(using: &random)
    let source = Room(text, offset: Int.random(in: 0..<64, using: &random))
    let target = Room(count: count, offset: Int.random(in: 0..<64, using: &random))
    let extra = Room(aad, offset: Int.random(in: 0..<64, using: &random))
    let tag = Room(count: 16, offset: Int.random(in: 0..<64, using: &random))
    let output = unsafe isApart ? target.bytes : source.bytes
    try unsafe nonce.withUnsafeBytes { nonce in
      try unsafe gcm.seal(
        UnsafeRawBufferPointer(source.bytes), into: output, nonce: nonce,
        aad: UnsafeRawBufferPointer(extra.bytes), tag: tag.bytes)
    }
    let context: Comment =
      "\(name): \(count) bytes, \(aadCount) of additional data, apart: \(isApart)"
    unsafe #expect(Array(output) == expected.text, context)
    unsafe #expect(Array(tag.bytes) == expected.tag, context)
    // Back to where it came from, in place or apart.
    try unsafe nonce.withUnsafeBytes { nonce in
      try unsafe gcm.open(
        UnsafeRawBufferPointer(output), into: source.bytes, nonce: nonce,
        aad: UnsafeRawBufferPointer(extra.bytes), tag: UnsafeRawBufferPointer(tag.bytes))
    }
    unsafe #expect(Array(source.bytes) == text, context)
    #expect(source.isIntact && target.isIntact && tag.isIntact && extra.isIntact, context)
  }

  @Test(arguments: kernels)
  func hashEqualsThePortableCode(backend: CryptoBackend) {
    var random = SeededGenerator(seed: 5)
    for count in 0..<1200 {
      let bytes = random.bytes(count)
      var expected = SHA256(backend: .portable)
      expected.update(bytes)
      var hash = SHA256(backend: backend)
      // In two pieces, so that blocks are put together as well.
      let cut = Int.random(in: 0...count, using: &random)
      hash.update(Array(bytes[..<cut]))
      hash.update(Array(bytes[cut...]))
      #expect(hash.finalize() == expected.finalize(), "\(count) bytes")
    }
  }
}
