import Foundation
import SealedLog
import SealedRuntime
import TestSupport
import Testing

/// A damaged vault says so, or opens from its other half; it never opens to something else.
@Suite struct VaultDamageTests {
  /// Bytes of the root copy, the attempt record and the state's frame.
  private static let ranges = [0..<1_400, 4_096..<4_200, 8_192..<8_320]

  @Test func everyFlippedByteOfOneHalfIsSurvived() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated(attemptLimit: 5)
    try runtime.recordStore(path: "a")
    let whole = try fixture.bytes()
    for range in Self.ranges {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 7) {
        var bytes = whole
        bytes[offset] ^= 0x41
        try fixture.put(bytes)
        let again = fixture.runtime()
        try again.authorize(vault: fixture.vault, passphrase: secret("right"))
        #expect(try again.recordedStores() == ["a"], "offset \(offset)")
      }
    }
  }

  @Test func everyFlippedByteOfBothHalvesIsNoticed() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated(attemptLimit: 5)
    try runtime.recordStore(path: "a")
    let whole = try fixture.bytes()
    for range in [0..<1_300, 4_096..<4_168, 8_192..<8_260] {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 5) {
        var bytes = whole
        bytes[offset] ^= 0x41
        bytes[65_536 + offset] ^= 0x41
        try fixture.put(bytes)
        let again = fixture.runtime()
        let found = code {
          try again.authorize(vault: fixture.vault, passphrase: secret("right"))
        }
        let expected: [StoreError.Code] = [.damaged, .notAVault, .newerFormat, .tampered]
        #expect(found.map { expected.contains($0) } == true, "offset \(offset): \(found as Any)")
        #expect(!again.isAuthorized)
      }
    }
  }

  @Test func aShortFileIsNoticed() throws {
    let fixture = try RuntimeFixture()
    _ = try fixture.activated()
    let whole = try fixture.bytes()
    for count in [0, 7, 100, 4_095, 4_100, 9_000] {
      try fixture.put(whole.prefix(count))
      let runtime = fixture.runtime()
      #expect(
        code { try runtime.authorize(vault: fixture.vault, passphrase: secret("right")) } != nil)
    }
  }

  @Test func anOlderStateInOneHalfLoses() throws {
    let fixture = try RuntimeFixture()
    let runtime = try fixture.activated()
    let old = try fixture.bytes()
    try runtime.recordStore(path: "a")
    var mixed = try fixture.bytes()
    mixed.replaceSubrange(8_192..<65_536, with: old[8_192..<65_536])
    try fixture.put(mixed)
    #expect(try runtime.recordedStores() == ["a"])
  }

  @Test func anotherVaultInItsPlaceIsRefused() throws {
    let fixture = try RuntimeFixture()
    let other = try RuntimeFixture()
    let runtime = try fixture.activated()
    _ = try other.activated()
    try fixture.put(try other.bytes())
    #expect(code { try runtime.recordStore(path: "a") } == .tampered)
  }

  @Test func aLeftoverOfAnActivationIsRemoved() throws {
    let fixture = try RuntimeFixture()
    let draft = fixture.directory.path("vault.new")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: draft))
    _ = try fixture.activated()
    #expect(!FileManager.default.fileExists(atPath: draft))
  }
}
