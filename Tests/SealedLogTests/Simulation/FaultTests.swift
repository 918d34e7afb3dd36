import SealedLog
import TestSupport
import Testing

/// Every call of the medium fails, once or from then on: the commit that waits on it fails with a
/// typed error, readers go on, nothing of it ever appears, and writing goes on when the fault ends.
@Suite struct FaultTests {
  private static let steps = 50
  private static let errors: [Int32] = [28, 5, 24]  // ENOSPC, EIO, EMFILE

  private func calls(_ seed: UInt64) throws -> Int {
    let fileSystem = SimulatedFileSystem(seed: seed)
    var workload = Workload(seed: seed, steps: Self.steps)
    try workload.run(fileSystem)
    return fileSystem.operationCount
  }

  /// Runs a workload into a fault, and checks what a power cut then leaves.
  private func run(seed: UInt64, fault: (SimulatedFileSystem) -> Void, _ what: String) throws {
    let fileSystem = SimulatedFileSystem(seed: seed)
    fault(fileSystem)
    var workload = Workload(seed: seed, steps: Self.steps)
    do { try workload.run(fileSystem) } catch let error as StoreError {
      #expect(!error.message.isEmpty && error.code != .damaged, "\(what): \(error)")
    }
    let after = fileSystem.afterPowerCut()
    do {
      let content = try Workload.content(try workload.open(after))
      let isAllowed = workload.history.allowedAtEnd.contains(content)
      #expect(isAllowed, "\(what): what is there is no allowed state")
    } catch { Issue.record("\(what): \(error)") }
  }

  @Test(arguments: [4, 7, 12] as [UInt64]) func aCallThatFailsOnceLosesNothing(seed: UInt64) throws
  {
    for call in 1...(try calls(seed)) {
      let errno = Self.errors[call % Self.errors.count]
      try run(
        seed: seed, fault: { $0.fail(at: call, errno: errno) },
        "seed \(seed), errno \(errno) at call \(call)")
    }
  }

  @Test(arguments: [5, 8] as [UInt64]) func callsThatFailForGoodLoseNothing(seed: UInt64) throws {
    for call in 1...(try calls(seed)) {
      let errno = Self.errors[call % Self.errors.count]
      try run(
        seed: seed, fault: { $0.failFrom(call, errno: errno) },
        "seed \(seed), errno \(errno) from call \(call) on")
    }
  }

  /// A store goes on after a fault, without being reopened; what was refused isn't there.
  @Test(arguments: [1, 2, 3] as [UInt64]) func writingGoesOnWhenTheFaultEnds(seed: UInt64) throws {
    let fileSystem = SimulatedFileSystem(seed: seed)
    let workload = Workload(seed: seed, steps: 0)
    let store = try workload.open(fileSystem)
    let keyspace = try store.keyspace("a")
    var content: [[UInt8]: [UInt8]] = [:]
    var unknown: Set<[UInt8]> = []
    for round in 0..<200 {
      let key = [UInt8(round)]
      if round % 5 == 4 {
        let ahead = round % 7
        if round % 2 == 0 {
          fileSystem.failFrom(fileSystem.operationCount + 1 + ahead, errno: 28)
        } else {
          fileSystem.fail(at: fileSystem.operationCount + 1 + ahead, errno: 5)
        }
      }
      do {
        try store.write { try $0.put(key, [UInt8](repeating: 1, count: 600), in: keyspace) }
        content[key] = [UInt8](repeating: 1, count: 600)
      } catch let error as StoreError {
        if error.code == .outcomeUnknown { unknown.insert(key) }
        #expect(try store.snapshot().value(for: key, in: keyspace) == nil, "seed \(seed)")
      }
      fileSystem.heal()
      do { try store.resumeWriting() } catch { Issue.record("seed \(seed): \(error)") }
      #expect(store.readOnlyReason == nil)
    }
    #expect(content.count > 150)
    let found = try Workload.content(store)["a"]
    #expect(found == content, "seed \(seed)")
    let after = try Workload.content(workload.open(fileSystem.afterPowerCut()))["a"] ?? [:]
    #expect(after.filter { !unknown.contains($0.key) } == content, "seed \(seed)")
  }
}
