import BenchmarkSupport
import Foundation

/// Measures SealedStore beside what its users would pick instead.
@main
enum Main {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      if words.first == WorkerProcess.flag, words.count == 2 {
        try Worker.run(words[1])
      } else {
        try run(Arguments(words))
      }
    } catch {
      FileHandle.standardError.write(Data("sealed-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) throws {
    let start = nanoseconds()
    let plan = try SuiteCatalog.plan(arguments.suite, scale: arguments.scale)
    let runner = try SuiteRunner(plan: plan, arguments: arguments)
    let report = Report(rows: try runner.run())
    let seconds = Double(nanoseconds() - start) * 1e-9
    print(
      """
      ## Suite \(plan.name), scale \(arguments.scale), \(runner.rounds) rounds, \
      \(Int(seconds.rounded())) s

      \(Machine.description)

      \([report.overview, report.processorOverview, report.details].compactMap(\.self)
        .joined(separator: "\n\n"))

      \(report.settings)
      """)
    if let path = arguments.json {
      try report.json().write(toFile: path, atomically: true, encoding: .utf8)
    }
    if let path = arguments.svg {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let chart =
        plan.name == "growth"
        ? GrowthChart(title: "What objects cost as their number grows", rows: report.rows).svg
        : BarChart(title: "Operations a second: \(plan.name)", rows: report.rows).svg
      try chart.write(toFile: "\(path)/\(plan.name).svg", atomically: true, encoding: .utf8)
    }
  }
}
