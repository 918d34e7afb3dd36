import BenchmarkSupport
import Foundation

/// Runs orders in child processes of this same program, so that each engine is alone with its
/// library and its memory.
enum WorkerProcess {
  static let flag = "--worker"

  /// Runs an order and gives what it measured, by engine.
  ///
  /// - Parameter environment: Variables that the child has besides this process's.
  static func run(
    _ order: WorkerOrder, environment: [String: String] = [:]
  ) throws -> [String: RunResult] {
    let output = try run(
      executable: try ownExecutable(), [flag, try order.encoded()], environment: environment,
      title: "\(order.engines.joined(separator: "+")), \(order.workload)",
      maybeKilled: order.workload.hasPrefix("template-killed"))
    // Libraries may print something of their own before.
    guard let line = output.split(separator: "\n").last else {
      throw BenchmarkError("\(order.engine), \(order.workload): the worker said nothing")
    }
    return try JSONDecoder().decode([String: RunResult].self, from: Data(line.utf8))
  }

  /// Runs a program and gives what it printed.
  static func run(
    executable: String, _ arguments: [String], environment: [String: String] = [:], title: String,
    maybeKilled: Bool = false
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isEnded = process.terminationReason == .exit && process.terminationStatus == 0
    let isKilled = process.terminationReason == .uncaughtSignal && maybeKilled
    guard isEnded || isKilled else {
      throw BenchmarkError("\(title): the worker ended with \(process.terminationStatus)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The child's side: prints what it measured.
  static func print(_ results: [String: RunResult]) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(results) + Data("\n".utf8))
  }

  /// The same, and ends as a crash would, nothing closed.
  static func printAndDie(_ results: [String: RunResult]) throws -> Never {
    try print(results)
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  private static func ownExecutable() throws -> String {
    guard let path = Bundle.main.executablePath else {
      throw BenchmarkError("this program doesn't know where it is")
    }
    return path
  }
}
