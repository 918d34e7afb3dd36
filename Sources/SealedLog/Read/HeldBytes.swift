#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Bytes that a cursor keeps for its reader: they stay in place until they are replaced, and are
/// zeroed when the cursor goes.
@safe struct HeldBytes: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0

  init() {
    capacity = 64
    unsafe base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    unsafe memset(base, 0, capacity)
    unsafe base.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  @inline(__always)
  mutating func replace(by source: UnsafeRawBufferPointer) {
    if _slowPath(source.count > capacity) { grow(to: source.count) }
    if let from = source.baseAddress { unsafe memcpy(base, from, source.count) }
    count = source.count
  }

  mutating func clear() { count = 0 }

  private mutating func grow(to needed: Int) {
    unsafe memset(base, 0, capacity)
    unsafe base.deallocate()
    capacity = max(needed, capacity * 2)
    unsafe base = .allocate(byteCount: capacity, alignment: 16)
  }

  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard other.count == count else { return false }
    guard count > 0, let theirs = other.baseAddress else { return true }
    return unsafe memcmp(base, theirs, count) == 0
  }
}
