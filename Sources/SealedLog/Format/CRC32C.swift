/// CRC-32C (Castagnoli, RFC 3720 appendix B.4): tells a torn frame header from a written one.
///
/// It protects nothing from an attacker; tags do that.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index) { value, _ in
      value & 1 == 1 ? 0x82f6_3b78 ^ (value >> 1) : value >> 1
    }
  }

  /// The checksum of `bytes`, going on from `seed`, which is a checksum or zero.
  static func checksum(_ bytes: some Sequence<UInt8>, seed: UInt32 = 0) -> UInt32 {
    ~bytes.reduce(~seed) { value, byte in
      table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
    }
  }
}
