/// The measurements of a suite by workload, engine and round; rows come of it.
public struct RoundTable: Sendable {
  /// The engine whose rows hold ratios.
  public static let product = "sealed"

  private let suite: String
  private var workloads: [String] = []
  private var engines: [String] = []
  private var measurements: [String: [String: [Int: RunResult]]] = [:]

  /// An empty table.
  public init(suite: String) { self.suite = suite }

  /// Takes in what one process measured.
  public mutating func take(
    _ measurement: RunResult, workload: String, engine: String, round: Int
  ) {
    if !workloads.contains(workload) { workloads.append(workload) }
    if !engines.contains(engine) { engines.append(engine) }
    measurements[workload, default: [:]][engine, default: [:]][round] = measurement
  }

  /// Engines that read something else than the first one did, in words; empty where all agree.
  public func disagreements(workload: String, round: Int) -> [String] {
    let sums = engines.compactMap { engine in
      measurements[workload]?[engine]?[round]?.checksum.map { (engine: engine, sum: $0) }
    }
    guard let first = sums.first else { return [] }
    return sums.dropFirst().filter { $0.sum != first.sum }.map {
      "\(workload), round \(round + 1): \($0.engine) read other values than \(first.engine)"
    }
  }

  /// A row for every workload and engine that was measured.
  public var rows: [ResultRow] {
    workloads.flatMap { workload in
      engines.compactMap { engine in
        measurements[workload]?[engine].flatMap { row(workload, engine, $0) }
      }
    }
  }

  private func row(
    _ workload: String, _ engine: String, _ rounds: [Int: RunResult]
  ) -> ResultRow? {
    let all = rounds.sorted { $0.key < $1.key }.map(\.value)
    let rates = all.map(\.rate)
    guard let rate = median(rates), let last = all.last else { return nil }
    func middle(_ value: (RunResult) -> Double?) -> Double? { median(all.compactMap(value)) }
    func middle(_ value: (RunResult) -> Int?) -> Int? {
      median(all.compactMap(value).map(Double.init)).map { Int($0) }
    }
    return ResultRow(
      suite: suite, workload: workload, engine: engine, opsPerSecond: rate,
      opsPerSecondLeast: rates.min() ?? rate, opsPerSecondMost: rates.max() ?? rate,
      opsPerSecondToLastCall: middle { one in
        one.secondsToLastCall.map { Double(one.operations) / $0 }
      },
      p50us: middle { $0.latency?.p50 }, p99us: middle { $0.latency?.p99 },
      p999us: middle { $0.latency?.p999 }, bytesOnDisk: middle { $0.size?.total },
      bytesOnDiskWithoutLogs: middle { $0.size?.withoutLogs },
      peakRSS: middle { $0.peakResident }, bytesWritten: middle { $0.written },
      writeAmplification: middle { one in
        guard let written = one.written, let payload = one.payload, payload > 0 else { return nil }
        return Double(written) / Double(payload)
      },
      spaceAmplification: middle { one in
        guard let size = one.size?.withoutLogs, let contents = one.contents, contents > 0 else {
          return nil
        }
        return Double(size) / Double(contents)
      },
      processors: middle { one in one.processorSeconds.map { $0 / one.seconds } },
      opsPerProcessorSecond: middle { one in
        one.processorSeconds.map { Double(one.operations) / $0 }
      },
      rounds: all.count, ratioTo: ratios(workload, engine) { 1 / $0.rate },
      ratioToPerProcessor: ratios(workload, engine) { one in
        one.processorSeconds.map { $0 / Double(one.operations) }
      },
      ratioToLastCall: ratios(workload, engine) { one in
        one.secondsToLastCall.map { $0 / Double(one.operations) }
      },
      version: last.version, settings: last.settings)
  }

  /// By peer, its cost over the product's: the median over the rounds in which both ran.
  private func ratios(
    _ workload: String, _ engine: String, cost: (RunResult) -> Double?
  ) -> [String: Double] {
    guard engine == Self.product, let ours = measurements[workload]?[engine] else { return [:] }
    var result: [String: Double] = [:]
    for peer in engines where peer != engine {
      let theirs = measurements[workload]?[peer] ?? [:]
      let ratios = ours.compactMap { round, measurement -> Double? in
        guard let other = theirs[round].flatMap(cost), let own = cost(measurement) else {
          return nil
        }
        return other / own
      }
      if let ratio = median(ratios) { result[peer] = ratio }
    }
    return result
  }
}
