internal import Builtin

/// Loads and stores of the format's integers at any alignment, and hints to the processor.
///
/// Used on the hot paths, over memory whose bounds the caller has checked.
extension UnsafeRawPointer {
  @inline(__always)
  func u16(_ offset: Int = 0) -> UInt16 {
    unsafe UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
  @inline(__always)
  func u32(_ offset: Int = 0) -> UInt32 {
    unsafe UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
  @inline(__always)
  func u64(_ offset: Int = 0) -> UInt64 {
    unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UnsafeMutableRawPointer {
  @inline(__always)
  func put16(_ value: UInt16, _ offset: Int = 0) {
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt16.self)
  }
  @inline(__always)
  func put32(_ value: UInt32, _ offset: Int = 0) {
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
  @inline(__always)
  func put64(_ value: UInt64, _ offset: Int = 0) {
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
}

/// Asks for the cache line at `address`; a wrong address does no harm.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) {
  Builtin.int_prefetch_RawPointer(
    address._rawValue, Int32(0)._value, Int32(3)._value, Int32(1)._value)
}

extension Array where Element == UInt8 {
  /// The bytes as raw memory, with the error type of `body`.
  @inline(__always)
  package func withRaw<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeBufferPointer { (buffer) throws(E) -> R in
      try unsafe body(UnsafeRawBufferPointer(buffer))
    }
  }

  /// The bytes as raw memory to write to, with the error type of `body`.
  @inline(__always)
  package mutating func withMutableRaw<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeMutableBufferPointer { (buffer) throws(E) -> R in
      try unsafe body(UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
