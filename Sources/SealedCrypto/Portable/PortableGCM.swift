/// GCM in portable code: an expanded key and its hash key, zeroed at the end.
///
/// Unchecked, as what it owns is written in `init` alone.
@safe final class PortableGCM: @unchecked Sendable {
  let key: AESKey
  let hashKey: UnsafeMutableRawPointer
  private let slab: SecretSlab

  init(_ key: UnsafeRawBufferPointer, slab: SecretSlab) throws(CryptoError) {
    self.slab = slab
    self.key = try unsafe AESKey(key, slab: slab)
    unsafe hashKey = slab.allocate(PortableGHASH.keySize)
    let zero = SecretBytes(count: 16)
    unsafe zero.withUnsafeMutableBytes { block in
      guard let base = block.baseAddress else { return }
      unsafe self.key.encrypt(base)
      unsafe PortableGHASH.prepare(
        hashKey, high: UInt64(bigEndian: base.load(as: UInt64.self)),
        low: UInt64(bigEndian: base.load(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  deinit {
    unsafe slab.release(hashKey, PortableGHASH.keySize)
  }

  var isIntact: Bool { key.isIntact }

  func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, aad: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) {
    let counter = unsafe initialCounter(nonce)
    var stream = counter
    stream.count &+= 1
    unsafe stream.crypt(plaintext, into: ciphertext, key: key)
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
    var stream = counter
    stream.count &+= 1
    unsafe stream.crypt(ciphertext, into: plaintext, key: key)
    return true
  }

  // MARK: Parts

  /// J0 of the standard: the nonce and a one, or the hash of a nonce of another length than 96 bits.
  private func initialCounter(_ nonce: UnsafeRawBufferPointer) -> PortableCounter {
    if nonce.count == 12 {
      return unsafe PortableCounter(
        prefix: (
          nonce.loadUnaligned(as: UInt64.self),
          nonce.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        ), count: 1)
    }
    var hash = unsafe PortableGHASH(hashKey)
    unsafe hash.update(nonce)
    hash.absorb(high: 0, low: UInt64(nonce.count) * 8)
    let value = hash.value
    return PortableCounter(
      prefix: (value.high.bigEndian, UInt32(truncatingIfNeeded: value.low >> 32).bigEndian),
      count: UInt32(truncatingIfNeeded: value.low))
  }

  /// The tag: the hash of additional data, ciphertext and lengths, encrypted.
  private func checksum(
    aad: UnsafeRawBufferPointer, ciphertext: UnsafeRawBufferPointer, counter: PortableCounter
  ) -> (high: UInt64, low: UInt64) {
    var hash = unsafe PortableGHASH(hashKey)
    unsafe hash.update(aad)
    unsafe hash.update(ciphertext)
    hash.absorb(high: UInt64(aad.count) * 8, low: UInt64(ciphertext.count) * 8)
    let value = hash.value
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
      guard let base = block.baseAddress else { return value }
      unsafe counter.keystream(key, at: base)
      let high = unsafe UInt64(bigEndian: base.load(as: UInt64.self))
      let low = unsafe UInt64(bigEndian: base.load(fromByteOffset: 8, as: UInt64.self))
      unsafe zeroize(block)
      return (value.high ^ high, value.low ^ low)
    }
  }
}
