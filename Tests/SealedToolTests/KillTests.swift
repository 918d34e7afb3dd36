import Foundation
import SealedStore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that is killed at any moment of an import leaves every acknowledged save whole.
@Suite struct KillTests {
  private static let batchSize = 20
  private let directory: TemporaryDirectory
  private var storeURL: URL { directory.url.appendingPathComponent("Kill.store") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func everyAcknowledgedSaveIsWholeAfterFiftyKills() throws {
    var random = SeededGenerator(seed: 50)
    var saved = 0
    var acknowledged = 0
    for round in 0..<50 {
      // Some are killed while they open the store, most between or within saves.
      let patience = Int.random(in: 0...25, using: &random)
      acknowledged = max(acknowledged, try importAndKill(from: saved, after: patience, &random))
      saved = try savedBatches(atLeast: acknowledged, round: round)
    }
    #expect(saved > 200, "the kills came too early to show anything")
  }

  /// Runs the writer, kills it some time after its `patience`th save, and gives the number of
  /// batches acknowledged.
  private func importAndKill(
    from first: Int, after patience: Int, _ random: inout SeededGenerator
  ) throws -> Int {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("KillWriter")
    process.arguments = [storeURL.path, "\(first)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let reader = pipe.fileHandleForReading
    var output = Data()
    while output.count(where: { $0 == 10 }) < patience {
      let part = reader.availableData
      try #require(!part.isEmpty, "the writer ended by itself")
      output += part
    }
    // Anywhere in the work that follows; no outcome depends on how long this takes.
    for _ in 0..<Int.random(in: 0..<2_000, using: &random) { _ = sched_yield() }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    output += reader.readDataToEndOfFile()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return (lines.last.flatMap { Int($0) }).map { $0 + 1 } ?? first
  }

  /// Opens the store, checks that it holds batches 0 to n - 1 and nothing else, and gives n.
  private func savedBatches(atLeast acknowledged: Int, round: Int) throws -> Int {
    let configuration = try SecureModelConfiguration(
      name: "Kill", models: [Parcel.self, Item.self], storeURL: storeURL,
      unlock: .rawKey(SecretBytes([UInt8](repeating: 7, count: 32))))
    let container = try SecureModelContainer.create(configuration)
    defer { #expect(throws: Never.self) { try container.close() } }
    let context = ModelContext(container)
    let parcels = try context.fetch(Parcel.all.sorted(by: \.batch))
    #expect(parcels.map(\.batch) == Array(0..<parcels.count), "round \(round)")
    // One save more may be there than was heard of.
    #expect(parcels.count >= acknowledged, "round \(round): an acknowledged save is lost")
    #expect(try context.fetchCount(Item.all) == parcels.count * Self.batchSize, "round \(round)")
    for parcel in parcels.suffix(60) {
      #expect(parcel.items.count == Self.batchSize, "round \(round), batch \(parcel.batch)")
      let numbers = parcel.items.map(\.number).sorted()
      let start = parcel.batch * Self.batchSize
      #expect(numbers == Array(start..<start + Self.batchSize), "round \(round)")
    }
    if round % 10 == 9 { #expect(try container.logStore.verify().damages.isEmpty) }
    return parcels.count
  }
}
