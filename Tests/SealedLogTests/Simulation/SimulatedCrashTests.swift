import SealedFiles
import SealedLog
import Synchronization
import TestSupport
import Testing

/// A crash at every call of the medium, in several ways of loss, leaves a prefix of the commits that
/// holds every acknowledged one.
@Suite struct SimulatedCrashTests {
  /// Workloads by default, and with SEALED_LONG_TESTS.
  private static let seeds: ClosedRange<UInt64> = isLongRun ? 1...400 : 1...20
  private static let steps = 90
  private static let states = Atomic<Int>(0)

  /// Runs a workload whole, with what a crash at every call would leave.
  private func record(_ seed: UInt64) throws -> (Workload, [CrashImage]) {
    let fileSystem = SimulatedFileSystem(seed: seed)
    fileSystem.recordCrashes()
    var workload = Workload(seed: seed, steps: Self.steps)
    try workload.run(fileSystem)
    let images = fileSystem.crashImages
    #expect(images.count > 300, "seed \(seed): too little happened")
    return (workload, images)
  }

  /// Opens what a crash left and compares it; the store, or nil where it is wrong.
  @discardableResult
  private func check(
    _ fileSystem: SimulatedFileSystem, _ workload: Workload,
    _ allowed: ArraySlice<Workload.Content>, _ what: @autoclosure () -> String
  ) -> (store: LogStore, content: Workload.Content)? {
    Self.states.add(1, ordering: .relaxed)
    do {
      let store = try workload.open(fileSystem)
      let content = try Workload.content(store)
      guard allowed.contains(content) else {
        let place = workload.history.states.lastIndex { $0.content == content }
        Issue.record(
          "\(what()): what is there is no allowed state, but \(place.map { "\($0)" } ?? "none")")
        return nil
      }
      return (store, content)
    } catch {
      Issue.record("\(what()): \(error)")
      return nil
    }
  }

  @Test(arguments: seeds) func aCrashAnywhereLosesNothingAcknowledged(seed: UInt64) throws {
    let (workload, images) = try record(seed)
    for image in images {
      let allowed = workload.history.allowed(at: image.operation)
      let what = "seed \(seed), call \(image.operation), \(image.call)"
      check(image.afterKill(seed: 0), workload, allowed, "killed: \(what)")
      for loss in 1...2 as ClosedRange<UInt64> {
        let lossSeed = seed &* 1_000_003 &+ UInt64(image.operation) &* 31 &+ loss
        check(
          image.afterPowerCut(seed: lossSeed), workload, allowed, "loss \(lossSeed): \(what)")
      }
    }
    print("crash states so far: \(Self.states.load(ordering: .relaxed))")
  }

  /// Recovery is crashed in turn, at each of its calls.
  @Test(arguments: [31, 32, 33, 34] as [UInt64])
  func aCrashDuringRecoveryLosesNothing(seed: UInt64) throws {
    let (workload, images) = try record(seed)
    for image in images where image.operation % 23 == 0 {
      let first = image.afterPowerCut(seed: seed &+ UInt64(image.operation))
      first.recordCrashes()
      let allowed = workload.history.allowed(at: image.operation)
      let what = "seed \(seed), call \(image.operation), \(image.call)"
      guard let found = check(first, workload, allowed, what) else { continue }
      for again in first.crashImages {
        let second = again.afterPowerCut(seed: UInt64(again.operation))
        // The first recovery decided what is there, unless it crashed before anyone saw that.
        check(second, workload, allowed, "\(what), recovery's \(again.call)")
      }
      // Whoever read the recovered store finds the same again.
      check(
        first.afterPowerCut(), workload, [found.content][...], "\(what), after its recovery")
    }
  }

  /// Work goes on after a crash, and crashes again.
  @Test(arguments: [41, 42, 43] as [UInt64])
  func workGoesOnAfterACrash(seed: UInt64) throws {
    let (workload, images) = try record(seed)
    for image in images where image.operation % 37 == 0 {
      let fileSystem = image.afterPowerCut(seed: seed)
      let what = "seed \(seed), call \(image.operation), \(image.call)"
      let allowed = workload.history.allowed(at: image.operation)
      guard let found = check(fileSystem, workload, allowed, what) else { continue }
      var content = found.content
      let keyspace = try found.store.keyspace("a")
      for round in 0..<6 as Range<UInt8> {
        let (key, value) = ([round], [UInt8](repeating: round, count: 900))
        try found.store.write { try $0.put(key, value, in: keyspace) }
        content["a", default: [:]][key] = value
      }
      check(fileSystem.afterPowerCut(), workload, [content][...], "\(what), and more work")
    }
  }

  @Test(arguments: [1, 2] as [UInt64]) func nothingIsReadableOnTheMedium(seed: UInt64) throws {
    let (_, images) = try record(seed)
    for image in images where image.operation % 11 == 0 {
      let medium = image.afterKill(seed: 0)
      #expect(!medium.contains(Workload.marker), "seed \(seed): \(image.call)")
    }
    // The search finds what is there.
    let medium = SimulatedFileSystem(seed: 1)
    let file = try medium.create("/x")
    try unsafe (Workload.marker + [1]).withUnsafeBytes { try unsafe file.write($0, at: 3) }
    #expect(medium.contains(Workload.marker))
  }
}
