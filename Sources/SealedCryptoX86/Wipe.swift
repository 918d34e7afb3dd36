#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Zeroes memory in a way that no optimiser removes.
@inline(__always)
func wipe(_ start: UnsafeMutableRawPointer, count: Int) {
  #if canImport(Darwin)
    _ = unsafe memset_s(start, count, 0, count)
  #else
    unsafe explicit_bzero(start, count)
  #endif
}
