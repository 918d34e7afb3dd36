import Foundation
import SealedStore
import TestSupport
import Testing

/// The command-line tool from outside: what it prints and ends with.
@Suite struct ToolTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> ToolProcess {
    try ToolProcess(arguments, input: input, environment: environment, in: directory.url)
  }

  // MARK: Usage

  @Test(arguments: ["tour", "info", "verify"])
  func everyCommandHasHelp(command: String) throws {
    let long = try run(command, "--help")
    let other = try run("help", command)
    #expect(long.status == 0 && other.status == 0)
    #expect(long.output == other.output)
    #expect(long.output.contains("USAGE") && long.output.contains("sealed \(command)"))
  }

  @Test func aWrongCommandLineIsSaidSo() throws {
    for arguments in [
      [], ["dance"], ["info"], ["info", "a", "b"], ["info", "a", "--key"],
      ["verify", "a", "--vault"],
      ["info", "a", "--vault", "v", "--key-file", "k"], ["tour", "here"],
    ] {
      let result = try ToolProcess(arguments, in: directory.url)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.output.isEmpty && result.errors.contains("--help"), "\(arguments)")
    }
  }

  @Test func dataThatIsMissingIsNamed() throws {
    let result = try run("tour", "--data", directory.path("nowhere"))
    #expect(result.status == 64)
    #expect(result.errors.contains("iso-codes") && result.errors.contains("nowhere"))
  }

  // MARK: Stores

  private static let key = SecretBytes([UInt8](0..<32))
  private var storePath: String { directory.path("Small.store") }

  private func makeStore(_ credential: Credential = .rawKey(key)) throws {
    let store = try LogStore.open(path: storePath, unlock: credential)
    let notes = try store.keyspace("notes")
    try store.write { batch in
      for number in 0..<100 as Range<UInt8> {
        try batch.put([number], [UInt8](repeating: number, count: 100), in: notes)
      }
    }
    try store.flush()
    try store.close()
  }

  private func keyFile(_ bytes: [UInt8]) throws -> String {
    let path = directory.path("key")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func aStoreIsShownAndVerified() throws {
    try makeStore()
    let key = try keyFile(Array(0..<32))
    let info = try run("info", storePath, "--key-file", key)
    #expect(info.status == 0, "\(info.errors)")
    #expect(info.output.contains("notes") && info.output.contains("100 entries"))
    #expect(info.output.contains("Small.store-log/"))
    let verified = try run("verify", storePath, "--key-file=\(key)")
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.output.hasPrefix("sound"))
  }

  @Test func aKeyMayBeInHexadecimalDigits() throws {
    try makeStore()
    let digits = (0..<32).map { String(format: "%02x", $0) }.joined() + "\n"
    let result = try run("verify", storePath, "--key-file", try keyFile(Array(digits.utf8)))
    #expect(result.status == 0, "\(result.errors)")
    let short = try run("verify", storePath, "--key-file", try keyFile([1, 2, 3]))
    #expect(short.status == 64)
  }

  @Test func aPassphraseIsReadFromStandardInput() throws {
    try makeStore(.passphrase(utf8: Array("sesame".utf8)))
    #expect(try run("verify", storePath, input: "sesame\n").status == 0)
    let wrong = try run("verify", storePath, input: "open\n")
    #expect(wrong.status == 1 && wrong.errors.contains("wrongKey"))
    #expect(try run("verify", storePath).status == 64)
  }

  @Test func aVaultUnlocksItsStores() throws {
    let vault = directory.path("App.vault")
    let runtime = SecureRuntime()
    try runtime.activate(vault: vault, passphrase: SecretBytes(Array("sesame".utf8)))
    try runtime.recordStore(path: storePath)
    try makeStore(runtime.credential)
    let result = try run("verify", storePath, "--vault", vault, input: "sesame\n")
    #expect(result.status == 0, "\(result.errors)")
    let wrong = try run("verify", storePath, "--vault", vault, input: "open\n")
    #expect(wrong.status == 1 && wrong.errors.contains("left"))
  }

  @Test func damageIsNamedByFileAndOffset() throws {
    try makeStore()
    let folder = URL(fileURLWithPath: storePath + "-log")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let table = try #require(names.first { $0.hasPrefix("t-") })
    var bytes = try Data(contentsOf: folder.appendingPathComponent(table))
    bytes[200] ^= 1
    try bytes.write(to: folder.appendingPathComponent(table))
    let result = try run("verify", storePath, "--key-file", try keyFile(Array(0..<32)))
    #expect(result.status == 1)
    #expect(result.output.contains(table) && result.output.contains("at byte"))
  }

  @Test func aMissingStoreIsSaidSoAndNotMade() throws {
    let result = try run("info", storePath, "--key-file", try keyFile(Array(0..<32)))
    #expect(result.status == 1)
    #expect(!FileManager.default.fileExists(atPath: storePath))
  }

  // MARK: The tour

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/iso-codes/json/iso_3166-2.json"),
      "the package iso-codes is not installed"))
  func theTourFindsEverythingRightAndLeavesNothingBehind() throws {
    let temporary = directory.url.appendingPathComponent("temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
    let result = try run("tour", environment: ["TMPDIR": temporary.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("14 of 14 answers right"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
  }
}
