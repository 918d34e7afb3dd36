/// An expanded AES key, for single blocks; zeroed when the last reference goes.
@safe package final class AESKey: @unchecked Sendable {
  // Written in init alone.
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  private let slab: SecretSlab
  let rounds: Int

  /// Expands a key of 16 or 32 bytes.
  package init(
    _ key: UnsafeRawBufferPointer, slab: SecretSlab = .shared
  ) throws(CryptoError) {
    guard key.count == 16 || key.count == 32 else {
      throw CryptoError(.invalidParameter, "an AES key has 16 or 32 bytes, not \(key.count)")
    }
    rounds = key.count / 4 + 6
    let sliced = unsafe BitslicedAES.keyWords(rounds: rounds)
    wordCount = sliced + 2 * (rounds + 1)
    self.slab = slab
    unsafe words = slab.allocate(8 * wordCount).bindMemory(to: UInt64.self, capacity: wordCount)
    unsafe BitslicedAES.expand(key, into: words, plain: words + sliced)
  }

  deinit {
    unsafe slab.release(words, 8 * wordCount)
  }

  /// Whether the expanded key is still there: not so in a forked child.
  var isIntact: Bool { unsafe SecretSlab.isIntact(words, 8 * wordCount) }

  /// The round keys as the standard has them, 16 bytes each.
  var roundKeys: UnsafeRawPointer {
    unsafe UnsafeRawPointer(words + BitslicedAES.keyWords(rounds: rounds))
  }

  var cipher: BitslicedAES {
    unsafe BitslicedAES(roundKeys: UnsafePointer(words), rounds: rounds)
  }

  /// Encrypts one block in place.
  package func encrypt(_ block: UnsafeMutableRawPointer) {
    unsafe transform(block) { (cipher, state) in unsafe cipher.encrypt(&state) }
  }

  /// Decrypts one block in place.
  package func decrypt(_ block: UnsafeMutableRawPointer) {
    unsafe transform(block) { (cipher, state) in unsafe cipher.decrypt(&state) }
  }

  private func transform(
    _ block: UnsafeMutableRawPointer,
    _ body: (BitslicedAES, inout BitslicedAES.State) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { four in
      guard let base = four.baseAddress else { return }
      unsafe four.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe base.copyMemory(from: block, byteCount: 16)
      var state = unsafe BitslicedAES.load(base)
      unsafe body(cipher, &state)
      unsafe BitslicedAES.store(state, to: base)
      unsafe block.copyMemory(from: base, byteCount: 16)
      unsafe zeroize(four)
    }
  }
}
