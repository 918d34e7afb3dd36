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
    let package = directory.url.appendingPathComponent("Outside")
    let sources = package.appendingPathComponent("Sources/Outside")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data(Self.manifest(clone).utf8).write(to: package.appendingPathComponent("Package.swift"))
    try Data(Self.program.utf8).write(to: sources.appendingPathComponent("main.swift"))
    let output = try run(
      "swift", ["run", "-q", "Outside", directory.path("Notes.store")], in: package)
    #expect(output.hasSuffix("First, Second\n"), "\(output)")
  }

  @discardableResult
  private func run(_ name: String, _ arguments: [String], in directory: URL) throws -> String {
    let process = Process()
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

  private static func manifest(_ clone: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "Outside",
      platforms: [.macOS(.v15)],
      dependencies: [.package(url: "file://\(clone)", exact: "0.1.0")],
      targets: [
        .executableTarget(
          name: "Outside", dependencies: [.product(name: "SealedStore", package: "SealedStore")])
      ])
    """
  }

  private static let program = """
    import Foundation
    import SealedStore

    final class Note: Model {
      struct Properties: ModelProperties {
        let title = Attribute<String>("title", .indexed)
      }
      convenience init(title: String) {
        self.init()
        self.title = title
      }
    }

    let configuration = try SecureModelConfiguration(
      name: "Notes", models: [Note.self], storeURL: URL(fileURLWithPath: CommandLine.arguments[1]),
      unlock: .rawKey(SecretBytes.random(count: 32)))
    let container = try SecureModelContainer.create(configuration)
    let context = ModelContext(container)
    for title in ["Second", "First"] { context.insert(Note(title: title)) }
    try context.save()
    let notes = try context.fetch(Note.all.sorted(by: \\.title))
    print(notes.map(\\.title).joined(separator: ", "))
    try container.close()
    """
}
