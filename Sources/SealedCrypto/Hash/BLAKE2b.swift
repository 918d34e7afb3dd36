/// BLAKE2b (RFC 7693), with or without a key, of any length from 1 to 64 bytes.
///
/// No algorithm that FIPS 140-3 lists: after `CryptoModule.requireApprovedOnly()` it is refused.
@safe public struct BLAKE2b: ~Copyable {
  /// The most bytes of a digest.
  public static let digestLimit = 64
  /// The most bytes of a key.
  public static let keyLimit = 64
  /// The length of a block.
  static let blockSize = 128

  // 8 words of state, then the 128 bytes of the last block taken in, which is held back until it is
  // known whether more follows.
  private let state: UnsafeMutablePointer<UInt64>
  private let block: UnsafeMutableRawPointer
  private var blockCount = 0
  /// Bytes taken into the state so far. The standard counts to 2^128 - 1, which nobody reaches.
  private var length: UInt64 = 0
  /// The length of the digest that `finalize` gives.
  public let digestSize: Int

  /// Begins a hash.
  ///
  /// - Parameters:
  ///   - digestSize: 1 to 64 bytes.
  ///   - key: up to 64 bytes; none for a hash without key.
  /// - Throws: `.invalidParameter` for other sizes, `.notApproved`, `.selfTestFailed`.
  public init(digestSize: Int = digestLimit, key: SecretBytes? = nil) throws(CryptoError) {
    try CryptoModule.checkOpen(unapproved: "BLAKE2b")
    guard 1...Self.digestLimit ~= digestSize else {
      throw CryptoError(.invalidParameter, "BLAKE2b gives 1 to 64 bytes, not \(digestSize)")
    }
    guard (key?.count ?? 0) <= Self.keyLimit else {
      throw CryptoError(.invalidParameter, "a key of BLAKE2b has at most 64 bytes")
    }
    self.init(unchecked: digestSize, key: key)
  }

  /// The same for sizes known to be right, and without asking for the self tests: they call it.
  init(unchecked digestSize: Int, key: SecretBytes? = nil) {
    self.digestSize = digestSize
    unsafe state = .allocate(capacity: 8)
    unsafe block = .allocate(byteCount: Self.blockSize, alignment: 16)
    let keyCount = key?.count ?? 0
    unsafe BLAKE2bBlock.initialize(state, digestSize: digestSize, keySize: keyCount)
    guard let key, keyCount > 0 else { return }
    // A key is a first block, filled up by zeros.
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.blockSize)
    unsafe key.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe block.copyMemory(from: base, byteCount: keyCount) }
    }
    blockCount = Self.blockSize
  }

  deinit {
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: state, count: 64))
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: block, count: Self.blockSize))
    unsafe state.deallocate()
    unsafe block.deallocate()
  }

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var position = 0
    while position < bytes.count {
      if blockCount == Self.blockSize {
        length &+= UInt64(Self.blockSize)
        unsafe BLAKE2bBlock.compress(state, block, length: length, isLast: false)
        blockCount = 0
      }
      let part = min(Self.blockSize - blockCount, bytes.count - position)
      unsafe (block + blockCount).copyMemory(from: base + position, byteCount: part)
      blockCount += part
      position += part
    }
  }

  /// Takes in bytes.
  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withRaw { unsafe update($0) }
  }

  /// Writes the hash of what was taken in so far, `digestSize` bytes; more may follow.
  public borrowing func finalize(into digest: UnsafeMutableRawPointer) {
    let rest = Self.blockSize - blockCount
    let total = length &+ UInt64(blockCount)
    unsafe (block + blockCount).initializeMemory(as: UInt8.self, repeating: 0, count: rest)
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { words in
      guard let copy = words.baseAddress else { return }
      unsafe copy.update(from: state, count: 8)
      unsafe BLAKE2bBlock.compress(copy, block, length: total, isLast: true)
      for index in 0..<8 { unsafe copy[index] = copy[index].littleEndian }
      unsafe digest.copyMemory(from: copy, byteCount: digestSize)
      unsafe zeroize(UnsafeMutableRawBufferPointer(words))
    }
  }

  /// The hash of what was taken in so far; more may follow.
  public borrowing func finalize() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: digestSize) { buffer, count in
      if let base = buffer.baseAddress { unsafe finalize(into: base) }
      count = digestSize
    }
  }

  /// The hash of bytes.
  ///
  /// - Throws: as `init`.
  public static func hash(
    _ bytes: [UInt8], digestSize: Int = digestLimit, key: SecretBytes? = nil
  ) throws(CryptoError) -> [UInt8] {
    var hash = try BLAKE2b(digestSize: digestSize, key: key)
    hash.update(bytes)
    return hash.finalize()
  }
}
