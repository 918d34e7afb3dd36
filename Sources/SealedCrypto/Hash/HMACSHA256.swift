/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
public struct HMACSHA256: ~Copyable {
  private(set) var inner = SHA256(backend: .best)
  private(set) var outer = SHA256(backend: .best)

  /// Begins a code under a key of any length.
  ///
  /// - Throws: `.selfTestFailed`.
  public init(key: SecretBytes) throws(CryptoError) {
    try CryptoModule.checkOpen()
    self.init(keyed: key)
  }

  /// The same without asking for the self tests: they call it.
  init(keyed key: SecretBytes) {
    self.init(paddedKey: unsafe key.withUnsafeBytes { unsafe Self.pad($0) })
  }

  /// A key brought to one block, hashed first where it is longer.
  private static func pad(_ key: UnsafeRawBufferPointer) -> SecretBytes {
    let block = SecretBytes(count: SHA256.blockSize)
    unsafe block.withUnsafeMutableBytes { target in
      if key.count > SHA256.blockSize {
        var hash = SHA256(backend: .best)
        unsafe hash.update(key)
        if let base = target.baseAddress { unsafe hash.finalize(into: base) }
      } else {
        unsafe target.copyMemory(from: key)
      }
    }
    return block
  }

  private init(paddedKey block: consuming SecretBytes) {
    unsafe block.withUnsafeMutableBytes { bytes in
      for index in bytes.indices { unsafe bytes[index] ^= 0x36 }
      unsafe inner.update(UnsafeRawBufferPointer(bytes))
      for index in bytes.indices { unsafe bytes[index] ^= 0x36 ^ 0x5c }
      unsafe outer.update(UnsafeRawBufferPointer(bytes))
    }
  }

  /// A code without key, for `restart`.
  init() {}

  /// Goes on from where another code is, whatever this one took in: its key is not taken in again.
  mutating func restart(from other: borrowing HMACSHA256) {
    inner.restart(from: other.inner)
    outer.restart(from: other.outer)
  }

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe inner.update(bytes) }

  /// Takes in bytes.
  public mutating func update(_ bytes: [UInt8]) { inner.update(bytes) }

  /// Ends the code and writes its 32 bytes.
  public mutating func finalize(into code: UnsafeMutableRawPointer) {
    unsafe inner.finalize(into: code)
    unsafe outer.update(UnsafeRawBufferPointer(start: code, count: SHA256.digestSize))
    unsafe outer.finalize(into: code)
  }

  /// The code of bytes under a key.
  public static func authenticationCode(
    for bytes: [UInt8], key: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    try CryptoModule.checkOpen()
    return code(for: bytes, key: key)
  }

  /// The same without asking for the self tests: they call it.
  static func code(for bytes: [UInt8], key: SecretBytes) -> [UInt8] {
    var code = HMACSHA256(keyed: key)
    code.update(bytes)
    var result = [UInt8](repeating: 0, count: SHA256.digestSize)
    unsafe result.withMutableRaw { raw in
      if let base = raw.baseAddress { unsafe code.finalize(into: base) }
    }
    return result
  }
}
