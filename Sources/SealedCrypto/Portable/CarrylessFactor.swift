/// A word to multiply by without carries, out of ordinary products, which take the same time whatever
/// the words on the processors that Swift serves.
///
/// Each operand is split into every fourth bit, so that carries fall into the holes between (T.
/// Pornin, "Constant-time multiplication"). Sixteen terms would overflow a hole: the lowest four
/// bits of one operand are multiplied by masks instead (as in BoringSSL's portable GHASH).
struct CarrylessFactor {
  // Every fourth bit of the factor but for its lowest four; those as masks.
  private let every: (UInt64, UInt64, UInt64, UInt64)
  private let low: (UInt64, UInt64, UInt64, UInt64)

  @inline(__always)
  init(_ factor: UInt64) {
    every = (
      factor & 0x1111_1111_1111_1110, factor & 0x2222_2222_2222_2220,
      factor & 0x4444_4444_4444_4440, factor & 0x8888_8888_8888_8880
    )
    low = (
      0 &- (factor & 1), 0 &- (factor &>> 1 & 1), 0 &- (factor &>> 2 & 1),
      0 &- (factor &>> 3 & 1)
    )
  }

  /// The carry-less product with another word.
  @inline(__always)
  func times(_ other: UInt64) -> (low: UInt64, high: UInt64) {
    let b0 = other & 0x1111_1111_1111_1111
    let b1 = other & 0x2222_2222_2222_2222
    let b2 = other & 0x4444_4444_4444_4444
    let b3 = other & 0x8888_8888_8888_8888
    let c0 = Self.sum(every.0, b0, every.1, b3, every.2, b2, every.3, b1)
    let c1 = Self.sum(every.0, b1, every.1, b0, every.2, b3, every.3, b2)
    let c2 = Self.sum(every.0, b2, every.1, b1, every.2, b0, every.3, b3)
    let c3 = Self.sum(every.0, b3, every.1, b2, every.2, b1, every.3, b0)
    let (x0, x1, x2, x3) = (other & low.0, other & low.1, other & low.2, other & low.3)
    let lowPart =
      (c0.low & 0x1111_1111_1111_1111) ^ (c1.low & 0x2222_2222_2222_2222)
      ^ (c2.low & 0x4444_4444_4444_4444) ^ (c3.low & 0x8888_8888_8888_8888)
    let highPart =
      (c0.high & 0x1111_1111_1111_1111) ^ (c1.high & 0x2222_2222_2222_2222)
      ^ (c2.high & 0x4444_4444_4444_4444) ^ (c3.high & 0x8888_8888_8888_8888)
    return (
      lowPart ^ x0 ^ x1 &<< 1 ^ x2 &<< 2 ^ x3 &<< 3,
      highPart ^ x1 &>> 63 ^ x2 &>> 62 ^ x3 &>> 61
    )
  }

  /// Four products added without carries.
  @inline(__always)
  private static func sum(
    _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64, _ f: UInt64, _ g: UInt64,
    _ h: UInt64
  ) -> (low: UInt64, high: UInt64) {
    let (p, q) = (a.multipliedFullWidth(by: b), c.multipliedFullWidth(by: d))
    let (r, s) = (e.multipliedFullWidth(by: f), g.multipliedFullWidth(by: h))
    return (p.low ^ q.low ^ r.low ^ s.low, p.high ^ q.high ^ r.high ^ s.high)
  }
}
