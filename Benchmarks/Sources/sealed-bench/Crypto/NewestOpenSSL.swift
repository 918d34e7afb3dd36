import BenchmarkSupport
import Foundation

/// The newest OpenSSL at hand, the one in PyPI's `cryptography`: driven by a Python program.
enum NewestOpenSSL {
  static func run(_ kind: CryptoWorkload.Kind, in directory: String) throws -> RunResult {
    let arguments: [String]
    switch kind {
    case .seal(let size): arguments = ["seal", String(size)]
    case .open(let size): arguments = ["open", String(size)]
    default: throw BenchmarkError("openssl-newest seals and opens only")
    }
    let interpreter = "\(directory)/.venv/bin/python"
    guard FileManager.default.isExecutableFile(atPath: interpreter) else {
      throw BenchmarkError("there is no \(interpreter); run Benchmarks/setup")
    }
    let output = try WorkerProcess.run(
      executable: interpreter, ["\(directory)/openssl-newest.py"] + arguments,
      title: "openssl-newest")
    return try JSONDecoder().decode(RunResult.self, from: Data(output.utf8))
  }
}
