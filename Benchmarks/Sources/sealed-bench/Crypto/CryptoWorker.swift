import BenchmarkSupport
import Foundation
import SealedCrypto

/// Measures one workload of the suite `crypto` on engines that share a process.
struct CryptoWorker {
  private let order: WorkerOrder
  private let workload: CryptoWorkload

  init(_ order: WorkerOrder) throws {
    self.order = order
    workload = try CryptoWorkload(name: order.workload)
  }

  func run() throws -> [String: RunResult] {
    if let limit = workload.limit { try CryptoModule.limitBackend(to: limit) }
    if workload.kind == .selfTest { return ["sealed": selfTest()] }
    if order.engines == ["openssl-newest"] {
      return ["openssl-newest": try NewestOpenSSL.run(workload.kind, in: order.helper)]
    }
    let openSSL = order.engines.contains("openssl") ? try OpenSSLWork() : nil
    let works = try order.engines.map { engine in (engine: engine, work: try work(engine, openSSL))
    }
    return try SlicedTiming.run(works).reduce(into: [:]) { results, entry in
      var result = entry.value
      (result.version, result.settings) = texts(entry.key, openSSL)
      results[entry.key] = result
    }
  }

  private func work(_ engine: String, _ openSSL: OpenSSLWork?) throws -> TimedWork {
    switch engine {
    case "sealed": return try SealedCryptoWork.work(workload.kind)
    case "libargon2": return try Argon2Work.work(workload.kind)
    case "openssl":
      guard let openSSL else { break }
      return try openSSL.work(workload.kind)
    default: break
    }
    throw BenchmarkError("crypto doesn't run \(engine)")
  }

  private func texts(_ engine: String, _ openSSL: OpenSSLWork?) -> (String, String) {
    switch engine {
    case "sealed": (Versions.product, "best kernel here: \(CryptoModule.status.kernel)")
    case "libargon2": ("library \(Versions.mapped("libargon2"))", "one lane, one thread")
    default: (openSSL?.version ?? "", "EVP, contexts kept, additional data of 16 bytes")
    }
  }

  /// The time that the first use of the library takes: its self tests run then, once a process.
  private func selfTest() -> RunResult {
    let begin = threadNanoseconds()
    let status = CryptoModule.status
    let elapsed = threadNanoseconds() - begin
    precondition(status.isOpen, "the self tests failed: \(status)")
    var result = RunResult(operations: 1, seconds: Double(elapsed) * 1e-9)
    var sample = LatencySample()
    sample.take(nanoseconds: elapsed)
    result.latency = sample.quantiles()
    (result.version, result.settings) = texts("sealed", nil)
    return result
  }
}
