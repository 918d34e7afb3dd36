/// Durations of single operations, and what can be said about them.
public struct LatencySample: Sendable {
  private var durations: [UInt32] = []

  /// A sample with room for a number of durations.
  public init(capacity: Int = 0) { durations.reserveCapacity(capacity) }

  /// Durations taken in.
  public var count: Int { durations.count }

  /// Takes in a duration; more than 4.29 s counts as that.
  public mutating func take(nanoseconds: UInt64) {
    durations.append(UInt32(clamping: nanoseconds))
  }

  /// Joins another sample to this one.
  public mutating func merge(_ other: LatencySample) { durations += other.durations }

  /// The quantiles that are reported, in microseconds; nil where nothing was taken in.
  public func quantiles() -> Quantiles? {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    func at(_ share: Double) -> Double {
      let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
      return Double(sorted[max(0, min(sorted.count - 1, rank))]) / 1000
    }
    return Quantiles(p50: at(0.5), p99: at(0.99), p999: at(0.999))
  }

  /// Durations at or below which half, 99 % and 99.9 % of operations lie, in microseconds.
  public struct Quantiles: Codable, Sendable, Equatable {
    public var p50: Double
    public var p99: Double
    public var p999: Double

    /// Quantiles in microseconds.
    public init(p50: Double, p99: Double, p999: Double) {
      self.p50 = p50
      self.p99 = p99
      self.p999 = p999
    }
  }
}
