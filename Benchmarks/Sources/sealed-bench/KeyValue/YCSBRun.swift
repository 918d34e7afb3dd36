import BenchmarkSupport

/// YCSB's workloads: single operations, each seeing all before it.
struct YCSBRun<Engine: KeyValueEngine> {
  private static var valueSize: Int { 1000 }
  private static var sampling: Int { 16 }

  private let order: WorkerOrder
  private let settings: KeyValueSettings

  init(_ order: WorkerOrder, _ settings: KeyValueSettings) {
    self.order = order
    self.settings = settings
  }

  func run() throws -> RunResult {
    let engine = try Engine(directory: order.directory, settings: settings)
    var measurement = try order.workload == "template-load" ? load(engine) : work(engine)
    measurement.version = engine.version
    measurement.settings = engine.settingsText
    try engine.close()
    measurement.size = DirectorySize(of: order.directory, isLog: Engine.isLog)
    return measurement
  }

  private func load(_ engine: Engine) throws -> RunResult {
    let keys = YCSBKey()
    let pool = ValuePool(valueSize: Self.valueSize)
    var meter = Meter()
    for start in stride(from: 0, to: order.itemCount, by: FillWork.batchSize) {
      try engine.write { batch in
        for record in start..<min(order.itemCount, start + FillWork.batchSize) {
          try batch.put(keys.bytes(record), pool.value(key: record, version: 1))
        }
      }
    }
    meter.noteLastCall()
    return meter.finish(
      operations: order.itemCount, end: Quiescence.wait(isBusy: { engine.isBusy }))
  }

  private func work(_ engine: Engine) throws -> RunResult {
    let letter = order.workload.split(separator: "-").last.map(String.init) ?? ""
    guard let workload = YCSBWorkload(rawValue: letter.lowercased()) else {
      throw BenchmarkError("no workload is called \(order.workload)")
    }
    let trace = workload.trace(
      count: order.operationCount, recordCount: order.itemCount, seed: order.seed)
    var steps = YCSBSteps(engine, valueSize: Self.valueSize)
    for record in 0..<min(order.itemCount, 50_000) { try steps.run(.read(record: record)) }
    steps.forget()
    var sample = LatencySample(capacity: trace.count / Self.sampling + 1)
    var meter = Meter()
    for (index, operation) in trace.enumerated() {
      if index % Self.sampling == 0 {
        let begin = nanoseconds()
        try steps.run(operation)
        sample.take(nanoseconds: nanoseconds() - begin)
      } else {
        try steps.run(operation)
      }
    }
    meter.noteLastCall()
    let end = Quiescence.wait(isBusy: { engine.isBusy })
    var measurement = meter.finish(operations: trace.count, end: end)
    measurement.latency = sample.quantiles()
    measurement.payload = steps.payload
    measurement.checksum = steps.values.sum &+ UInt64(steps.values.count)
    return measurement
  }
}

/// Does operations one by one.
private struct YCSBSteps<Engine: KeyValueEngine> {
  private let engine: Engine
  private let keys = YCSBKey()
  private let pool: ValuePool
  private var version = 1
  private(set) var values = ValueChecksum()
  private(set) var payload = 0

  init(_ engine: Engine, valueSize: Int) {
    self.engine = engine
    pool = ValuePool(valueSize: valueSize)
  }

  /// Begins the counts anew.
  mutating func forget() {
    values = ValueChecksum()
    payload = 0
  }

  mutating func run(_ operation: YCSBWorkload.Operation) throws {
    switch operation {
    case .read(let record): try read(record)
    case .update(let record), .insert(let record): try write(record)
    case .readModifyWrite(let record):
      try read(record)
      try write(record)
    case .scan(let record, let count):
      try engine.refresh()
      try engine.scan(from: keys.bytes(record), limit: count, &values)
    }
  }

  private mutating func read(_ record: Int) throws {
    try engine.refresh()
    _ = try engine.get(keys.bytes(record), &values)
  }

  /// Writes the whole record, in a commit of its own.
  private mutating func write(_ record: Int) throws {
    version += 1
    let key = keys.bytes(record)
    let value = pool.value(key: record, version: version)
    payload += key.count + value.count
    try engine.write { batch in try batch.put(key, value) }
  }
}

/// Keys of records: `user` and twenty digits of the number's hash, so that records inserted one
/// after the other lie far apart.
private final class YCSBKey {
  private let format = KeyFormat()
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: 40, alignment: 16)

  deinit { memory.deallocate() }

  /// The key of a record; good until the next call.
  func bytes(_ record: Int) -> UnsafeRawBufferPointer {
    let (high, low) = fnv64(UInt64(record)).quotientAndRemainder(
      dividingBy: 10_000_000_000_000_000)
    // Sixteen digits are written at a time; what the later writes leave of the first are four.
    let key = memory + 16
    format.write(Int(high), to: key - 8)
    format.write(Int(low), to: key + 8)
    key.copyMemory(from: "user", byteCount: 4)
    return UnsafeRawBufferPointer(start: key, count: 24)
  }
}
