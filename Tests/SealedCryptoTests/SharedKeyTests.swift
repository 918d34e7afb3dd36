import Dispatch
import SealedCrypto
import Synchronization
import TestSupport
import Testing

/// One expanded key, and the memory for secrets, used by many threads at once.
@Suite struct SharedKeyTests {
  private static let key = (0..<32).map { UInt8($0) }

  @Test(arguments: CryptoBackend.available)
  func aKeySealsAndOpensOnManyThreads(backend: CryptoBackend) throws {
    let harness = try GCMHarness(key: Self.key, backend: backend)
    var random = SeededGenerator(seed: 51)
    let (text, aad) = (random.bytes(2500), random.bytes(30))
    let nonces = (0..<64).map { _ in random.bytes(12) }
    let expected = try nonces.map { try harness.seal(text, nonce: $0, aad: aad) }
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      do {
        let sealed = try harness.seal(text, nonce: nonces[index], aad: aad)
        let opened = try harness.open(
          sealed.text, nonce: nonces[index], aad: aad, tag: sealed.tag)
        let isRight = sealed.text == expected[index].text && sealed.tag == expected[index].tag
        if !isRight || opened != text { wrong.add(1, ordering: .relaxed) }
      } catch { wrong.add(1, ordering: .relaxed) }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }

  @Test func secretsComeAndGoOnManyThreads() {
    let slab = SecretSlab()
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      var held: [(SecretBytes, [UInt8])] = []
      for _ in 0..<400 {
        let bytes = random.bytes(Int.random(in: 0...300, using: &random))
        held.append((SecretBytes(bytes), bytes))
        let cell = unsafe slab.allocate(bytes.count)
        let isZero = unsafe UnsafeRawBufferPointer(start: cell, count: bytes.count)
          .allSatisfy { $0 == 0 }
        if !isZero { wrong.add(1, ordering: .relaxed) }
        unsafe cell.initializeMemory(as: UInt8.self, repeating: 0xff, count: bytes.count)
        unsafe slab.release(cell, bytes.count)
        if held.count > 20 {
          let (secret, copy) = held.remove(at: Int.random(in: 0..<20, using: &random))
          if secret != SecretBytes(copy) { wrong.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }
}
