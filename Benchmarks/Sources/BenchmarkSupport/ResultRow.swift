/// One line of a suite's result: a workload on an engine, the median of its rounds.
public struct ResultRow: Codable, Sendable, Equatable {
  public var suite: String
  public var workload: String
  public var engine: String
  /// Operations a second, to the end of background work.
  public var opsPerSecond: Double
  /// The slowest round's.
  public var opsPerSecondLeast: Double
  /// The fastest round's.
  public var opsPerSecondMost: Double
  /// Operations a second to the last call, where background work goes on after it.
  public var opsPerSecondToLastCall: Double?
  public var p50us: Double?
  public var p99us: Double?
  public var p999us: Double?
  public var bytesOnDisk: Int?
  public var bytesOnDiskWithoutLogs: Int?
  public var peakRSS: Int?
  public var bytesWritten: Int?
  /// Bytes written over bytes of keys and values put.
  public var writeAmplification: Double?
  /// Space on disk without logs over the bytes of what the store holds.
  public var spaceAmplification: Double?
  /// Processor seconds of all threads over seconds.
  public var processors: Double?
  /// Operations a processor second, all threads together: what waiting for the medium and for
  /// other programs doesn't change.
  public var opsPerProcessorSecond: Double?
  /// Rounds that the row is the median of.
  public var rounds: Int
  /// The product's operations a second over each peer's, the median over the rounds of the ratio
  /// within the round; empty in a peer's row.
  public var ratioTo: [String: Double]
  /// The same of operations a processor second.
  public var ratioToPerProcessor: [String: Double]
  /// The same as `ratioTo`, to the last call.
  public var ratioToLastCall: [String: Double]
  public var version: String
  public var settings: String

  private enum CodingKeys: String, CodingKey {
    case suite, workload, engine, opsPerSecond, opsPerSecondLeast, opsPerSecondMost
    case opsPerSecondToLastCall, p50us, p99us, p999us, bytesOnDisk, bytesOnDiskWithoutLogs
    case peakRSS, bytesWritten, writeAmplification, spaceAmplification, processors, rounds, ratioTo,
      ratioToLastCall
    case version, settings, opsPerProcessorSecond, ratioToPerProcessor
  }

  /// Writes every key in every row: one that was not measured is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(suite, forKey: .suite)
    try container.encode(workload, forKey: .workload)
    try container.encode(engine, forKey: .engine)
    try container.encode(opsPerSecond, forKey: .opsPerSecond)
    try container.encode(opsPerSecondLeast, forKey: .opsPerSecondLeast)
    try container.encode(opsPerSecondMost, forKey: .opsPerSecondMost)
    try container.encode(opsPerSecondToLastCall, forKey: .opsPerSecondToLastCall)
    try container.encode(p50us, forKey: .p50us)
    try container.encode(p99us, forKey: .p99us)
    try container.encode(p999us, forKey: .p999us)
    try container.encode(bytesOnDisk, forKey: .bytesOnDisk)
    try container.encode(bytesOnDiskWithoutLogs, forKey: .bytesOnDiskWithoutLogs)
    try container.encode(peakRSS, forKey: .peakRSS)
    try container.encode(bytesWritten, forKey: .bytesWritten)
    try container.encode(writeAmplification, forKey: .writeAmplification)
    try container.encode(spaceAmplification, forKey: .spaceAmplification)
    try container.encode(processors, forKey: .processors)
    try container.encode(opsPerProcessorSecond, forKey: .opsPerProcessorSecond)
    try container.encode(ratioToPerProcessor, forKey: .ratioToPerProcessor)
    try container.encode(rounds, forKey: .rounds)
    try container.encode(ratioTo, forKey: .ratioTo)
    try container.encode(ratioToLastCall, forKey: .ratioToLastCall)
    try container.encode(version, forKey: .version)
    try container.encode(settings, forKey: .settings)
  }
}
