/// AES key wrap (RFC 3394, NIST SP 800-38F KW), and with padding (RFC 5649, KWP).
///
/// Deterministic, 64 bits of integrity, no nonce: for keys only. The functions named by a participle
/// are the same without asking for the self tests, which call them.
public enum AESKeyWrap {
  private static let initialValue: UInt64 = 0xa6a6_a6a6_a6a6_a6a6
  private static let paddedValue: UInt64 = 0xa659_59a6

  /// Wraps a key of a multiple of eight bytes, sixteen at least.
  ///
  /// - Returns: eight bytes more than the key has.
  /// - Throws: `.invalidParameter` for another length, or a wrapping key not of 16 or 32 bytes.
  public static func wrap(
    _ key: SecretBytes, with wrappingKey: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    try CryptoModule.checkOpen()
    return try wrapped(key, with: wrappingKey)
  }

  static func wrapped(
    _ key: SecretBytes, with wrappingKey: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    guard key.count >= 16, key.count % 8 == 0 else {
      throw CryptoError(
        .invalidParameter, "key wrap takes a multiple of 8 bytes, 16 at least; not \(key.count)")
    }
    let words = unsafe key.withUnsafeBytes { unsafe Words($0) }
    return try wrap(words, initial: initialValue, with: wrappingKey)
  }

  /// Unwraps what `wrap` gave.
  ///
  /// - Throws: `.authenticationFailure` under another wrapping key, or for changed bytes;
  ///   `.invalidParameter` for a length that `wrap` never gives.
  public static func unwrap(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    return try unwrapped(wrapped, with: wrappingKey)
  }

  static func unwrapped(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard wrapped.count >= 24, wrapped.count % 8 == 0 else {
      throw CryptoError(.invalidParameter, "a wrapped key can't have \(wrapped.count) bytes")
    }
    let (initial, words) = try unwrap(wrapped, with: wrappingKey)
    guard initial ^ initialValue == 0 else { throw .authentication }
    return words.secret(count: words.count * 8)
  }

  /// Wraps a key of 1 to 2^32 - 1 bytes, padded to a multiple of eight.
  ///
  /// - Throws: `.invalidParameter` for an empty key.
  public static func wrapPadded(
    _ key: SecretBytes, with wrappingKey: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    try CryptoModule.checkOpen()
    return try wrappedPadded(key, with: wrappingKey)
  }

  static func wrappedPadded(
    _ key: SecretBytes, with wrappingKey: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    guard key.count > 0, UInt64(key.count) <= UInt64(UInt32.max) else {
      throw CryptoError(.invalidParameter, "a key to wrap has 1 to 2^32 - 1 bytes")
    }
    let initial = paddedValue << 32 | UInt64(key.count)
    let words = unsafe key.withUnsafeBytes { unsafe Words($0) }
    guard words.count == 1 else { return try wrap(words, initial: initial, with: wrappingKey) }
    let cipher = try expand(wrappingKey)
    var block = bytes(initial) + bytes(words[0])
    unsafe block.withMutableRaw { raw in
      if let base = raw.baseAddress { unsafe cipher.encrypt(base) }
    }
    return block
  }

  /// Unwraps what `wrapPadded` gave.
  ///
  /// - Throws: as `unwrap`.
  public static func unwrapPadded(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try CryptoModule.checkOpen()
    return try unwrappedPadded(wrapped, with: wrappingKey)
  }

  static func unwrappedPadded(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    guard wrapped.count >= 16, wrapped.count % 8 == 0 else {
      throw CryptoError(.invalidParameter, "a wrapped key can't have \(wrapped.count) bytes")
    }
    let (initial, words) =
      try wrapped.count == 16
      ? unwrapBlock(wrapped, with: wrappingKey) : unwrap(wrapped, with: wrappingKey)
    let count = Int(initial & 0xffff_ffff)
    let capacity = words.count * 8
    // All conditions are looked at before any is told.
    let isFramed = initial >> 32 == paddedValue
    let isLong = count <= capacity && count > capacity - 8
    guard isFramed, isLong, words.tailIsZero(from: count) else { throw .authentication }
    return words.secret(count: count)
  }

  // MARK: The wrapping itself

  /// The 64-bit blocks of a key, zeroed when they go.
  private final class Words {
    private var words: [UInt64]
    var count: Int { words.count }

    init(_ bytes: UnsafeRawBufferPointer) {
      words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
      for index in 0..<bytes.count {
        let byte = unsafe bytes[index]
        words[index / 8] |= UInt64(byte) << UInt64(56 - 8 * (index % 8))
      }
    }

    deinit {
      unsafe words.withUnsafeMutableBytes { unsafe zeroize($0) }
    }

    subscript(index: Int) -> UInt64 {
      get { words[index] }
      set { words[index] = newValue }
    }

    func secret(count: Int) -> SecretBytes {
      let secret = SecretBytes.guarded(count: count)
      unsafe secret.withUnsafeMutableBytes { target in
        for index in 0..<count { unsafe target[index] = byte(index) }
      }
      return secret
    }

    func tailIsZero(from start: Int) -> Bool {
      var sum: UInt8 = 0
      for index in start..<words.count * 8 { sum |= byte(index) }
      return sum == 0
    }

    private func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(56 - 8 * (index % 8)))
    }
  }

  private static func expand(_ key: SecretBytes) throws(CryptoError) -> AESKey {
    try key.checkIntact()
    return try unsafe key.withUnsafeBytes { (bytes) throws(CryptoError) in
      try unsafe AESKey(bytes)
    }
  }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
  }

  private static func wrap(
    _ words: Words, initial: UInt64, with wrappingKey: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    let cipher = try expand(wrappingKey)
    var first = initial
    var step: UInt64 = 0
    unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { block in
      guard let base = block.baseAddress else { return }
      for _ in 0..<6 {
        for index in 0..<words.count {
          step += 1
          unsafe base.storeBytes(of: first.bigEndian, as: UInt64.self)
          unsafe base.storeBytes(of: words[index].bigEndian, toByteOffset: 8, as: UInt64.self)
          unsafe cipher.encrypt(base)
          first = unsafe UInt64(bigEndian: base.load(as: UInt64.self)) ^ step
          words[index] = unsafe UInt64(bigEndian: base.load(fromByteOffset: 8, as: UInt64.self))
        }
      }
      unsafe zeroize(block)
    }
    return bytes(first) + (0..<words.count).flatMap { bytes(words[$0]) }
  }

  private static func unwrap(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> (initial: UInt64, words: Words) {
    let cipher = try expand(wrappingKey)
    let all = unsafe wrapped.withRaw { unsafe Words($0) }
    let words = unsafe wrapped.withRaw {
      unsafe Words(UnsafeRawBufferPointer(rebasing: $0[8...]))
    }
    var first = all[0]
    var step = UInt64(6 * words.count)
    unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { block in
      guard let base = block.baseAddress else { return }
      for _ in 0..<6 {
        for index in (0..<words.count).reversed() {
          unsafe base.storeBytes(of: (first ^ step).bigEndian, as: UInt64.self)
          unsafe base.storeBytes(of: words[index].bigEndian, toByteOffset: 8, as: UInt64.self)
          unsafe cipher.decrypt(base)
          first = unsafe UInt64(bigEndian: base.load(as: UInt64.self))
          words[index] = unsafe UInt64(bigEndian: base.load(fromByteOffset: 8, as: UInt64.self))
          step -= 1
        }
      }
      unsafe zeroize(block)
    }
    return (first, words)
  }

  /// A padded key of at most eight bytes is a single block.
  private static func unwrapBlock(
    _ wrapped: [UInt8], with wrappingKey: SecretBytes
  ) throws(CryptoError) -> (initial: UInt64, words: Words) {
    let cipher = try expand(wrappingKey)
    var block = wrapped
    unsafe block.withMutableRaw { raw in
      if let base = raw.baseAddress { unsafe cipher.decrypt(base) }
    }
    let words = unsafe block.withRaw {
      unsafe Words(UnsafeRawBufferPointer(rebasing: $0[8...]))
    }
    let first = unsafe block.withRaw { unsafe Words($0)[0] }
    unsafe block.withMutableRaw { unsafe zeroize($0) }
    return (first, words)
  }
}
