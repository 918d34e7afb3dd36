/// What one process measured of one workload on one engine.
public struct RunResult: Codable, Sendable, Equatable {
  /// Operations done in the time below.
  public var operations: Int
  /// Seconds until the work and what the engine does behind it were done.
  public var seconds: Double
  /// Seconds until the last call returned, where background work goes on after it.
  public var secondsToLastCall: Double?
  /// Latencies of sampled operations; of a fill's, of its batches.
  public var latency: LatencySample.Quantiles?
  /// Space that the store takes afterwards.
  public var size: DirectorySize?
  /// The most memory resident meanwhile, in bytes.
  public var peakResident: Int?
  /// Bytes written to the device meanwhile.
  public var written: Int?
  /// Bytes of keys and values that were written, for the write amplification.
  public var payload: Int?
  /// Bytes of keys and values, or of properties, that the store holds, to compare its size with.
  public var contents: Int?
  /// Processor seconds of all threads meanwhile.
  public var processorSeconds: Double?
  /// What was read, to compare engines by; nil where it depends on chance.
  public var checksum: UInt64?
  /// The engine's version.
  public var version: String
  /// The engine's settings, for people.
  public var settings: String

  /// A measurement of which the rest is to be filled in.
  public init(operations: Int, seconds: Double, version: String = "", settings: String = "") {
    self.operations = operations
    self.seconds = seconds
    self.version = version
    self.settings = settings
  }

  /// Operations a second, background work included.
  public var rate: Double { Double(operations) / seconds }
}
