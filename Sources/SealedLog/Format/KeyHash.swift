/// The hash of a key that filters on disk and the memtable use: FORMAT.md, "Key hash".
///
/// Two wide multiplications for each 16 bytes, the high and low halves of each product folded
/// together (the construction of wyhash; Wang Yi, 2019). It isn't keyed: whoever can choose keys
/// can make a filter less selective, nothing more.
@inline(__always)
func keyHash(_ key: UnsafeRawPointer, _ count: Int) -> UInt64 {
  var state = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
  var position = 0
  while count &- position >= 16 {
    state = unsafe fold(
      key.u64(position) ^ 0xa076_1d64_78bd_642f, key.u64(position &+ 8) ^ state)
    position &+= 16
  }
  let rest = count &- position
  if rest > 0 {
    let low = unsafe rest >= 8 ? key.u64(position) : partialWord(key + position, rest)
    let high = unsafe rest > 8 ? partialWord(key + (position &+ 8), rest &- 8) : 0
    state = fold(low ^ 0xa076_1d64_78bd_642f, high ^ state)
  }
  return fold(state ^ 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3)
}

@inline(__always)
private func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
  let product = a.multipliedFullWidth(by: b)
  return product.high ^ product.low
}
