#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Whether two buffers hold the same bytes, in a time that depends on their lengths alone.
public func constantTimeEquals(
  _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
) -> Bool {
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for index in 0..<left.count { difference |= unsafe left[index] ^ right[index] }
  return difference == 0
}

/// Overwrites memory by zeros; the optimiser can't take the writes away.
public func zeroize(_ buffer: UnsafeMutableRawBufferPointer) {
  guard let base = buffer.baseAddress, buffer.count > 0 else { return }
  #if canImport(Darwin)
    unsafe memset_s(base, buffer.count, 0, buffer.count)
  #else
    unsafe explicit_bzero(base, buffer.count)
  #endif
}
