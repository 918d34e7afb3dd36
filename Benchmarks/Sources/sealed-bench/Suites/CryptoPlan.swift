/// The suite `crypto`.
enum CryptoPlan {
  /// Turns AES-NI and PCLMULQDQ off in OpenSSL: bits 57 and 33 of what CPUID tells it.
  private static let maskedOpenSSL = ["OPENSSL_ia32cap": "~0x200000200000000"]

  static func plan(_ scale: Scale) -> SuitePlan {
    let sizes = ["64B", "256B", "4KiB", "16KiB", "1MiB"]
    let names = ["seal", "open"].flatMap { mode in sizes.map { "gcm-\(mode)-\($0)" } }
    let large = ["gcm-seal-16KiB", "gcm-seal-1MiB", "gcm-open-16KiB", "gcm-open-1MiB"]
    let best = names.map { name in
      workload(name, ["openssl"] + (large.contains(name) ? ["openssl-newest"] : []))
    }
    let aesni = names.map { workload("\($0)-aesni", ["openssl"]) }
    let portable = ["gcm-seal-16KiB-portable", "gcm-open-16KiB-portable"].map { name in
      var result = workload(name, ["openssl"])
      result.environment = maskedOpenSSL
      return result
    }
    let others = [
      workload("key-setup", ["openssl"]), workload("self-test", []),
      workload("sha256-16KiB", ["openssl"]), workload("pbkdf2-600k", ["openssl"]),
      workload("argon2id-64MiB", ["libargon2"]),
    ]
    return SuitePlan(
      name: "crypto", engines: ["sealed", "openssl", "openssl-newest", "libargon2"],
      workloads: best + aesni + portable + others, rounds: scale == .full ? 7 : 3)
  }

  private static func workload(_ name: String, _ peers: [String]) -> SuitePlan.Workload {
    SuitePlan.Workload(
      name: name, engines: ["sealed"] + peers, operations: 0,
      together: ["sealed", "openssl", "libargon2"])
  }
}
