/// Pseudo-random numbers from a seed (xoshiro256**, seeded by SplitMix64): the same on every machine.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Begins the sequence of a seed.
  public init(seed: UInt64) {
    var mixer = seed
    func next() -> UInt64 {
      mixer &+= 0x9e37_79b9_7f4a_7c15
      var word = mixer
      word = (word ^ (word &>> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word &>> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word &>> 31)
    }
    state = (next(), next(), next(), next())
  }

  /// 64 random bits.
  public mutating func next() -> UInt64 {
    let scrambled = state.1 &* 5
    let result = ((scrambled &<< 7) | (scrambled &>> 57)) &* 9
    let shifted = state.1 &<< 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 &<< 45) | (state.3 &>> 19)
    return result
  }

  /// A number in `0..<bound`, each as likely but for 2^-64's share.
  public mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number in `0..<1` with 53 bits.
  public mutating func unit() -> Double { Double(next() &>> 11) * 0x1p-53 }
}
