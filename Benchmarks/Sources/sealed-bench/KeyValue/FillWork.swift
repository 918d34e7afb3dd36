import BenchmarkSupport

/// A workload that writes: keys in an order, in batches of a thousand.
struct FillWork {
  static let batchSize = 1000
  static let valueSize = 100

  private let keys: [UInt32]
  /// The version whose values are put; nil deletes.
  private let version: Int?

  static func sequential(_ order: WorkerOrder) -> FillWork {
    FillWork(keys: KeySequence.sequential(keyCount: order.itemCount), version: 1)
  }

  /// As many puts as there are keys, each of a key drawn by chance: about 63 % of keys get one.
  static func random(_ order: WorkerOrder, version: Int) -> FillWork {
    FillWork(
      keys: KeySequence.random(
        count: order.itemCount, keyCount: order.itemCount,
        seed: version == 1 ? 1 : order.seed &+ UInt64(version)),
      version: version)
  }

  static func deletes(_ order: WorkerOrder) -> FillWork {
    FillWork(
      keys: KeySequence.random(
        count: order.itemCount, keyCount: order.itemCount, seed: order.seed &+ 3),
      version: nil)
  }

  /// Does the work, to the last call and to the end of what the engine does behind it.
  func run<Engine: KeyValueEngine>(_ engine: Engine) throws -> RunResult {
    let format = KeyFormat()
    let pool = ValuePool(valueSize: Self.valueSize)
    let keyBuffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: KeyFormat.size, alignment: 16)
    defer { keyBuffer.deallocate() }
    let key = UnsafeRawBufferPointer(keyBuffer)
    var batches = LatencySample(capacity: keys.count / Self.batchSize + 1)
    var meter = Meter()
    for start in stride(from: 0, to: keys.count, by: Self.batchSize) {
      let begin = nanoseconds()
      try engine.write { batch in
        for number in keys[start..<min(keys.count, start + Self.batchSize)] {
          format.write(Int(number), to: keyBuffer.baseAddress!)
          if let version {
            try batch.put(key, pool.value(key: Int(number), version: version))
          } else {
            try batch.delete(key)
          }
        }
      }
      batches.take(nanoseconds: nanoseconds() - begin)
    }
    meter.noteLastCall()
    let end = Quiescence.wait(isBusy: { engine.isBusy })
    var measurement = meter.finish(operations: keys.count, end: end)
    measurement.latency = batches.quantiles()
    measurement.payload = keys.count * (KeyFormat.size + (version == nil ? 0 : Self.valueSize))
    return measurement
  }
}
