import BenchmarkSupport
import Foundation
import Synchronization

/// Measures durable saves beside raw overwriting, in one process, in slices that take turns: the
/// medium's moods are the same for both.
struct DurabilityWorker {
  private static let savesASlice = 100

  private let order: WorkerOrder
  private var slices: Int { max(3, order.operationCount / Self.savesASlice) }

  init(_ order: WorkerOrder) { self.order = order }

  func run() throws -> [String: RunResult] {
    let saves = try DurableSaves(directory: order.directory)
    let frameSize = try saves.frameSize()
    let raw = try RawFile(
      path: order.directory + "/raw", frameSize: frameSize,
      appends: order.workload == "append-1")
    let threads = order.workload == "durable-8" ? 8 : 1
    let crew = Crew(saves, threads: threads)
    var costs: (saves: [Double], raw: [Double]) = ([], [])
    var rawSample = LatencySample()
    for _ in 0..<slices {
      if order.engines.contains("sealed") {
        costs.saves.append(try crew.slice(total: Self.savesASlice * threads))
      }
      let begin = nanoseconds()
      for _ in 0..<Self.savesASlice {
        let one = nanoseconds()
        try raw.commit()
        rawSample.take(nanoseconds: nanoseconds() - one)
      }
      costs.raw.append(Double(nanoseconds() - begin) * 1e-9 / Double(Self.savesASlice))
    }
    var results: [String: RunResult] = [:]
    if order.engines.contains("sealed") {
      results["sealed"] = result(
        costs.saves, crew.sample, version: Versions.product,
        "save(durability: .full) of one object, \(threads) threads, \(frameSize) bytes a commit")
    }
    results["raw"] = result(
      costs.raw, rawSample, version: ProcessInfo.processInfo.operatingSystemVersionString,
      "pwrite of \(frameSize) bytes and fdatasync, one thread, "
        + "\(order.workload == "append-1" ? "at the end" : "over written blocks")")
    try saves.close()
    return results
  }

  private func result(
    _ costs: [Double], _ sample: LatencySample, version: String, _ settings: String
  ) -> RunResult {
    var result = RunResult(
      operations: costs.count * Self.savesASlice,
      seconds: (median(costs) ?? 0) * Double(costs.count * Self.savesASlice),
      version: version, settings: settings)
    result.latency = sample.quantiles()
    return result
  }
}

/// Threads that save side by side.
private final class Crew {
  private let saves: DurableSaves
  private let threads: Int
  private(set) var sample = LatencySample()

  init(_ saves: DurableSaves, threads: Int) {
    self.saves = saves
    self.threads = threads
  }

  /// Saves `total` objects, shared out to the threads.
  ///
  /// - Returns: Seconds a save.
  func slice(total: Int) throws -> Double {
    let share = total / threads
    let outcomes = Mutex<[Result<LatencySample, any Error>]>([])
    let ended = DispatchSemaphore(value: 0)
    let saves = saves
    let begin = nanoseconds()
    // Threads of their own: a pool has no more than there are processors, and these wait.
    for _ in 0..<threads {
      Thread.detachNewThread {
        let outcome = Result {
          let saver = DurableSaves.Saver(saves)
          for _ in 0..<share { try saver.save() }
          return saver.sample
        }
        outcomes.withLock { $0.append(outcome) }
        ended.signal()
      }
    }
    for _ in 0..<threads { ended.wait() }
    let seconds = Double(nanoseconds() - begin) * 1e-9
    for outcome in outcomes.withLock({ $0 }) { sample.merge(try outcome.get()) }
    return seconds / Double(share * threads)
  }
}
