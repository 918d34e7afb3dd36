/// Secret bytes of a fixed number, zeroed when the last reference goes.
///
/// They lie in one place: passing a reference copies nothing. Their pages are locked into memory where
/// the system allows (`CryptoModule.status` counts what isn't), kept out of core dumps, and wiped in
/// a forked child. Keys that are drawn at random or unwrapped have pages of their own, between two
/// that nobody may touch; others share pages. They are compared in constant time and never printed.
///
/// Unchecked, as the bytes are written only while being made, or through `withUnsafeMutableBytes`,
/// whose caller is the only holder then.
@safe
public final class SecretBytes: @unchecked Sendable, Equatable, CustomStringConvertible,
  CustomReflectable
{
  private let base: UnsafeMutableRawPointer
  /// How many bytes there are.
  public let count: Int
  private let slab: SecretSlab

  /// Zeros.
  public convenience init(count: Int) { self.init(count: count, slab: .shared) }

  /// Zeros in a given slab.
  package init(count: Int, slab: SecretSlab) {
    self.count = count
    self.slab = slab
    unsafe base = slab.allocate(count)
  }

  /// Zeros in pages of their own.
  static func guarded(count: Int) -> SecretBytes {
    SecretBytes(count: count, slab: SecretSlab(isolates: true))
  }

  /// A copy; the caller wipes the original.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    unsafe self.init(copying: bytes, slab: .shared)
  }

  /// A copy in a given slab; the caller wipes the original.
  package convenience init(copying bytes: UnsafeRawBufferPointer, slab: SecretSlab) {
    self.init(count: bytes.count, slab: slab)
    if let source = bytes.baseAddress { unsafe base.copyMemory(from: source, byteCount: count) }
  }

  /// A copy; the caller's array stays as it is.
  public convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count)
    unsafe bytes.withRaw { raw in
      if let source = raw.baseAddress { unsafe base.copyMemory(from: source, byteCount: count) }
    }
  }

  /// Random bytes from the system.
  ///
  /// - Throws: `.randomSource`.
  public static func random(count: Int) throws(CryptoError) -> SecretBytes {
    let bytes = SecretBytes.guarded(count: count)
    try unsafe SystemRandom.fill(
      UnsafeMutableRawBufferPointer(start: bytes.base, count: bytes.count))
    return bytes
  }

  deinit {
    unsafe slab.release(base, count)
  }

  /// Throws where the system wiped the bytes, as it does in a forked child.
  func checkIntact() throws(CryptoError) {
    guard unsafe SecretSlab.isIntact(base, count) else { throw .forked }
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
