import Foundation
import SealedCrypto
import TestSupport
import Testing

/// What must be chosen before the first use, and what only shows from outside a process.
@Suite struct CryptoProcessTests {
  /// What the probe printed, line by line, and how it ended.
  private func probe(
    _ arguments: String...
  ) throws -> (lines: [String], status: Int32, wasKilled: Bool) {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("CryptoProbe")
    process.arguments = arguments
    // A crash is what some checks expect: its report would only take time.
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, process.terminationStatus, process.terminationReason == .uncaughtSignal)
  }

  @Test func everyFailedSelfTestClosesEveryCall() throws {
    let names = try probe("names").lines
    #expect(names.count >= 12, "\(names)")
    for name in names {
      let lines = try probe("falsify", name).lines
      #expect(lines.count > 12 && lines.last == "open false \(name)", "\(name): \(lines)")
      for line in lines.dropLast() {
        #expect(line.hasSuffix(" selfTestFailed"), "\(name): \(line)")
      }
    }
  }

  @Test func onlyApprovedAlgorithmsAreServedWhereThatWasAskedFor() throws {
    let lines = try probe("approved").lines
    let refused = ["BLAKE2b notApproved", "Argon2id notApproved"]
    for line in lines.dropLast(3) where !refused.contains(line) {
      // The text to unwrap is none: the call is served, and says so.
      #expect(
        line.hasSuffix(" none") || line.hasPrefix("unwrap") && line.hasSuffix("ationFailure"))
    }
    #expect(Set(refused).isSubset(of: lines))
    #expect(
      lines.suffix(3) == ["again none", "limit alreadyInUse", "isApprovedOnly true"], "\(lines)")
    #expect(try probe("late").lines == ["approved alreadyInUse"])
  }

  @Test(arguments: CryptoBackend.available)
  func aProgramMayHoldTheLibraryToSlowerCode(backend: CryptoBackend) throws {
    let lines = try probe("limit", "\(backend)").lines
    #expect(lines.contains { $0.hasPrefix("AES-GCM: \(backend.name) (") }, "\(lines)")
    let isFastest = backend == CryptoBackend.available.last
    #expect(lines.contains { $0.contains("the program limited") } != isFastest, "\(lines)")
  }

  @Test func aForkedChildHasNoKeys() throws {
    #expect(
      try probe("fork").lines == [
        "parent none", "child seals: forked", "child's secret is wiped: true",
        "child derives: forked", "parent goes on: none",
      ])
  }

  @Test func readingOverTheEndOfAKeyEndsTheProcess() throws {
    let result = try probe("overrun")
    // Under a sanitizer that catches the signal it exits by itself.
    #expect((result.wasKilled || result.status != 0) && result.lines.isEmpty, "\(result)")
  }

  @Test(.disabled(if: Sanitizers.areOn, "sanitizers make locking do nothing"))
  func keysThatCannotBeLockedAreCounted() throws {
    let lines = try probe("unlocked").lines
    #expect(lines == ["unlocked: true locked: 0", "derives: none"])
  }
}
