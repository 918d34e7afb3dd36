import Foundation
import TestSupport
import Testing

/// The library as another package takes it: by URL and version.
@Suite struct OutsidePackageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Both tools are needed, and the library's history, of which a clone is tagged.
  private static let canRun =
    FileManager.default.fileExists(atPath: root.appendingPathComponent(".git").path)
    && tool("git") != nil && tool("swift") != nil

  private static func tool(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  @Test(.enabled(if: canRun, "needs git, swift, and the library's own history"))
  func aPackageThatDependsOnAVersionBuildsAndRuns() throws {
    let directory = try TemporaryDirectory()
    let clone = directory.path("SealedStore")
    try run("git", ["clone", "-q", Self.root.path, clone], in: directory.url)
    try run("git", ["-C", clone, "tag", "-f", "0.1.0"], in: directory.url)
    // A copy, since a build leaves its pins beside the manifest.
    try FileManager.default.copyItem(
      atPath: Self.root.appendingPathComponent("Tests/Outside").path,
      toPath: directory.path("Outside"))
    let notes = try build("Outside", [directory.path("Notes.store")], clone, directory)
    #expect(notes.hasSuffix("First, Second\n"), "\(notes)")
    let refusal = try build("Unreflected", [], clone, directory)
    for word in ["invalidSchema", "Note", "no reflection metadata", "-disable-reflection-metadata"]
    {
      #expect(refusal.contains(word), "\(refusal) lacks \(word)")
    }
  }

  /// Builds a product of `Tests/Outside` against the clone, and runs it.
  private func build(
    _ product: String, _ arguments: [String], _ clone: String, _ directory: TemporaryDirectory
  ) throws -> String {
    try run(
      "swift",
      [
        "run", "-q", "--package-path", directory.path("Outside"),
        "--scratch-path", directory.path("build"), product,
      ] + arguments, in: directory.url, environment: ["OUTSIDE_URL": "file://\(clone)"])
  }

  @discardableResult
  private func run(
    _ name: String, _ arguments: [String], in directory: URL, environment: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    process.executableURL = Self.tool(name)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let url = directory.appendingPathComponent("output-\(UUID().uuidString)")
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    let output = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    try #require(process.terminationStatus == 0, "\(name) \(arguments): \(output)")
    return output
  }
}
