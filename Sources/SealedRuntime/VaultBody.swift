internal import SealedCrypto
internal import SealedLog

/// The part of a vault that changes only with the root key at hand. FORMAT.md, "Vault".
///
///     vault id 16 · attempt limit 4 · slot count 4 · slots 8 × 96 · salt 32
///     · sealed contents 12,288 · commitment 32
///
/// The contents are sealed by AES-256-GCM under a key that is new with every change:
/// `HKDF(root key, salt, "SealedStore/1/vault")` = key 32 · nonce 12 · commitment 32. All bytes
/// before them are additional data.
struct VaultBody: Equatable, Sendable {
  static let slotLimit = 8
  static let sealedCount = 12_288
  static let byteCount = 24 + slotLimit * KeySlot.byteCount + 32 + sealedCount + 32
  private static let label = Array("SealedStore/1/vault".utf8)

  var vaultID: StoreID
  var attemptLimit: UInt32
  var slots: [KeySlot]
  private var salt: [UInt8]
  private var sealed: [UInt8]
  private var commitment: [UInt8]

  /// A body with its contents sealed under the root key.
  init(
    vaultID: StoreID, attemptLimit: UInt32, slots: [KeySlot], contents: VaultContents,
    rootKey: SecretBytes
  ) throws(StoreError) {
    self.vaultID = vaultID
    self.attemptLimit = attemptLimit
    self.slots = slots
    salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    sealed = []
    commitment = []
    let keys = try keys(rootKey)
    commitment = keys.commitment
    var text = try contents.encoded(count: Self.sealedCount - AESGCM.tagSize)
    let tag = try keys.seal(&text, additional: head)
    sealed = text + tag
  }

  /// The same vault with other slots or contents.
  func changed(
    slots: [KeySlot]? = nil, contents: VaultContents, rootKey: SecretBytes
  ) throws(StoreError) -> VaultBody {
    try VaultBody(
      vaultID: vaultID, attemptLimit: attemptLimit, slots: slots ?? self.slots,
      contents: contents, rootKey: rootKey)
  }

  /// The contents; nil where anything in the body isn't as it was written under this key.
  func contents(rootKey: SecretBytes) throws(StoreError) -> VaultContents? {
    let keys = try keys(rootKey)
    let isRight = unsafe commitment.withRaw { own in
      unsafe keys.commitment.withRaw { unsafe constantTimeEquals(own, $0) }
    }
    guard isRight else { return nil }
    var text = Array(sealed.dropLast(AESGCM.tagSize))
    let tag = Array(sealed.suffix(AESGCM.tagSize))
    guard keys.open(&text, additional: head, tag: tag) else { return nil }
    return VaultContents(parsing: text)
  }

  private func keys(_ rootKey: SecretBytes) throws(StoreError) -> VaultKeys {
    try withCrypto { () throws(CryptoError) in
      try VaultKeys(rootKey: rootKey, salt: salt, label: Self.label)
    }
  }

  // MARK: Bytes

  private var head: [UInt8] {
    var writer = ByteWriter()
    appendHead(to: &writer)
    return writer.bytes
  }

  private func appendHead(to writer: inout ByteWriter) {
    writer.append(vaultID.bytes)
    writer.append(attemptLimit)
    writer.append(UInt32(slots.count))
    for slot in slots { slot.append(to: &writer) }
    writer.append(zeros: (Self.slotLimit - slots.count) * KeySlot.byteCount)
    writer.append(salt)
  }

  func append(to writer: inout ByteWriter) {
    appendHead(to: &writer)
    writer.append(sealed)
    writer.append(commitment)
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    guard let vaultID = StoreID(bytes: try reader.bytes(16)) else {
      throw ByteReader.Malformed()
    }
    self.vaultID = vaultID
    attemptLimit = try reader.integer()
    let count = Int(try reader.integer(UInt32.self))
    guard count <= Self.slotLimit else { throw ByteReader.Malformed() }
    slots = []
    for _ in 0..<count { slots.append(try KeySlot(parsing: &reader)) }
    try reader.zeros((Self.slotLimit - count) * KeySlot.byteCount)
    salt = try reader.bytes(32)
    sealed = try reader.bytes(Self.sealedCount)
    commitment = try reader.bytes(32)
  }
}
