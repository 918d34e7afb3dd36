internal import SealedCrypto

/// Seals and opens the units of one file: FORMAT.md, "Keys of a file" and "Sealing".
///
/// - Invariant: a unit number is given to `seal` once in the life of the file's key. The writers
///   of a file count upwards and never give a number out again, whatever becomes of the write.
final class FileCipher: Sendable {
  static let tagSize = 16
  static let label: [UInt8] = Array("SealedStore/1/file".utf8) + [0]

  let header: FileHeader
  /// Checks every header byte, and that the store key is the right one.
  let commitment: [UInt8]
  private let gcm: AESGCM
  private let baseNonce: SecretBytes
  private let identity: [UInt8]

  /// Derives the keys of the file with the given header, into the store's slab.
  init(
    header: FileHeader, storeKey: SecretBytes, slab: SecretSlab
  ) throws(StoreError) {
    self.header = header
    let secrets = try withCrypto { () throws(CryptoError) in
      let extracted = try HKDF.extract(salt: header.fileID.bytes, inputKey: storeKey)
      return try HKDF.expand(
        pseudorandomKey: extracted, info: Self.label + header.prefixBytes, count: 76)
    }
    gcm = try withCrypto { () throws(CryptoError) in
      try unsafe secrets.withUnsafeBytes { (bytes) throws(CryptoError) in
        try unsafe AESGCM(
          key: UnsafeRawBufferPointer(rebasing: bytes[0..<32]), slab: slab)
      }
    }
    baseNonce = unsafe secrets.withUnsafeBytes { bytes in
      unsafe SecretBytes(
        copying: UnsafeRawBufferPointer(rebasing: bytes[32..<44]), slab: slab)
    }
    commitment = unsafe secrets.withUnsafeBytes { bytes in unsafe Array(bytes[44..<76]) }
    identity = header.storeID.bytes + header.fileID.bytes
  }

  /// What a unit is and where it lies; all of it is authenticated.
  struct Unit {
    var number: UInt32
    var kind: UInt8
    var flags: UInt8 = 0
    /// Where the unit's first byte lies in the file.
    var offset: UInt64
    /// Bytes on disk, the tag included.
    var storedCount: UInt32
    /// Bytes before padding and compression.
    var plainCount: UInt32
  }

  /// Seals `plaintext` into `ciphertext` (the same memory is fine) and writes the tag.
  ///
  /// `clear` are up to sixteen bytes that stand before the unit on disk, authenticated with it.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, into ciphertext: UnsafeMutableRawBufferPointer,
    tag: UnsafeMutableRawPointer, unit: Unit, clear: UnsafeRawBufferPointer? = nil
  ) throws(StoreError) {
    let failure = unsafe withScratch(unit, clear) { nonce, additional -> CryptoError? in
      do throws(CryptoError) {
        try unsafe gcm.seal(
          plaintext, into: ciphertext, nonce: nonce, aad: additional,
          tag: UnsafeMutableRawBufferPointer(start: tag, count: Self.tagSize))
        return nil
      } catch { return error }
    }
    if let failure { throw StoreError(failure) }
  }

  /// Throws `.forked` in a forked child, whose keys the system wiped.
  func checkIntact() throws(StoreError) {
    try withCrypto { () throws(CryptoError) in try gcm.checkIntact() }
  }

  /// Opens a unit; false where it doesn't authenticate, and then `plaintext` holds nothing.
  func open(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
    tag: UnsafeRawPointer, unit: Unit, clear: UnsafeRawBufferPointer? = nil
  ) -> Bool {
    unsafe withScratch(unit, clear) { nonce, additional in
      do throws(CryptoError) {
        try unsafe gcm.open(
          ciphertext, into: plaintext, nonce: nonce, aad: additional,
          tag: UnsafeRawBufferPointer(start: tag, count: Self.tagSize))
        return true
      } catch { return false }
    }
  }

  /// Lays out nonce and additional data on the stack.
  ///
  ///     additional data: store id 16 · file id 16 · kind 1 · flags 1 · 0 2 · unit 4 · offset 8
  ///                      · stored length 4 · plain length 4 · 0 8 · clear bytes 0 or 16
  @inline(__always)
  private func withScratch<R>(
    _ unit: Unit, _ clear: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> R
  ) -> R {
    unsafe withUnsafeTemporaryAllocation(byteCount: 96, alignment: 16) { scratch in
      guard let nonce = scratch.baseAddress else { preconditionFailure("no stack") }
      unsafe baseNonce.withUnsafeBytes {
        unsafe nonce.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(nonce), byteCount: 12)
      }
      let last = unsafe nonce.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      unsafe nonce.storeBytes(of: last ^ unit.number.bigEndian, toByteOffset: 8, as: UInt32.self)
      let additional = unsafe nonce + 16
      unsafe identity.withRaw {
        unsafe additional.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(nonce), byteCount: 32)
      }
      unsafe additional.storeBytes(of: unit.kind, toByteOffset: 32, as: UInt8.self)
      unsafe additional.storeBytes(of: unit.flags, toByteOffset: 33, as: UInt8.self)
      unsafe additional.put16(0, 34)
      unsafe additional.put32(unit.number, 36)
      unsafe additional.put64(unit.offset, 40)
      unsafe additional.put32(unit.storedCount, 48)
      unsafe additional.put32(unit.plainCount, 52)
      unsafe additional.put64(0, 56)
      var count = 64
      if let clear = unsafe clear, let base = clear.baseAddress {
        unsafe (additional + 64).copyMemory(from: base, byteCount: 16)
        count = 80
      }
      return unsafe body(
        UnsafeRawBufferPointer(start: nonce, count: 12),
        UnsafeRawBufferPointer(start: additional, count: count))
    }
  }
}
