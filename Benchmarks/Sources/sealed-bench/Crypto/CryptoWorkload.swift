import SealedCrypto

/// A workload of the suite `crypto`, read from its name: `gcm-seal-16KiB`, `gcm-open-64B-aesni`,
/// `pbkdf2-600k`.
struct CryptoWorkload {
  enum Kind: Equatable {
    case seal(Int)
    case open(Int)
    case keySetup
    case selfTest
    case sha256(Int)
    case pbkdf2(rounds: Int)
    case argon2id(memoryKiB: Int)
  }

  let kind: Kind
  /// The level that the product is kept to; nil for its best.
  let limit: CryptoBackend?

  static let sizes = ["64B": 64, "256B": 256, "4KiB": 4096, "16KiB": 16_384, "1MiB": 1 << 20]

  init(name: String) throws {
    var base = name
    limit =
      ["aesni": CryptoBackend.aesni, "portable": .portable].first { suffix, _ in
        guard base.hasSuffix("-" + suffix) else { return false }
        base.removeLast(suffix.count + 1)
        return true
      }?.value
    let size = Self.sizes.first { base.hasSuffix("-" + $0.key) }?.value
    switch base {
    case _ where base.hasPrefix("gcm-seal-"): kind = .seal(size ?? 0)
    case _ where base.hasPrefix("gcm-open-"): kind = .open(size ?? 0)
    case "key-setup": kind = .keySetup
    case "self-test": kind = .selfTest
    case "sha256-16KiB": kind = .sha256(16_384)
    case "pbkdf2-600k": kind = .pbkdf2(rounds: 600_000)
    case "argon2id-64MiB": kind = .argon2id(memoryKiB: 65_536)
    default: throw BenchmarkError("no workload is called \(name)")
    }
  }
}
