/// GCM in portable code: an expanded key and its hash key, zeroed at the end.
///
/// Unchecked, as what it owns is written in `init` alone.
@safe final class PortableGCM: @unchecked Sendable {
  private let key: AESKey
  private let hashKey: SecretBytes

  init(_ key: UnsafeRawBufferPointer) throws(CryptoError) {
    self.key = try unsafe AESKey(key)
    hashKey = SecretBytes(count: 16)
    unsafe hashKey.withUnsafeMutableBytes { zero in
      if let base = zero.baseAddress { unsafe self.key.encrypt(base) }
    }
  }

  func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) {
    let counter = unsafe initialCounter(nonce)
    unsafe cryptCounter(plaintext, into: ciphertext, from: counter)
    let sum = unsafe checksum(
      aad: aad, ciphertext: UnsafeRawBufferPointer(ciphertext), counter: counter)
    unsafe tag.storeBytes(of: sum.high.bigEndian, as: UInt64.self)
    unsafe tag.storeBytes(of: sum.low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }

  func open(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
  ) -> Bool {
    let counter = unsafe initialCounter(nonce)
    let sum = unsafe checksum(aad: aad, ciphertext: ciphertext, counter: counter)
    let high = unsafe UInt64(bigEndian: tag.loadUnaligned(as: UInt64.self))
    let low = unsafe UInt64(bigEndian: tag.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    // One comparison of all 128 bits; nothing is decrypted before it holds.
    guard (sum.high ^ high) | (sum.low ^ low) == 0 else { return false }
    unsafe cryptCounter(ciphertext, into: plaintext, from: counter)
    return true
  }

  // MARK: Parts

  /// A counter block: 96 bits that stay and 32 that count.
  private struct Counter {
    var high: UInt64
    var middle: UInt32
    var count: UInt32
  }

  private func makeHash() -> PortableGHASH {
    unsafe hashKey.withUnsafeBytes { bytes in
      PortableGHASH(
        high: unsafe UInt64(bigEndian: bytes.load(as: UInt64.self)),
        low: unsafe UInt64(bigEndian: bytes.load(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// J0 of the standard: the nonce and a one, or the hash of a nonce of another length than 96 bits.
  private func initialCounter(_ nonce: UnsafeRawBufferPointer) -> Counter {
    if nonce.count == 12 {
      return unsafe Counter(
        high: UInt64(bigEndian: nonce.loadUnaligned(as: UInt64.self)),
        middle: UInt32(bigEndian: nonce.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
        count: 1)
    }
    var hash = makeHash()
    unsafe hash.update(nonce)
    hash.absorb(high: 0, low: UInt64(nonce.count) * 8)
    let value = hash.value
    return Counter(
      high: value.high, middle: UInt32(truncatingIfNeeded: value.low >> 32),
      count: UInt32(truncatingIfNeeded: value.low))
  }

  /// The tag: the hash of additional data, ciphertext and lengths, encrypted.
  private func checksum(
    aad: UnsafeRawBufferPointer, ciphertext: UnsafeRawBufferPointer, counter: Counter
  ) -> (high: UInt64, low: UInt64) {
    var hash = makeHash()
    unsafe hash.update(aad)
    unsafe hash.update(ciphertext)
    hash.absorb(high: UInt64(aad.count) * 8, low: UInt64(ciphertext.count) * 8)
    let value = hash.value
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
      guard let base = block.baseAddress else { return value }
      unsafe keystream(counter, at: base)
      let high = unsafe UInt64(bigEndian: base.load(as: UInt64.self))
      let low = unsafe UInt64(bigEndian: base.load(fromByteOffset: 8, as: UInt64.self))
      unsafe zeroize(block)
      return (value.high ^ high, value.low ^ low)
    }
  }

  /// Adds the key stream that begins behind `counter`.
  private func cryptCounter(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    from counter: Counter
  ) {
    guard let source = input.baseAddress, let target = output.baseAddress else {
      return
    }
    var counter = counter
    counter.count &+= 1
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { stream in
      guard let base = stream.baseAddress else { return }
      var position = 0
      while position < input.count {
        unsafe keystream(counter, at: base)
        counter.count &+= 4
        let count = min(64, input.count &- position)
        if count == 64 {
          for word in 0..<8 {
            let offset = position &+ 8 &* word
            let value =
              unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
              ^ base.load(fromByteOffset: 8 &* word, as: UInt64.self)
            unsafe target.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
          }
        } else {
          for index in 0..<count {
            let value =
              unsafe source.load(fromByteOffset: position + index, as: UInt8.self)
              ^ base.load(fromByteOffset: index, as: UInt8.self)
            unsafe target.storeBytes(of: value, toByteOffset: position + index, as: UInt8.self)
          }
        }
        position &+= count
      }
      unsafe zeroize(stream)
    }
  }

  /// Four blocks of key stream.
  @inline(__always)
  private func keystream(_ counter: Counter, at target: UnsafeMutableRawPointer) {
    for block in 0..<4 {
      let place = unsafe target + 16 &* block
      unsafe place.storeBytes(of: counter.high.bigEndian, as: UInt64.self)
      unsafe place.storeBytes(of: counter.middle.bigEndian, toByteOffset: 8, as: UInt32.self)
      let count = counter.count &+ UInt32(truncatingIfNeeded: block)
      unsafe place.storeBytes(of: count.bigEndian, toByteOffset: 12, as: UInt32.self)
    }
    var state = unsafe BitslicedAES.load(target)
    unsafe key.cipher.encrypt(&state)
    unsafe BitslicedAES.store(state, to: target)
  }
}
