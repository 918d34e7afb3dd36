internal import SealedCrypto
internal import SealedLog

/// One of the two copies of a vault. FORMAT.md, "Vault".
///
///     magic 8 · format 2 · 0 2 · flags 3 × 4 · generation 8 · attempts 4 · 0 28 · body
///     · SHA-256 over all before 32 · zeros to 16,384
///
/// The attempts stand outside the body, for they are counted before any key is known; so whoever
/// can write the file can put them back, as by copying an older file.
struct VaultCopy: Equatable, Sendable {
  static let byteCount = 16_384
  static let format: UInt16 = 1
  static let magic = Array("SLDVAULT".utf8)

  var generation: UInt64
  /// Attempts begun since the last that succeeded.
  var attempts: UInt32
  var body: VaultBody

  /// The copy's bytes.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(Self.format)
    writer.append(zeros: 2 + 12)
    writer.append(generation)
    writer.append(attempts)
    writer.append(zeros: 28)
    body.append(to: &writer)
    writer.append(SHA256.hash(writer.bytes))
    writer.append(zeros: Self.byteCount - writer.bytes.count)
    return writer.bytes
  }

  /// What reading a copy's bytes gives, before any key is known.
  enum Reading: Equatable {
    case foreign
    case newerFormat(UInt16)
    case damaged
    case good(VaultCopy)
  }

  /// Reads a copy; never traps, whatever the bytes.
  static func read(_ bytes: [UInt8]) -> Reading {
    guard bytes.count >= 10, Array(bytes[0..<8]) == magic else { return .foreign }
    let version = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
    guard version <= format else { return .newerFormat(version) }
    guard bytes.count == byteCount, let copy = try? VaultCopy(parsing: bytes) else {
      return .damaged
    }
    return .good(copy)
  }

  private init(parsing bytes: [UInt8]) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes)
    _ = try reader.bytes(8)
    guard try reader.integer(UInt16.self) == Self.format else { throw ByteReader.Malformed() }
    try reader.zeros(2 + 12)
    generation = try reader.integer()
    attempts = try reader.integer()
    try reader.zeros(28)
    body = try VaultBody(parsing: &reader)
    let checked = Array(bytes[0..<reader.offset])
    guard try reader.bytes(32) == SHA256.hash(checked) else { throw ByteReader.Malformed() }
    try reader.zeros(reader.remaining)
  }

  init(generation: UInt64, attempts: UInt32, body: VaultBody) {
    self.generation = generation
    self.attempts = attempts
    self.body = body
  }
}
