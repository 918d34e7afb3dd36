package import SealedCrypto

/// A wrapped copy of the store key in the root file, with all that is needed to unwrap it but the
/// credential: FORMAT.md, "Key slots".
package struct KeySlot: Equatable, Sendable {
  /// How the key-encryption key comes from the credential.
  package enum Kind: UInt8, Sendable {
    case rawKey = 1
    case passphrasePBKDF2 = 2
    case runtime = 4
  }

  static let byteCount = 96
  /// OWASP's figure for PBKDF2-HMAC-SHA-256, as of 2026.
  static let defaultIterations = 600_000
  /// What all slots of a root file together may cost; more is refused before any work is done.
  static let iterationLimit: UInt64 = 50_000_000

  package var id: UInt32
  package var kind: Kind
  /// PBKDF2's count; zero for the other kinds.
  package var iterations: UInt32
  package var salt: [UInt8]
  package var wrappedKey: [UInt8]

  /// Wraps `storeKey` under a credential.
  package static func make(
    id: UInt32, credential: Credential, storeKey: SecretBytes, storeID: StoreID
  ) throws(StoreError) -> KeySlot {
    let salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    var slot = KeySlot(id: id, kind: .rawKey, iterations: 0, salt: salt, wrappedKey: [])
    switch credential.kind {
    case .rawKey: slot.kind = .rawKey
    case .passphrase(_, let iterations):
      slot.kind = .passphrasePBKDF2
      slot.iterations = UInt32(clamping: iterations)
    case .runtime: slot.kind = .runtime
    }
    guard let wrappingKey = try slot.wrappingKey(for: credential, storeID: storeID) else {
      throw StoreError(.invalidArgument, "the credential does not fit the slot made for it")
    }
    slot.wrappedKey = try withCrypto { () throws(CryptoError) in
      try AESKeyWrap.wrap(storeKey, with: wrappingKey)
    }
    return slot
  }

  /// The store key, or nil where the slot is of another kind or another key's.
  package func unwrap(
    with credential: Credential, storeID: StoreID
  ) throws(StoreError) -> SecretBytes? {
    guard let wrappingKey = try wrappingKey(for: credential, storeID: storeID) else { return nil }
    do {
      return try AESKeyWrap.unwrap(wrappedKey, with: wrappingKey)
    } catch {
      if error.code == .authenticationFailure { return nil }
      throw StoreError(error)
    }
  }

  private func wrappingKey(
    for credential: Credential, storeID: StoreID
  ) throws(StoreError) -> SecretBytes? {
    switch (kind, credential.kind) {
    case (.rawKey, .rawKey(let key)):
      guard key.count == 32 else {
        throw StoreError(.invalidArgument, "a raw key has 32 bytes, not \(key.count)")
      }
      return key
    case (.passphrasePBKDF2, .passphrase(let utf8, _)):
      return try withCrypto { () throws(CryptoError) in
        try PBKDF2.deriveKey(
          password: utf8, salt: salt, iterations: Int(iterations), count: 32)
      }
    case (.runtime, .runtime(let derive)):
      do {
        return try derive(storeID)
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.locked, "the runtime gives no key for the store", cause: error)
      }
    default:
      return nil
    }
  }

  /// Slot: id 4 · kind 1 · 0 3 · iterations 4 · 0 4 · salt 32 · wrapped key 40 · 0 8.
  func append(to writer: inout ByteWriter) {
    writer.append(id)
    writer.append(kind.rawValue)
    writer.append(zeros: 3)
    writer.append(iterations)
    writer.append(zeros: 4)
    writer.append(salt)
    writer.append(wrappedKey)
    writer.append(zeros: 8)
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    id = try reader.integer()
    guard let kind = Kind(rawValue: try reader.byte()) else { throw ByteReader.Malformed() }
    self.kind = kind
    try reader.zeros(3)
    iterations = try reader.integer()
    guard (kind == .passphrasePBKDF2) == (iterations > 0) else { throw ByteReader.Malformed() }
    try reader.zeros(4)
    salt = try reader.bytes(32)
    wrappedKey = try reader.bytes(40)
    try reader.zeros(8)
  }

  private init(id: UInt32, kind: Kind, iterations: UInt32, salt: [UInt8], wrappedKey: [UInt8]) {
    self.id = id
    self.kind = kind
    self.iterations = iterations
    self.salt = salt
    self.wrappedKey = wrappedKey
  }
}
