package import SealedCrypto

/// One copy of the root: which manifest is in force, and the key slots. FORMAT.md, "Root file".
///
///     magic 8 · format 2 · state 1 · 0 1 · flags 3 × 4 · store id 16 · generation 8 · salt 32
///     · manifest number 8 · manifest file id 16 · key epoch 4 · slot count 4 · retired key count 4
///     · 0 4 · slots 8 × 96 · retired key (epoch 4 · 0 4 · wrapped key 40) · commitment 32 · MAC 32
///     · checksum 32
///
/// The vault's file has the same layout under another magic.
package struct RootCopy: Equatable, Sendable {
  package static let byteCount = 4096
  package static let slotLimit = 8
  static let format: UInt16 = 1
  private static let commitmentLabel = Array("SealedStore/1/root commitment".utf8)
  private static let macLabel = Array("SealedStore/1/root mac".utf8)

  /// What the copy says of the store.
  package enum State: UInt8, Sendable {
    case alive = 1
    case tombstone = 2
  }

  package var magic: [UInt8]
  package var state = State.alive
  package var storeID: StoreID
  package var generation: UInt64
  package var salt: [UInt8]
  package var manifestNumber: UInt64
  package var manifestFileID: StoreID
  package var keyEpoch: UInt32
  package var slots: [KeySlot]
  package var retiredKey: RetiredKey?

  /// The store key of an earlier epoch, while a rotation runs.
  package struct RetiredKey: Equatable, Sendable {
    var keyEpoch: UInt32
    var wrappedKey: [UInt8]

    init(keyEpoch: UInt32, wrappedKey: [UInt8]) {
      self.keyEpoch = keyEpoch
      self.wrappedKey = wrappedKey
    }

    /// Wraps an old store key under a key derived from the new one.
    init(
      wrapping old: SecretBytes, keyEpoch: UInt32, under new: SecretBytes
    ) throws(StoreError) {
      self.keyEpoch = keyEpoch
      wrappedKey = try withCrypto { () throws(CryptoError) in
        try AESKeyWrap.wrap(old, with: try Self.wrappingKey(new))
      }
    }

    /// The old store key.
    func unwrap(with new: SecretBytes) throws(StoreError) -> SecretBytes {
      try withCrypto { () throws(CryptoError) in
        try AESKeyWrap.unwrap(wrappedKey, with: try Self.wrappingKey(new))
      }
    }

    private static func wrappingKey(_ new: SecretBytes) throws(CryptoError) -> SecretBytes {
      let extracted = try HKDF.extract(salt: [], inputKey: new)
      return try HKDF.expand(pseudorandomKey: extracted, info: retiredLabel, count: 32)
    }
  }

  private static let retiredLabel = Array("SealedStore/1/retired".utf8)

  package init(
    magic: [UInt8], storeID: StoreID, generation: UInt64, salt: [UInt8], manifestNumber: UInt64,
    manifestFileID: StoreID, keyEpoch: UInt32, slots: [KeySlot]
  ) {
    self.magic = magic
    self.storeID = storeID
    self.generation = generation
    self.salt = salt
    self.manifestNumber = manifestNumber
    self.manifestFileID = manifestFileID
    self.keyEpoch = keyEpoch
    self.slots = slots
  }

  // MARK: Writing

  /// The copy's 4,096 bytes, authenticated under the store key.
  package func encoded(storeKey: SecretBytes) throws(StoreError) -> [UInt8] {
    var writer = ByteWriter()
    appendFields(to: &writer)
    let keys = try Self.keys(storeKey: storeKey, salt: salt)
    writer.append(keys.commitment)
    let mac = try withCrypto { () throws(CryptoError) in
      try HMACSHA256.authenticationCode(for: writer.bytes, key: keys.mac)
    }
    writer.append(mac)
    return try Self.finish(&writer)
  }

  /// A tombstone's bytes: no slots, no key needed.
  package func encodedTombstone() throws(StoreError) -> [UInt8] {
    var dead = self
    dead.state = .tombstone
    dead.slots = []
    dead.retiredKey = nil
    dead.salt = [UInt8](repeating: 0, count: 32)
    var writer = ByteWriter()
    dead.appendFields(to: &writer)
    writer.append(zeros: 64)
    return try Self.finish(&writer)
  }

  private static func finish(_ writer: inout ByteWriter) throws(StoreError) -> [UInt8] {
    writer.append(try checksum(writer.bytes))
    writer.append(zeros: byteCount - writer.bytes.count)
    return writer.bytes
  }

  private func appendFields(to writer: inout ByteWriter) {
    writer.append(magic)
    writer.append(Self.format)
    writer.append(state.rawValue)
    writer.append(UInt8(0))
    writer.append(zeros: 12)
    writer.append(storeID.bytes)
    writer.append(generation)
    writer.append(salt)
    writer.append(manifestNumber)
    writer.append(manifestFileID.bytes)
    writer.append(keyEpoch)
    writer.append(UInt32(slots.count))
    writer.append(UInt32(retiredKey == nil ? 0 : 1))
    writer.append(zeros: 4)
    for slot in slots { slot.append(to: &writer) }
    writer.append(zeros: (Self.slotLimit - slots.count) * KeySlot.byteCount)
    writer.append(retiredKey?.keyEpoch ?? 0)
    writer.append(zeros: 4)
    writer.append(retiredKey?.wrappedKey ?? [UInt8](repeating: 0, count: 40))
  }

  // MARK: Reading

  /// What reading a copy's bytes gives, before any key is known.
  package enum Reading: Equatable {
    /// No store's file: another magic.
    case foreign
    /// Written by a newer version.
    case newerFormat(UInt16)
    /// The magic is right, the checksum is not.
    case damaged
    case good(RootCopy)
  }

  private static func checksum(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    try withCrypto { () throws(CryptoError) in try SHA256.hash(bytes) }
  }

  /// Reads a copy; never traps, whatever the bytes.
  ///
  /// - Throws: where the cryptography's self tests failed, and for nothing else.
  package static func read(
    _ bytes: [UInt8], magic: [UInt8]
  ) throws(StoreError) -> Reading {
    guard bytes.count >= 10, Array(bytes[0..<8]) == magic else { return .foreign }
    let version = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
    let bad = version > format ? Reading.newerFormat(version) : .damaged
    var reader = ByteReader(bytes)
    let copy: RootCopy
    do throws(ByteReader.Malformed) {
      copy = try RootCopy(parsing: &reader, magic: magic)
    } catch { return bad }
    let checked = reader.offset + 64
    guard Array(bytes[checked..<checked + 32]) == (try checksum(Array(bytes[0..<checked]))),
      bytes[(checked + 32)...].allSatisfy({ $0 == 0 })
    else { return bad }
    return .good(copy)
  }

  private init(parsing reader: inout ByteReader, magic: [UInt8]) throws(ByteReader.Malformed) {
    self.magic = try reader.bytes(8)
    guard try reader.integer(UInt16.self) == Self.format,
      let state = State(rawValue: try reader.byte())
    else { throw ByteReader.Malformed() }
    self.state = state
    try reader.zeros(1 + 12)
    storeID = try reader.identity()
    generation = try reader.integer()
    salt = try reader.bytes(32)
    manifestNumber = try reader.integer()
    manifestFileID = try reader.identity()
    keyEpoch = try reader.integer()
    let slotCount = Int(try reader.integer(UInt32.self))
    let retiredCount = try reader.integer(UInt32.self)
    guard slotCount <= Self.slotLimit, retiredCount <= 1 else { throw ByteReader.Malformed() }
    try reader.zeros(4)
    slots = []
    for _ in 0..<slotCount { slots.append(try KeySlot(parsing: &reader)) }
    try reader.zeros((Self.slotLimit - slotCount) * KeySlot.byteCount)
    let retiredEpoch = try reader.integer(UInt32.self)
    try reader.zeros(4)
    let wrapped = try reader.bytes(40)
    if retiredCount == 1 {
      retiredKey = RetiredKey(keyEpoch: retiredEpoch, wrappedKey: wrapped)
    } else if retiredEpoch != 0 || wrapped.contains(where: { $0 != 0 }) {
      throw ByteReader.Malformed()
    }
    guard reader.remaining >= 96 else { throw ByteReader.Malformed() }
  }

  /// Whether commitment and MAC of `bytes`, which `read` called good, are right under the key.
  package func isAuthentic(_ bytes: [UInt8], storeKey: SecretBytes) throws(StoreError) -> Bool {
    let expected = try encoded(storeKey: storeKey)
    return unsafe expected.withRaw { a in
      unsafe bytes.withRaw { b in unsafe constantTimeEquals(a, b) }
    }
  }

  private static func keys(
    storeKey: SecretBytes, salt: [UInt8]
  ) throws(StoreError) -> (commitment: [UInt8], mac: SecretBytes) {
    try withCrypto { () throws(CryptoError) in
      let extracted = try HKDF.extract(salt: salt, inputKey: storeKey)
      let commitment = try HKDF.expand(
        pseudorandomKey: extracted, info: commitmentLabel, count: 32)
      let mac = try HKDF.expand(pseudorandomKey: extracted, info: macLabel, count: 32)
      return (unsafe commitment.withUnsafeBytes { unsafe Array($0) }, mac)
    }
  }
}
