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

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(sequence)
    writer.append(failures)
    writer.append(limit)
    writer.append(vaultID.bytes)
    writer.append(SHA256.hash(writer.bytes))
    return writer.bytes
  }

  /// Nil for a damaged text, or another vault's.
  init?(_ text: [UInt8], vaultID: StoreID) {
    guard text.count == VaultLayout.attemptSize else { return nil }
    var reader = ByteReader(text)
    do {
      guard try reader.bytes(8) == Self.magic else { return nil }
      sequence = try reader.integer()
      failures = try reader.integer()
      limit = try reader.integer()
      self.vaultID = vaultID
      guard try reader.bytes(16) == vaultID.bytes else { return nil }
      let checked = Array(text[0..<reader.offset])
      guard try reader.bytes(32) == SHA256.hash(checked) else { return nil }
      try reader.zeros(reader.remaining)
    } catch { return nil }
  }
}
