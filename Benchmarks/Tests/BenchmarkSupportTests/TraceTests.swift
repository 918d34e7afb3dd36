import BenchmarkSupport
import Foundation
import Testing

/// Traces are what every engine is driven with: a skewed one would compare something else.
struct TraceTests {
  private static let seed: UInt64 = 20_260_101

  @Test func sameSeedGivesSameTrace() {
    for workload in YCSBWorkload.allCases {
      let first = workload.trace(count: 500, recordCount: 1000, seed: Self.seed)
      let second = workload.trace(count: 500, recordCount: 1000, seed: Self.seed)
      let other = workload.trace(count: 500, recordCount: 1000, seed: Self.seed + 1)
      #expect(first == second, "\(workload), seed \(Self.seed)")
      #expect(first != other, "\(workload), seed \(Self.seed)")
    }
  }

  @Test(arguments: YCSBWorkload.allCases)
  func mixesAreAsPublished(workload: YCSBWorkload) {
    let count = 40_000
    let trace = workload.trace(count: count, recordCount: 10_000, seed: Self.seed)
    var reads = 0
    var scans = 0
    var modifies = 0
    for operation in trace {
      switch operation {
      case .read: reads += 1
      case .scan(_, let length):
        scans += 1
        #expect((1...YCSBWorkload.scanLimit).contains(length))
      case .readModifyWrite: modifies += 1
      case .update, .insert: break
      }
    }
    let share = Double(reads + scans) / Double(count) * 100
    #expect(abs(share - Double(workload.readingPercent)) < 1, "seed \(Self.seed)")
    #expect((scans > 0) == (workload == .e))
    #expect((modifies > 0) == (workload == .f))
  }

  @Test(arguments: [YCSBWorkload.d, .e])
  func insertsFollowEachOtherAndReadsStayBelow(workload: YCSBWorkload) {
    var records = 1000
    for operation in workload.trace(count: 20_000, recordCount: records, seed: Self.seed) {
      switch operation {
      case .insert(let record):
        #expect(record == records, "seed \(Self.seed)")
        records += 1
      case .read(let record), .scan(let record, _): #expect(record < records)
      case .update, .readModifyWrite: Issue.record("\(workload) changes no record")
      }
    }
    #expect(records > 1000)
  }

  /// The weight of item `i` is `1 / (i + 1)^0.99`.
  @Test func zipfianFollowsItsLaw() {
    let items = 1000
    let draws = 400_000
    let generator = ZipfianGenerator(itemCount: items)
    var random = RandomSource(seed: Self.seed)
    var counts = [Int](repeating: 0, count: items)
    for _ in 0..<draws { counts[generator.next(&random)] += 1 }
    let weights = (1...items).map { rank -> Double in pow(Double(rank), -0.99) }
    let total = weights.reduce(0, +)
    for rank in [0, 1] {
      let expected = weights[rank] / total * Double(draws)
      #expect(abs(Double(counts[rank]) / expected - 1) < 0.02, "rank \(rank), seed \(Self.seed)")
    }
    // The method is an approximation from the third item on: compare sums.
    let head = counts[..<100].reduce(0, +)
    let expectedHead = weights[..<100].reduce(0, +) / total * Double(draws)
    #expect(abs(Double(head) / expectedHead - 1) < 0.05, "seed \(Self.seed)")
    #expect(counts[items - 1] < counts[10])
  }

  @Test func growingEqualsBeginningLarger() {
    var grown = ZipfianGenerator(itemCount: 100)
    grown.grow(to: 5000)
    let fresh = ZipfianGenerator(itemCount: 5000)
    var first = RandomSource(seed: Self.seed)
    var second = RandomSource(seed: Self.seed)
    for _ in 0..<2000 { #expect(grown.next(&first) == fresh.next(&second)) }
  }

  @Test func scrambledZipfianPopularityIsSpread() {
    let records = 1000
    let generator = ScrambledZipfian()
    var random = RandomSource(seed: Self.seed)
    var counts = [Int](repeating: 0, count: records)
    for _ in 0..<100_000 { counts[generator.next(&random, recordCount: records)] += 1 }
    // The most popular record is the one that the hash of 0 names.
    let most = counts.indices.max { counts[$0] < counts[$1] }
    #expect(most == Int(fnv64(0) % UInt64(records)), "seed \(Self.seed)")
  }

  @Test func latestPrefersTheNewest() {
    var generator = LatestGenerator(recordCount: 1000)
    var random = RandomSource(seed: Self.seed)
    var newest = 0
    for _ in 0..<10_000 {
      let record = generator.next(&random, recordCount: 2000)
      #expect((0..<2000).contains(record))
      if record == 1999 { newest += 1 }
    }
    #expect(newest > 500, "seed \(Self.seed)")
  }

  /// FNV-1a of eight zero bytes, from the algorithm's published offset and prime.
  @Test func fnvOfZero() {
    var expected: UInt64 = 0xcbf2_9ce4_8422_2325
    for _ in 0..<8 { expected = expected &* 0x100_0000_01b3 }
    #expect(fnv64(0) == expected)
    #expect(fnv64(1) != fnv64(256))
  }

  @Test func randomKeysCoverAboutTwoThirds() {
    let keys = KeySequence.random(count: 10_000, keyCount: 10_000, seed: Self.seed)
    let share = Double(Set(keys).count) / 10_000
    #expect(abs(share - 0.632) < 0.02, "seed \(Self.seed)")
    #expect(keys.allSatisfy { $0 < 10_000 })
  }
}
