import BenchmarkSupport

/// Work of one engine that can be done any number of times.
struct TimedWork {
  /// Does so many operations.
  let run: (Int) throws -> Void
  /// What an operation gives, to compare engines by.
  let outcome: () throws -> UInt64
}

/// Times several engines' work in one process, in short slices that take turns, so that all see the
/// same minutes of a busy machine; by the thread's processor time, as nothing here waits.
enum SlicedTiming {
  private static let sliceNanoseconds: UInt64 = 5_000_000
  private static let sliceCount = 41
  /// Slices of work that takes longer than a slice should.
  private static let longSliceCount = 3

  /// Times each engine's work; the seconds are those of the median slice, for all operations.
  static func run(_ works: [(engine: String, work: TimedWork)]) throws -> [String: RunResult] {
    let counts = try works.map { try operations(for: $0.work) }
    let slices = counts.contains(1) ? longSliceCount : sliceCount
    var costs = [[Double]](repeating: [], count: works.count)
    for _ in 0..<slices {
      for (index, entry) in works.enumerated() {
        let begin = threadNanoseconds()
        try entry.work.run(counts[index])
        costs[index].append(Double(threadNanoseconds() - begin) * 1e-9 / Double(counts[index]))
      }
    }
    var results: [String: RunResult] = [:]
    for (index, entry) in works.enumerated() {
      let done = counts[index] * slices
      var result = RunResult(
        operations: done, seconds: (median(costs[index]) ?? 0) * Double(done))
      if counts[index] == 1 { result.latency = quantiles(costs[index]) }
      result.checksum = try entry.work.outcome()
      results[entry.engine] = result
    }
    return results
  }

  /// Operations that fill a slice.
  private static func operations(for work: TimedWork) throws -> Int {
    // The first call pays for what a process does once, such as self tests.
    try work.run(1)
    var count = 1
    while true {
      let begin = threadNanoseconds()
      try work.run(count)
      let elapsed = threadNanoseconds() - begin
      if elapsed > sliceNanoseconds / 4 {
        return max(1, Int(UInt64(count) * sliceNanoseconds / elapsed))
      }
      count *= 2
    }
  }

  private static func quantiles(_ seconds: [Double]) -> LatencySample.Quantiles? {
    var sample = LatencySample()
    for one in seconds { sample.take(nanoseconds: UInt64(one * 1e9)) }
    return sample.quantiles()
  }
}
