internal import Foundation

/// A suite's rows for people and for programs.
public struct Report: Sendable {
  /// The rows, workload by workload.
  public let rows: [ResultRow]

  /// A report of rows.
  public init(rows: [ResultRow]) { self.rows = rows }

  private var engines: [String] { unique(rows.map(\.engine)) }
  private var workloads: [String] { unique(rows.map(\.workload)) }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func row(_ workload: String, _ engine: String) -> ResultRow? {
    rows.first { $0.workload == workload && $0.engine == engine }
  }

  /// Operations a second of every engine, and the product's ratio to it.
  public var overview: String {
    overview(title: "operations/s (ratio)", { $0.opsPerSecond }, { $0.ratioTo })
  }

  /// The same of operations a processor second; nil where they weren't counted.
  public var processorOverview: String? {
    guard rows.contains(where: { $0.opsPerProcessorSecond != nil }) else { return nil }
    return overview(
      title: "operations/processor s (ratio)", { $0.opsPerProcessorSecond },
      { $0.ratioToPerProcessor })
  }

  private func overview(
    title: String, _ rate: (ResultRow) -> Double?, _ ratios: (ResultRow) -> [String: Double]
  ) -> String {
    var table = TextTable(header: [title] + engines)
    for workload in workloads {
      let ratios = row(workload, RoundTable.product).map(ratios) ?? [:]
      table.add(
        [workload]
          + engines.map { engine in
            guard let rate = row(workload, engine).flatMap(rate) else { return "–" }
            let text = Figures.rate(rate)
            return ratios[engine].map { "\(text) (\(Figures.digits($0)))" } ?? text
          })
    }
    return table.text
  }

  /// Latencies, space, memory and what was written: the columns that the suite fills.
  public var details: String {
    func figure(_ value: Double?) -> String? { value.map(Figures.digits) }
    func bytes(_ value: Int?) -> String? { value.map(Figures.bytes) }
    let columns: [(title: String, cell: (ResultRow) -> String?)] = [
      ("engine", { $0.engine }),
      ("to last call/s", { $0.opsPerSecondToLastCall.map(Figures.rate) }),
      ("p50 µs", { figure($0.p50us) }), ("p99 µs", { figure($0.p99us) }),
      ("p99.9 µs", { figure($0.p999us) }), ("disk", { bytes($0.bytesOnDisk) }),
      ("without logs", { bytes($0.bytesOnDiskWithoutLogs) }),
      ("peak memory", { bytes($0.peakRSS) }), ("written", { bytes($0.bytesWritten) }),
      ("amplification", { figure($0.writeAmplification) }),
      ("disk/contents", { figure($0.spaceAmplification) }),
      ("processors", { figure($0.processors) }),
      (
        "slowest…fastest/s",
        { "\(Figures.rate($0.opsPerSecondLeast))…\(Figures.rate($0.opsPerSecondMost))" }
      ),
    ].filter { column in rows.contains { column.cell($0) != nil } }
    var table = TextTable(header: ["workload"] + columns.map(\.title))
    for row in rows { table.add([row.workload] + columns.map { $0.cell(row) ?? "–" }) }
    return table.text
  }

  /// Version and settings of every engine.
  public var settings: String {
    engines.compactMap { engine in
      rows.first { $0.engine == engine }.map { "- \(engine) \($0.version): \($0.settings)" }
    }.joined(separator: "\n")
  }

  /// The rows as a JSON array, one a line.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}
