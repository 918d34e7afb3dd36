internal import SealedCrypto
internal import SealedLog

/// How many passphrases in a row were wrong: counted and synced before a derived key is tried, so
/// that killing the process doesn't give the attempt back.
///
/// In clear, for nothing is unlocked when it is written: magic 8 · sequence 8 · failures 4 · limit 4
/// · vault id 16 · checksum 32. Whoever can write the file can reset it; SECURITY.md says so.
struct AttemptRecord: Equatable, Sendable {
  private static let magic = Array("SEALTRYS".utf8)

  var sequence: UInt64
  var failures: UInt32
  var limit: UInt32
  let vaultID: StoreID

  var remaining: Int { failures < limit ? Int(limit - failures) : 0 }

  init(limit: UInt32, vaultID: StoreID) {
    sequence = 1
    failures = 0
    self.limit = limit
    self.vaultID = vaultID
  }

  func encoded() throws(StoreError) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(sequence)
    writer.append(failures)
    writer.append(limit)
    writer.append(vaultID.bytes)
    writer.append(try Self.checksum(writer.bytes))
    return writer.bytes
  }

  private static func checksum(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    try withCrypto { () throws(CryptoError) in try SHA256.hash(bytes) }
  }

  /// Nil for a damaged text, or another vault's.
  ///
  /// - Throws: where the cryptography's self tests failed, and for nothing else.
  init?(_ text: [UInt8], vaultID: StoreID) throws(StoreError) {
    guard text.count == VaultLayout.attemptSize else { return nil }
    var reader = ByteReader(text)
    let checksum: [UInt8]
    do throws(ByteReader.Malformed) {
      guard try reader.bytes(8) == Self.magic else { return nil }
      sequence = try reader.integer()
      failures = try reader.integer()
      limit = try reader.integer()
      self.vaultID = vaultID
      guard try reader.bytes(16) == vaultID.bytes else { return nil }
      checksum = try reader.bytes(32)
      try reader.zeros(reader.remaining)
    } catch { return nil }
    guard checksum == (try Self.checksum(Array(text[0..<40]))) else { return nil }
  }
}
