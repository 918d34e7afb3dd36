/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
@safe public struct HMACSHA256: ~Copyable {
  // One cell: the hash at work, then its states behind the inner and the outer key, then a block.
  private static let innerOffset = SHA256.cellSize
  private static let outerOffset = innerOffset + SHA256.digestSize
  private static let blockOffset = outerOffset + SHA256.digestSize
  private static let cellSize = blockOffset + SHA256.blockSize

  private let cell: UnsafeMutableRawPointer
  private var hash: SHA256
  var backend: CryptoBackend { hash.backend }

  /// Begins a code under a key of any length.
  ///
  /// - Throws: `.forked`, `.selfTestFailed`.
  public init(key: SecretBytes) throws(CryptoError) {
    try CryptoModule.checkOpen()
    try key.checkIntact()
    self.init(keyed: key)
  }

  /// The same without asking for the self tests: they call it.
  init(keyed key: SecretBytes) {
    self.init()
    unsafe key.withUnsafeBytes { unsafe setKey($0) }
  }

  /// A code that has no key yet.
  init() {
    unsafe cell = SecretSlab.shared.allocate(Self.cellSize)
    hash = unsafe SHA256(backend: .best, cell: cell)
  }

  /// Begins a code under a key of any length.
  mutating func setKey(_ key: UnsafeRawBufferPointer) {
    let block = unsafe UnsafeMutableRawBufferPointer(
      start: cell + Self.blockOffset, count: SHA256.blockSize)
    // A key is brought to one block; a longer one is hashed first.
    if key.count > SHA256.blockSize {
      unsafe hash.update(key)
      unsafe hash.finalize(into: cell + Self.blockOffset)
    } else {
      unsafe block.copyMemory(from: key)
    }
    unsafe Self.add(0x36, to: block)
    unsafe hash.update(UnsafeRawBufferPointer(block))
    unsafe innerState.update(from: hash.state, count: 8)
    unsafe hash.resume(from: nil)
    unsafe Self.add(0x36 ^ 0x5c, to: block)
    unsafe hash.update(UnsafeRawBufferPointer(block))
    unsafe outerState.update(from: hash.state, count: 8)
    unsafe zeroize(block)
    restart()
  }

  deinit { unsafe SecretSlab.shared.release(cell, Self.cellSize) }

  /// The state of the hash behind the inner key.
  var innerState: UnsafeMutablePointer<UInt32> {
    unsafe (cell + Self.innerOffset).assumingMemoryBound(to: UInt32.self)
  }

  /// The state of the hash behind the outer key.
  var outerState: UnsafeMutablePointer<UInt32> {
    unsafe (cell + Self.outerOffset).assumingMemoryBound(to: UInt32.self)
  }

  private static func add(_ byte: UInt64, to block: UnsafeMutableRawBufferPointer) {
    let word = byte &* 0x0101_0101_0101_0101
    for offset in stride(from: 0, to: SHA256.blockSize, by: 8) {
      let sum = unsafe block.load(fromByteOffset: offset, as: UInt64.self) ^ word
      unsafe block.storeBytes(of: sum, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// Begins anew under the same key.
  mutating func restart() { unsafe hash.resume(from: innerState) }

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash.update(bytes) }

  /// Takes in bytes.
  public mutating func update(_ bytes: [UInt8]) { hash.update(bytes) }

  /// Ends the code and writes its 32 bytes; the next code under the key may begin.
  public mutating func finalize(into code: UnsafeMutableRawPointer) {
    unsafe hash.finalize(into: code)
    unsafe hash.resume(from: outerState)
    unsafe hash.update(UnsafeRawBufferPointer(start: code, count: SHA256.digestSize))
    unsafe hash.finalize(into: code)
    restart()
  }

  /// The code of bytes under a key.
  ///
  /// - Throws: `.forked`, `.selfTestFailed`.
  public static func authenticationCode(
    for bytes: [UInt8], key: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    try CryptoModule.checkOpen()
    try key.checkIntact()
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
