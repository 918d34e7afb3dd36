internal import SealedCrypto

/// The identity of a store: 16 random bytes, drawn when it is created.
public struct StoreID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The sixteen bytes as two big-endian words.
  public let high: UInt64
  /// The lower eight bytes.
  public let low: UInt64

  /// An identity from its two words.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An identity from sixteen bytes, or nil where there are not sixteen.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A new random identity.
  package static func random() throws(StoreError) -> StoreID {
    let bytes = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(16) }
    return StoreID(bytes: bytes) ?? StoreID(high: 0, low: 0)
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
  }

  /// Thirty-two lower-case hexadecimal digits.
  public var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
