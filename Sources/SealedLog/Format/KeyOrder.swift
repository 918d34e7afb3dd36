internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Keys order as unsigned bytes; a key that another begins with comes first.
@inline(__always)
func compareKeys(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let a = left.baseAddress, let b = right.baseAddress {
    let order = unsafe memcmp(a, b, shared)
    if order != 0 { return Int(order) }
  }
  return left.count &- right.count
}

/// The same over arrays.
func compareKeys(_ left: [UInt8], _ right: [UInt8]) -> Int {
  unsafe left.withRaw { a in unsafe right.withRaw { b in unsafe compareKeys(a, b) } }
}

/// The first eight bytes of a key as a big-endian number, zeros behind a shorter one: numbers order
/// as keys do wherever they differ.
@inline(__always)
func keyPrefix(_ key: UnsafeRawPointer, _ count: Int) -> UInt64 {
  if _fastPath(count >= 8) {
    return unsafe UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
  }
  return unsafe partialWord(key, count).byteSwapped
}

/// Bytes 8 to 15 of a key as `keyPrefix` gives the first eight: the next to compare where those are
/// equal.
@inline(__always)
func keyMiddle(_ key: UnsafeRawPointer, _ count: Int) -> UInt64 {
  if _fastPath(count >= 16) {
    return unsafe UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }
  if count <= 8 { return 0 }
  return unsafe partialWord(key + 8, count &- 8).byteSwapped
}

/// Up to seven bytes as a little-endian number.
@inline(__always)
func partialWord(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
  var word: UInt64 = 0
  var index = 0
  while index < count {
    word |=
      UInt64(unsafe bytes.load(fromByteOffset: index, as: UInt8.self)) &<< (8 &* UInt64(index))
    index &+= 1
  }
  return word
}
