/// Values without structure: each is a slice of one pool of random bytes, so that making one costs
/// nothing while engines are timed, and nothing compresses.
@safe public struct ValuePool: @unchecked Sendable {
  /// Bytes of every value.
  public let valueSize: Int
  // Never written after `init`, never freed: a process has one.
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let span: UInt64

  /// A pool for values of one size.
  public init(valueSize: Int, seed: UInt64 = 1) {
    self.valueSize = valueSize
    let size = 1 << 20
    unsafe base = .allocate(byteCount: size, alignment: 64)
    span = UInt64(size - valueSize)
    var random = RandomSource(seed: seed)
    for offset in stride(from: 0, to: size, by: 8) {
      unsafe base.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
    }
  }

  /// The value that a key has in a version: good for as long as the process lives.
  @inlinable @inline(__always)
  public func value(key: Int, version: Int) -> UnsafeRawBufferPointer {
    let mixed =
      (UInt64(truncatingIfNeeded: key) &* 0x9e37_79b9_7f4a_7c15)
      ^ (UInt64(truncatingIfNeeded: version) &* 0xbf58_476d_1ce4_e5b9)
    let offset = mixed.multipliedFullWidth(by: span).high
    return unsafe UnsafeRawBufferPointer(
      start: base + Int(truncatingIfNeeded: offset), count: valueSize)
  }
}
