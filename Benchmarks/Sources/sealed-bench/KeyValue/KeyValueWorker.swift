import BenchmarkSupport
import Foundation

/// Measures one workload of the key-value suites on one engine.
struct KeyValueWorker<Engine: KeyValueEngine> {
  let order: WorkerOrder
  let settings: KeyValueSettings

  init(_ order: WorkerOrder) {
    self.order = order
    let isYCSB = order.suite == "ycsb"
    settings = KeyValueSettings(
      cache: order.cache, readsAreSingle: isYCSB, valuesAreLarge: isYCSB)
  }

  /// Workloads of `kv` are named after db_bench's; `-a` and `-b` say on which store they read.
  func run() throws -> RunResult {
    if order.suite == "ycsb" { return try YCSBRun<Engine>(order, settings).run() }
    switch order.workload {
    case "template-a": return try fill(FillWork.random(order, version: 1))
    case "template-b": return try compactTemplate()
    case "template-large":
      _ = try fill(FillWork.sequential(order))
      return try compactTemplate()
    case "fillseq": return try fill(FillWork.sequential(order))
    case "fillrandom": return try fill(FillWork.random(order, version: 1))
    case "overwrite": return try fill(FillWork.random(order, version: 2))
    case "deleterandom": return try fill(FillWork.deletes(order))
    case "readwhilewriting-a", "readwhilewriting-b": return try readWhileWriting()
    case "readseq-cold": return try opened { try ReadRun(order, $0).coldScan() }
    default: return try opened { try ReadRun(order, $0).run() }
    }
  }

  private func fill(_ work: FillWork) throws -> RunResult {
    let engine = try Engine(directory: order.directory, settings: settings)
    return try close(engine, try work.run(engine))
  }

  private func opened(_ body: (Engine) throws -> RunResult) throws -> RunResult {
    let engine = try Engine(directory: order.directory, settings: settings)
    return try close(engine, try body(engine))
  }

  private func compactTemplate() throws -> RunResult {
    try opened { engine in
      let meter = Meter()
      try engine.compact()
      return meter.finish(
        operations: order.itemCount, end: Quiescence.wait(isBusy: { engine.isBusy }))
    }
  }

  private func readWhileWriting() throws -> RunResult {
    try opened { engine in
      let reads = ReadRun(order, engine)
      try reads.warm()
      let writer = try PacedWriter(engine.secondHandle(), order)
      writer.start()
      let measurement = try reads.randomReads(checksIsStable: false)
      try writer.stop()
      return measurement
    }
  }

  /// Closes the store and fills in what is known only then.
  private func close(_ engine: Engine, _ measured: RunResult) throws -> RunResult {
    var measurement = measured
    measurement.version = engine.version
    measurement.settings = engine.settingsText
    try engine.close()
    measurement.size = DirectorySize(of: order.directory, isLog: Engine.isLog)
    return measurement
  }
}
