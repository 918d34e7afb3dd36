import Foundation

/// A run of the tool, as a person or a script sees it.
struct ToolProcess {
  let status: Int32
  let output: String
  let errors: String

  /// Runs the tool with a line on standard input, and waits for its end.
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    in directory: URL
  ) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("sealed")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    // Files, not pipes: nothing can fill up while the tool waits.
    let files = ["in", "out", "err"].map { name in
      directory.appendingPathComponent("\(UUID().uuidString).\(name)")
    }
    try Data(input.utf8).write(to: files[0])
    try Data().write(to: files[1])
    try Data().write(to: files[2])
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
  }
}
