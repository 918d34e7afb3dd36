import BenchmarkSupport

/// Workloads that read a store of `itemCount` possible keys.
struct ReadRun<Engine: KeyValueEngine> {
  /// Reads that share a snapshot or transaction.
  static var groupSize: Int { 1024 }
  /// One operation in so many is timed on its own.
  static var sampling: Int { 16 }
  static var multiGetSize: Int { 100 }
  static var seekNexts: Int { 10 }
  /// Scans are repeated until they took so long, in seconds.
  static var scanTime: Double { 0.3 }

  private let order: WorkerOrder
  private let engine: Engine

  init(_ order: WorkerOrder, _ engine: Engine) {
    self.order = order
    self.engine = engine
  }

  func run() throws -> RunResult {
    let name = order.workload.split(separator: "-").first.map(String.init) ?? order.workload
    let contents = try warm()
    var result = try read(name)
    result.contents = contents
    return result
  }

  private func read(_ name: String) throws -> RunResult {
    switch name {
    case "readrandom": return try randomReads()
    case "readmissing": return try randomReads(suffix: UInt8(ascii: "."))
    case "multiget": return try multiGets()
    case "seekrandom": return try seeks()
    case "readseq": return try scans { try engine.scan(from: nil, limit: .max, &$0) }
    case "readreverse": return try scans { try engine.scanBackward(&$0) }
    default: throw BenchmarkError("no workload is called \(order.workload)")
    }
  }

  /// Reads everything once in order, then at random.
  ///
  /// - Returns: Bytes of keys and values in the store.
  @discardableResult
  func warm() throws -> Int {
    var values = ValueChecksum()
    try engine.refresh()
    try engine.scan(from: nil, limit: .max, &values)
    let contents = values.count * (KeyFormat.size + FillWork.valueSize)
    try eachKey(count: min(order.itemCount, 200_000), seed: 99) { key, _ in
      _ = try engine.get(key, &values)
    }
    return contents
  }

  /// Calls `body` with keys drawn by chance, and the number of the call; a new snapshot every
  /// `groupSize` calls.
  private func eachKey(
    count: Int, seed: UInt64, suffix: UInt8? = nil,
    _ body: (UnsafeRawBufferPointer, Int) throws -> Void
  ) throws {
    let keys = KeySequence.random(count: count, keyCount: order.itemCount, seed: seed)
    let format = KeyFormat()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    defer { buffer.deallocate() }
    if let suffix { buffer[KeyFormat.size] = suffix }
    let size = KeyFormat.size + (suffix == nil ? 0 : 1)
    let key = UnsafeRawBufferPointer(rebasing: buffer[..<size])
    for (index, number) in keys.enumerated() {
      if index % Self.groupSize == 0 { try engine.refresh() }
      format.write(Int(number), to: buffer.baseAddress!)
      try body(key, index)
    }
  }

  func randomReads(suffix: UInt8? = nil, checksIsStable: Bool = true) throws -> RunResult {
    var values = ValueChecksum()
    var sample = LatencySample(capacity: order.operationCount / Self.sampling + 1)
    let meter = Meter()
    try eachKey(count: order.operationCount, seed: order.seed, suffix: suffix) { key, index in
      if index % Self.sampling == 0 {
        let begin = nanoseconds()
        _ = try engine.get(key, &values)
        sample.take(nanoseconds: nanoseconds() - begin)
      } else {
        _ = try engine.get(key, &values)
      }
    }
    return result(
      meter, operations: order.operationCount, values: checksIsStable ? values : nil, sample)
  }

  private func multiGets() throws -> RunResult {
    let keys = KeySequence.random(
      count: order.operationCount, keyCount: order.itemCount, seed: order.seed)
    let format = KeyFormat()
    let bytes = Self.multiGetSize * KeyFormat.size
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
    defer { buffer.deallocate() }
    var values = ValueChecksum()
    var sample = LatencySample(capacity: keys.count / Self.multiGetSize + 1)
    let meter = Meter()
    for start in stride(from: 0, to: keys.count, by: Self.multiGetSize) {
      let group = keys[start..<min(keys.count, start + Self.multiGetSize)]
      if start % (10 * Self.multiGetSize) == 0 { try engine.refresh() }
      let begin = nanoseconds()
      for (index, number) in group.enumerated() {
        format.write(Int(number), to: buffer.baseAddress! + index * KeyFormat.size)
      }
      try engine.multiGet(
        UnsafeRawBufferPointer(rebasing: buffer[..<(group.count * KeyFormat.size)]),
        keySize: KeyFormat.size, &values)
      sample.take(nanoseconds: nanoseconds() - begin)
    }
    return result(meter, operations: keys.count, values: values, sample)
  }

  private func seeks() throws -> RunResult {
    let count = order.operationCount / 4
    var values = ValueChecksum()
    var sample = LatencySample(capacity: count / Self.sampling + 1)
    let meter = Meter()
    try eachKey(count: count, seed: order.seed) { key, index in
      if index % Self.sampling == 0 {
        let begin = nanoseconds()
        try engine.scan(from: key, limit: 1 + Self.seekNexts, &values)
        sample.take(nanoseconds: nanoseconds() - begin)
      } else {
        try engine.scan(from: key, limit: 1 + Self.seekNexts, &values)
      }
    }
    return result(meter, operations: count, values: values, sample)
  }

  /// Scans the whole store, again and again for a while; operations are entries.
  private func scans(_ scan: (inout ValueChecksum) throws -> Void) throws -> RunResult {
    var first = ValueChecksum()
    var entries = 0
    var passes = 0
    let meter = Meter()
    repeat {
      var values = ValueChecksum()
      try engine.refresh()
      try scan(&values)
      if passes == 0 { first = values }
      guard values.sum == first.sum else {
        throw BenchmarkError("\(order.engine): two scans gave different values")
      }
      entries += values.count
      passes += 1
    } while meter.elapsed < Self.scanTime
    return result(meter, operations: entries, values: first, nil)
  }

  /// One scan right after opening, nothing in the engine's caches.
  func coldScan() throws -> RunResult {
    var values = ValueChecksum()
    let meter = Meter()
    try engine.refresh()
    try engine.scan(from: nil, limit: .max, &values)
    return result(meter, operations: values.count, values: values, nil)
  }

  private func result(
    _ meter: Meter, operations: Int, values: ValueChecksum?, _ sample: LatencySample?
  ) -> RunResult {
    var measurement = meter.finish(operations: operations)
    measurement.latency = sample?.quantiles()
    measurement.checksum = values.map { $0.sum &+ UInt64($0.count) }
    return measurement
  }
}
