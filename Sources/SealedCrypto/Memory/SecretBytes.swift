#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Secret bytes of a fixed number, zeroed when the last reference goes.
///
/// They lie on the heap in one place: passing a reference copies nothing. They are compared in
/// constant time, never printed, and kept out of core dumps where the system allows.
@safe
public final class SecretBytes: @unchecked Sendable, Equatable, CustomStringConvertible,
  CustomReflectable
{
  // Written only while being made (or through `withUnsafeMutableBytes`, whose caller is the only
  // holder then).
  private let base: UnsafeMutableRawPointer
  /// How many bytes there are.
  public let count: Int

  /// Zeros.
  public init(count: Int) {
    self.count = count
    unsafe base = .allocate(byteCount: max(1, count), alignment: 16)
    unsafe memset(base, 0, max(1, count))
  }

  /// A copy; the caller wipes the original.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count)
    if let source = bytes.baseAddress { unsafe memcpy(base, source, bytes.count) }
  }

  /// A copy; the caller's array stays as it is.
  public convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count)
    unsafe bytes.withRaw { raw in
      if let source = raw.baseAddress { unsafe memcpy(base, source, raw.count) }
    }
  }

  /// Random bytes from the system.
  ///
  /// - Throws: `.randomSource`.
  public static func random(count: Int) throws(CryptoError) -> SecretBytes {
    let bytes = SecretBytes(count: count)
    try unsafe SystemRandom.fill(
      UnsafeMutableRawBufferPointer(start: bytes.base, count: bytes.count))
    return bytes
  }

  deinit {
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: base, count: max(1, count)))
    unsafe base.deallocate()
  }

  /// Lends the bytes; the pointer is good until `body` returns.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Lends the bytes for writing; the caller must be their only holder.
  public func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
  }

  /// Whether both hold the same bytes, in constant time.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    unsafe left.withUnsafeBytes { a in
      unsafe right.withUnsafeBytes { b in unsafe constantTimeEquals(a, b) }
    }
  }

  /// Shows nothing.
  public var description: String { "<redacted>" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
