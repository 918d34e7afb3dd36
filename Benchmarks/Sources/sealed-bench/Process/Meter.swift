import BenchmarkSupport

/// Takes time, memory, processor and device figures over a stretch of work.
struct Meter {
  private let written: Int?
  private let processor: Double
  private let start: UInt64
  private var lastCall: UInt64?

  /// Begins a stretch.
  init() {
    ProcessFigures.resetPeak()
    written = ProcessFigures.writtenToDevice
    processor = ProcessFigures.processorSeconds
    start = nanoseconds()
  }

  /// Says that the last call has returned, while work goes on behind it.
  mutating func noteLastCall() { lastCall = nanoseconds() }

  /// Seconds since the beginning.
  var elapsed: Double { Double(nanoseconds() - start) * 1e-9 }

  /// Ends the stretch.
  ///
  /// - Parameter end: When the work ended; now, if not given.
  func finish(operations: Int, end: UInt64? = nil) -> RunResult {
    let end = end ?? nanoseconds()
    var result = RunResult(
      operations: operations,
      seconds: Double(max(end, lastCall ?? end) - start) * 1e-9)
    result.secondsToLastCall = lastCall.map { Double($0 - start) * 1e-9 }
    result.processorSeconds = ProcessFigures.processorSeconds - processor
    result.peakResident = ProcessFigures.peakResident
    if let written, let now = ProcessFigures.writtenToDevice { result.written = now - written }
    return result
  }
}
