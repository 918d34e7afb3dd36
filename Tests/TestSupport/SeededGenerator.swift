/// A generator of which one seed gives one sequence (SplitMix64; Steele, Lea, Flood, 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// What to print when a test fails.
  public let seed: UInt64
  private var state: UInt64

  /// A generator of the given sequence.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// Random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
