import BenchmarkSupport
import CPeers

/// The reference implementation of Argon2id.
enum Argon2Work {
  static func work(_ kind: CryptoWorkload.Kind) throws -> TimedWork {
    guard case .argon2id(let memoryKiB) = kind else {
      throw BenchmarkError("libargon2 has Argon2 alone")
    }
    var api = argon2_api()
    if let problem = argon2_api_load("libargon2.so.1", &api) {
      throw BenchmarkError("libargon2: \(String(cString: problem)); run Benchmarks/setup")
    }
    let functions = api
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    return TimedWork { count in
      for _ in 0..<count {
        let code = functions.argon2id_hash_raw(
          UInt32(DerivationInput.passes), UInt32(memoryKiB), 1, DerivationInput.password,
          DerivationInput.password.count, DerivationInput.salt, DerivationInput.salt.count,
          output.baseAddress, output.count)
        if code != 0 {
          throw BenchmarkError(
            "libargon2: \(String(cString: functions.argon2_error_message(code)!))")
        }
      }
    } outcome: {
      CryptoInput.checksum(UnsafeRawBufferPointer(output))
    }
  }
}
