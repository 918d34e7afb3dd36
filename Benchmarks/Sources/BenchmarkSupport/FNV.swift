/// The Fowler-Noll-Vo hash (FNV-1a, 64 bits) of a number's eight bytes, as YCSB uses it to scatter
/// popular records over the key space.
public func fnv64(_ value: UInt64) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  var rest = value
  for _ in 0..<8 {
    hash = (hash ^ (rest & 0xff)) &* 0x100_0000_01b3
    rest &>>= 8
  }
  return hash
}
