/// What a root file's key slots together may cost, whoever wrote it; looked at before any of it is
/// spent.
///
/// Time is that of a fixed reference (FORMAT.md, "Key slots"), so that a store which opens on one
/// machine opens on all: 200 nanoseconds a round of PBKDF2, a microsecond for a KiB and pass of
/// Argon2id, about what one core of a server of 2021 takes.
public struct KeyDerivationLimit: Sendable, Equatable {
  /// Bytes of memory, summed over the slots.
  public var memory: UInt64
  /// Time, summed over the slots.
  public var time: Duration

  /// One GiB and ten seconds.
  public static let standard = KeyDerivationLimit(memory: 1 << 30, time: .seconds(10))

  /// A limit of its own.
  public init(memory: UInt64, time: Duration) {
    self.memory = memory
    self.time = time
  }

  static let roundNanoseconds: UInt64 = 200
  static let kibibyteNanoseconds: UInt64 = 1000

  /// - Throws: `.limitExceeded`.
  func check(_ derivations: [PassphraseDerivation]) throws(StoreError) {
    var bytes: UInt64 = 0
    var nanoseconds: UInt64 = 0
    for derivation in derivations {
      let (memory, time) = Self.cost(derivation)
      // At most eight slots of 2^42 bytes; time may be more than a word holds.
      bytes += memory
      let (sum, isTooLarge) = nanoseconds.addingReportingOverflow(time)
      nanoseconds = isTooLarge ? .max : sum
    }
    let spent =
      Duration.seconds(nanoseconds / 1_000_000_000)
      + .nanoseconds(Int64(nanoseconds % 1_000_000_000))
    guard bytes <= memory, spent <= time else {
      throw StoreError(
        .limitExceeded,
        "the key slots ask for \(bytes >> 20) MiB and about \(spent), the limits are "
          + "\(memory >> 20) MiB and \(time); a store that should cost so much is opened with "
          + "higher limits")
    }
  }

  private static func cost(
    _ derivation: PassphraseDerivation
  ) -> (memory: UInt64, nanoseconds: UInt64) {
    switch derivation.method {
    case .pbkdf2(let iterations): return (0, UInt64(iterations) * roundNanoseconds)
    case .argon2id(let passes, let memoryKiB, _):
      let work = UInt64(passes) * UInt64(memoryKiB)
      let (time, isTooLarge) = work.multipliedReportingOverflow(by: kibibyteNanoseconds)
      return (UInt64(memoryKiB) << 10, isTooLarge ? .max : time)
    }
  }
}
