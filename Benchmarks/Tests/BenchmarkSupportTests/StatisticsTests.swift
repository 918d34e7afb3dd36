import BenchmarkSupport
import Foundation
import Testing

struct StatisticsTests {
  @Test func medianOfOddEvenAndNone() {
    #expect(median([3, 1, 2]) == 2)
    #expect(median([4, 1, 2, 3]) == 2.5)
    #expect(median([]) == nil)
  }

  @Test func quantilesAreRanks() {
    var sample = LatencySample()
    for microsecond in (1...1000).reversed() {
      sample.take(nanoseconds: UInt64(microsecond) * 1000)
    }
    #expect(sample.quantiles() == .init(p50: 500, p99: 990, p999: 999))
    #expect(LatencySample().quantiles() == nil)
  }

  @Test func longDurationsAreClamped() {
    var sample = LatencySample()
    sample.take(nanoseconds: 10_000_000_000)
    #expect(sample.quantiles()?.p50 == Double(UInt32.max) / 1000)
  }

  /// Ours against theirs is taken within each round: a slow minute that hits both leaves it.
  @Test func ratioIsMedianOfRatiosWithinRounds() throws {
    var table = RoundTable(suite: "kv")
    let seconds = [(1.0, 2.0), (10.0, 40.0), (1.0, 3.0)]
    for (round, pair) in seconds.enumerated() {
      table.take(
        result(seconds: pair.0), workload: "fillseq", engine: "sealed", round: round)
      table.take(
        result(seconds: pair.1), workload: "fillseq", engine: "leveldb", round: round)
    }
    table.take(result(seconds: 4), workload: "fillseq", engine: "sqlite", round: 0)
    let row = try #require(table.rows.first { $0.engine == "sealed" })
    #expect(row.ratioTo == ["leveldb": 3, "sqlite": 4])
    #expect(row.rounds == 3)
    #expect(row.opsPerSecond == 1000)
    #expect(row.opsPerSecondLeast == 100)
    let peer = try #require(table.rows.first { $0.engine == "leveldb" })
    #expect(peer.ratioTo.isEmpty)
  }

  @Test func enginesThatReadOtherValuesAreNamed() {
    var table = RoundTable(suite: "kv")
    for (engine, sum) in [("sealed", UInt64(1)), ("lmdb", 1), ("sqlite", 2)] {
      var result = result(seconds: 1)
      result.checksum = sum
      table.take(result, workload: "readseq-a", engine: engine, round: 0)
    }
    let disagreements = table.disagreements(workload: "readseq-a", round: 0)
    #expect(disagreements.count == 1)
    #expect(disagreements.first?.contains("sqlite") == true)
    #expect(table.disagreements(workload: "readseq-a", round: 1).isEmpty)
  }

  @Test func everyKeyIsInEveryRowOfJSON() throws {
    var table = RoundTable(suite: "kv")
    table.take(result(seconds: 2), workload: "fillseq", engine: "sealed", round: 0)
    let text = try Report(rows: table.rows).json()
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    let row = try #require(parsed?.first)
    for key in [
      "suite", "workload", "engine", "opsPerSecond", "p50us", "p99us", "p999us", "bytesOnDisk",
      "peakRSS", "bytesWritten", "ratioTo", "version", "settings",
    ] {
      #expect(row[key] != nil, "\(key)")
    }
    #expect(row["opsPerSecond"] as? Double == 500)
    let again = try JSONDecoder().decode([ResultRow].self, from: Data(text.utf8))
    #expect(again == table.rows)
  }

  @Test func chartNamesWorkloadsEnginesAndRates() {
    var table = RoundTable(suite: "kv")
    table.take(result(seconds: 1), workload: "a<b", engine: "sealed", round: 0)
    table.take(result(seconds: 2), workload: "a<b", engine: "lmdb", round: 0)
    let svg = BarChart(title: "A & B", rows: table.rows).svg
    #expect(svg.hasPrefix("<svg "))
    for part in ["a&lt;b", "A &amp; B", "sealed", "lmdb", "1.00 k/s", "500/s"] {
      #expect(svg.contains(part), "\(part)")
    }
  }

  @Test func growthChartHasACurveForEachWorkload() {
    var table = RoundTable(suite: "growth")
    for (workload, seconds) in [("get-10k", 1.0), ("get-1M", 2.0), ("open-10k", 0.5)] {
      var one = result(seconds: seconds)
      one.latency = .init(p50: seconds * 1e6, p99: 0, p999: 0)
      table.take(one, workload: workload, engine: "sealed", round: 0)
    }
    let svg = GrowthChart(title: "Growth", rows: table.rows).svg
    for part in ["get, objects/s", "open, ms", "1.00 M", "10.0 k", "500"] {
      #expect(svg.contains(part), "\(part)")
    }
  }

  @Test func processorTimeHasRatiosOfItsOwn() throws {
    var table = RoundTable(suite: "kv")
    for (engine, processor) in [("sealed", 0.5), ("lmdb", 2.0)] {
      var one = result(seconds: 1)
      one.processorSeconds = processor
      table.take(one, workload: "fillseq", engine: engine, round: 0)
    }
    let row = try #require(table.rows.first)
    #expect(row.ratioToPerProcessor == ["lmdb": 4])
    #expect(row.opsPerProcessorSecond == 2000)
    let text = try #require(Report(rows: table.rows).processorOverview)
    #expect(text.contains("500 (4.00)"))
  }

  @Test func overviewShowsRatiosBesideRates() {
    var table = RoundTable(suite: "kv")
    table.take(result(seconds: 1), workload: "fillseq", engine: "sealed", round: 0)
    table.take(result(seconds: 2), workload: "fillseq", engine: "lmdb", round: 0)
    let text = Report(rows: table.rows).overview
    #expect(text.contains("500 (2.00)"))
    #expect(text.contains("1.00 k"))
  }

  @Test func detailsHaveTheColumnsThatAreFilled() {
    var table = RoundTable(suite: "kv")
    var one = result(seconds: 1)
    one.latency = .init(p50: 1, p99: 2, p999: 3)
    table.take(one, workload: "readrandom-a", engine: "sealed", round: 0)
    let text = Report(rows: table.rows).details
    #expect(text.contains("p99.9 µs"))
    #expect(!text.contains("amplification"))
  }

  private func result(seconds: Double) -> RunResult {
    RunResult(operations: 1000, seconds: seconds, version: "1", settings: "none")
  }
}
