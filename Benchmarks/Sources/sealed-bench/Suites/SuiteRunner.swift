import BenchmarkSupport
import Foundation

/// Runs a suite: engines in turn, round by round, each workload on each in a process of its own.
struct SuiteRunner {
  let plan: SuitePlan
  let engines: [String]
  let workloads: [SuitePlan.Workload]
  let rounds: Int
  /// Where stores are made; emptied afterwards.
  let directory: String
  let helper: String

  init(plan: SuitePlan, arguments: Arguments) throws {
    self.plan = plan
    engines = try Self.engines(plan, peers: arguments.peers)
    workloads = try Self.workloads(plan, only: arguments.only)
    rounds = arguments.rounds ?? plan.rounds
    directory = "\(arguments.directory)/\(plan.name)-\(getpid())"
    helper = arguments.helper
  }

  /// The product and the peers asked for.
  private static func engines(_ plan: SuitePlan, peers: [String]?) throws -> [String] {
    guard let peers else { return plan.engines }
    for peer in peers where !plan.engines.contains(peer) {
      throw BenchmarkError(
        "\(plan.name) doesn't run \(peer); it runs \(plan.engines.joined(separator: ", "))")
    }
    return plan.engines.filter { $0 == RoundTable.product || peers.contains($0) }
  }

  private static func workloads(
    _ plan: SuitePlan, only: [String]?
  ) throws -> [SuitePlan.Workload] {
    guard let only else { return plan.workloads }
    let chosen = plan.workloads.filter { workload in
      only.contains { workload.name == $0 || workload.name.hasPrefix($0 + "-") }
    }
    guard !chosen.isEmpty else {
      let names = plan.workloads.map(\.name).joined(separator: ", ")
      throw BenchmarkError("\(plan.name) has no workload of that name; it has \(names)")
    }
    return chosen
  }

  /// Runs everything.
  func run() throws -> [ResultRow] {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try makeTemplates()
    var table = RoundTable(suite: plan.name)
    for round in 0..<rounds {
      for workload in workloads {
        for group in groups(workload, round: round) {
          let title = group.joined(separator: " and ")
          note("round \(round + 1) of \(rounds): \(workload.name), \(title)")
          let results = try measure(workload, engines: group, round: round)
          for engine in group {
            guard let result = results[engine] else { continue }
            table.take(result, workload: workload.name, engine: engine, round: round)
          }
        }
        let disagreements = table.disagreements(workload: workload.name, round: round)
        guard disagreements.isEmpty else {
          throw BenchmarkError(disagreements.joined(separator: "\n"))
        }
      }
    }
    note("")
    return table.rows
  }

  /// The engines that run a workload in a round, by the process that they share.
  private func groups(_ workload: SuitePlan.Workload, round: Int) -> [[String]] {
    let chosen = engines.filter { runs($0, workload, round: round) }
    let together = chosen.filter { workload.together.contains($0) }
    let apart = chosen.filter { !workload.together.contains($0) }
    return (together.isEmpty ? [] : [together]) + apart.map { [$0] }
  }

  private func runs(_ engine: String, _ workload: SuitePlan.Workload, round: Int) -> Bool {
    if let chosen = workload.engines, !chosen.contains(engine) { return false }
    let isRare = workload.isRareForSlow && plan.slowEngines.contains(engine)
    return !isRare || round % 3 == 0
  }

  private func measure(
    _ workload: SuitePlan.Workload, engines: [String], round: Int
  ) throws -> [String: RunResult] {
    let place = "\(directory)/run"
    try? FileManager.default.removeItem(atPath: place)
    if let template = workload.template, let engine = engines.first {
      try copy(templatePath(template, engine), to: place)
    } else {
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: place) }
    // What was written before is not to be written out while this is timed.
    sync()
    return try WorkerProcess.run(
      order(
        workload.name, engines, place, items: workload.itemCount,
        operations: workload.operations, round: round),
      environment: workload.environment)
  }

  private func makeTemplates() throws {
    let needed = neededTemplates()
    for template in plan.templates where needed.contains(template.name) {
      for engine in engines where template.engines?.contains(engine) != false {
        note("preparing: store \(template.name), \(engine)")
        let path = templatePath(template.name, engine)
        if let base = template.base {
          try copy(templatePath(base, engine), to: path)
        } else {
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        }
        let name = "template-\(template.name)"
        _ = try WorkerProcess.run(
          order(
            name, [engine], path, items: template.itemCount, operations: plan.itemCount,
            round: 0))
      }
    }
  }

  private func neededTemplates() -> Set<String> {
    var needed = Set(workloads.compactMap(\.template))
    for template in plan.templates.reversed() where needed.contains(template.name) {
      if let base = template.base { needed.insert(base) }
    }
    return needed
  }

  private func templatePath(_ name: String, _ engine: String) -> String {
    "\(directory)/\(engine)-template-\(name)"
  }

  private func copy(_ source: String, to target: String) throws {
    // cp keeps files' holes.
    _ = try WorkerProcess.run(
      executable: "/bin/cp", ["-a", "--sparse=auto", source, target],
      title: "copying \(source)")
  }

  private func order(
    _ workload: String, _ engines: [String], _ place: String, items: Int?, operations: Int,
    round: Int
  ) -> WorkerOrder {
    WorkerOrder(
      suite: plan.name, workload: workload, engines: engines, directory: place,
      itemCount: items ?? plan.itemCount, operationCount: operations, cache: plan.cache,
      seed: UInt64(1000 + round), helper: helper)
  }

  /// Says on a terminal what is being done; a log gets nothing.
  private func note(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }
}
