/// YCSB's core workloads A to F as published: which operations in which shares, on which records.
public enum YCSBWorkload: String, CaseIterable, Sendable {
  case a, b, c, d, e, f

  /// One operation of a trace.
  public enum Operation: Equatable, Sendable {
    case read(record: Int)
    case update(record: Int)
    /// Writes the record whose number is the count of those there are.
    case insert(record: Int)
    case scan(from: Int, count: Int)
    case readModifyWrite(record: Int)
  }

  /// The share of operations that only read (or scan), in per cent; the rest is `writing`.
  public var readingPercent: Int {
    switch self {
    case .a, .f: 50
    case .b, .d, .e: 95
    case .c: 100
    }
  }

  /// The longest scan of workload E.
  public static let scanLimit = 100

  /// The trace of a seed: every engine is driven with the same.
  public func trace(count: Int, recordCount: Int, seed: UInt64) -> [Operation] {
    var random = RandomSource(seed: seed)
    let scrambled = ScrambledZipfian()
    var latest = LatestGenerator(recordCount: self == .d ? recordCount : 2)
    var records = recordCount
    return (0..<count).map { _ in
      let isReading = random.below(100) < readingPercent
      switch (self, isReading) {
      case (.d, true):
        return .read(record: latest.next(&random, recordCount: records))
      case (.e, true):
        return .scan(
          from: scrambled.next(&random, recordCount: records),
          count: 1 + random.below(Self.scanLimit))
      case (_, true):
        return .read(record: scrambled.next(&random, recordCount: records))
      case (.d, false), (.e, false):
        records += 1
        return .insert(record: records - 1)
      case (.f, false):
        return .readModifyWrite(record: scrambled.next(&random, recordCount: records))
      case (_, false):
        return .update(record: scrambled.next(&random, recordCount: records))
      }
    }
  }
}
