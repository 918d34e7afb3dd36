import BenchmarkSupport
import Foundation

/// Measures one workload of the object suites on one engine.
struct ObjectWorker<Engine: ObjectEngine> {
  static var saveSize: Int { 1000 }
  static var smallSaveSize: Int { 100 }
  static var contextSize: Int { 1000 }
  /// Fetches are repeated until they took so long, in seconds.
  static var repeatTime: Double { 0.3 }

  private let order: WorkerOrder
  private var folderCount: Int { max(1, order.itemCount / 200) }

  /// Bytes of all properties: texts, a date, a priority, a flag.
  private var contents: Int {
    order.itemCount * (NoteText.titleCount + NoteText.bodyCount + 8 + 8 + 1)
  }

  init(_ order: WorkerOrder) { self.order = order }

  func run() throws -> RunResult {
    let workload = order.workload
    if workload.hasPrefix("open") { return try timeOpening() }
    let engine = try Engine(directory: order.directory, cache: order.cache)
    if workload.hasPrefix("template") || workload.hasPrefix("insert") {
      var result = try insert(engine)
      if workload.hasPrefix("template-killed") {
        result.version = engine.version
        try WorkerProcess.printAndDie([order.engine: result])
      }
      return try close(engine, result)
    }
    if workload.hasPrefix("enumerate") { return try close(engine, enumerate(engine)) }
    try engine.prepareAccess()
    return try close(engine, measure(engine))
  }

  private func measure(_ engine: Engine) throws -> RunResult {
    let name = order.workload
    switch name {
    case _ where name.hasPrefix("get"): return try gets(engine)
    case "fetch-all": return try repeated { try engine.fetchAll(&$0) }
    case "contains":
      return try repeated(countsCalls: true) {
        try engine.fetch(titleContaining: NoteText.rareWord, &$0)
      }
    case "count":
      return try repeated(countsCalls: true) { $0.take(Double(try engine.countFlagged())) }
    case "compact": return try compact(engine)
    case "children": return try children(engine)
    case "indexed-sorted-limit": return try sortedFetches(engine)
    case "update": return try saves(engine) { try engine.update($0, version: 2) }
    case "delete": return try saves(engine) { try engine.delete($0) }
    default: throw BenchmarkError("no workload is called \(name)")
    }
  }

  private func close(_ engine: Engine, _ measured: RunResult) throws -> RunResult {
    var result = measured
    result.version = engine.version
    result.settings = engine.settingsText
    try engine.close()
    result.size = DirectorySize(of: order.directory, isLog: Engine.isLog)
    return result
  }

  // MARK: Writing

  private func insert(_ engine: Engine) throws -> RunResult {
    var batches = LatencySample(capacity: order.itemCount / Self.saveSize + 1)
    var meter = Meter()
    if order.itemCount > 0 { try engine.insertFolders(folderCount) }
    for start in stride(from: 0, to: order.itemCount, by: Self.saveSize) {
      let begin = nanoseconds()
      let end = min(order.itemCount, start + Self.saveSize)
      try engine.insertNotes(start..<end, folderCount: folderCount)
      batches.take(nanoseconds: nanoseconds() - begin)
    }
    meter.noteLastCall()
    var result = meter.finish(
      operations: max(1, order.itemCount), end: Quiescence.wait(isBusy: { false }))
    result.latency = batches.quantiles()
    result.payload = contents
    return result
  }

  /// Random notes, none twice, in saves of a hundred.
  private func saves(
    _ engine: Engine, _ save: (ArraySlice<UInt32>) throws -> Void
  ) throws -> RunResult {
    var random = RandomSource(seed: order.seed)
    let notes = (0..<UInt32(order.itemCount)).shuffled(using: &random)
      .prefix(min(order.operationCount, order.itemCount))
    var batches = LatencySample(capacity: notes.count / Self.smallSaveSize + 1)
    var meter = Meter()
    for start in stride(from: 0, to: notes.count, by: Self.smallSaveSize) {
      let begin = nanoseconds()
      try save(notes[start..<min(notes.count, start + Self.smallSaveSize)])
      batches.take(nanoseconds: nanoseconds() - begin)
    }
    meter.noteLastCall()
    var result = meter.finish(
      operations: notes.count, end: Quiescence.wait(isBusy: { false }))
    result.latency = batches.quantiles()
    return result
  }

  private func compact(_ engine: Engine) throws -> RunResult {
    let meter = Meter()
    try engine.compact()
    var result = meter.finish(
      operations: order.itemCount, end: Quiescence.wait(isBusy: { false }))
    result.contents = contents
    return result
  }

  // MARK: Reading

  private func gets(_ engine: Engine) throws -> RunResult {
    let notes = KeySequence.random(
      count: order.operationCount, keyCount: order.itemCount, seed: order.seed)
    var warm = ValueChecksum()
    try engine.get(notes[0..<min(notes.count, 10_000)], &warm)
    var values = ValueChecksum()
    let meter = Meter()
    for start in stride(from: 0, to: notes.count, by: Self.contextSize) {
      try engine.get(notes[start..<min(notes.count, start + Self.contextSize)], &values)
    }
    var result = meter.finish(operations: notes.count)
    result.checksum = values.sum
    return result
  }

  /// Fetches again and again for a while; operations are values, or calls.
  private func repeated(
    countsCalls: Bool = false, _ fetch: (inout ValueChecksum) throws -> Void
  ) throws -> RunResult {
    var first = ValueChecksum()
    try fetch(&first)
    var values = 0
    var calls = 0
    let meter = Meter()
    repeat {
      var again = ValueChecksum()
      try fetch(&again)
      guard again.sum == first.sum else {
        throw BenchmarkError("\(order.engine): two fetches gave different values")
      }
      values += again.count
      calls += 1
    } while meter.elapsed < Self.repeatTime
    // Two values are read of each object.
    var result = meter.finish(operations: countsCalls ? calls : values / 2)
    result.checksum = first.sum
    return result
  }

  private func sortedFetches(_ engine: Engine) throws -> RunResult {
    var random = RandomSource(seed: order.seed)
    let count = max(200, order.operationCount / 50)
    var values = ValueChecksum()
    var sample = LatencySample(capacity: count)
    try engine.fetchSorted(priority: 0, &values)
    values = ValueChecksum()
    let meter = Meter()
    for _ in 0..<count {
      let priority = random.below(NoteFigures.priorityCount)
      let begin = nanoseconds()
      try engine.fetchSorted(priority: priority, &values)
      sample.take(nanoseconds: nanoseconds() - begin)
    }
    var result = meter.finish(operations: count)
    result.checksum = values.sum
    result.latency = sample.quantiles()
    return result
  }

  private func children(_ engine: Engine) throws -> RunResult {
    // Engines have orders of their own: the sum of the titles' checksums has none.
    var sum: UInt64 = 0
    var count = 0
    let meter = Meter()
    repeat {
      var pass: UInt64 = 0
      for folder in 0..<folderCount {
        try engine.children(ofFolder: folder) { title in
          var one = ValueChecksum()
          one.take(title)
          pass &+= one.sum
          count += 1
        }
      }
      sum = pass
    } while meter.elapsed < Self.repeatTime
    var result = meter.finish(operations: count)
    result.checksum = sum
    return result
  }

  private func enumerate(_ engine: Engine) throws -> RunResult {
    var values = ValueChecksum()
    let meter = Meter()
    try engine.enumerate(&values)
    var result = meter.finish(operations: max(1, values.count))
    result.checksum = values.sum
    return result
  }

  /// From nothing open to the first object's title.
  private func timeOpening() throws -> RunResult {
    try Engine.load()
    var values = ValueChecksum()
    let meter = Meter()
    let begin = nanoseconds()
    let engine = try Engine(directory: order.directory, cache: order.cache)
    try engine.first(&values)
    let elapsed = nanoseconds() - begin
    var result = meter.finish(operations: 1)
    var sample = LatencySample()
    sample.take(nanoseconds: elapsed)
    result.latency = sample.quantiles()
    result.checksum = values.sum
    return try close(engine, result)
  }
}
