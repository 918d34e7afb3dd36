package import SealedCrypto

/// A wrapped copy of the store key in the root file, with all that is needed to unwrap it but the
/// credential: FORMAT.md, "Key slots".
package struct KeySlot: Equatable, Sendable {
  /// How the key-encryption key comes from the credential.
  package enum Kind: UInt8, Sendable {
    case rawKey = 1
    case passphrasePBKDF2 = 2
    case passphraseArgon2id = 3
    case runtime = 4
  }

  static let byteCount = 96

  package var id: UInt32
  package var kind: Kind
  /// PBKDF2's count, or Argon2id's passes; zero for the other kinds.
  package var iterations: UInt32
  /// Argon2id's memory; zero for the other kinds.
  package var memoryKiB: UInt32 = 0
  /// Argon2id's lanes; zero for the other kinds.
  package var lanes: UInt32 = 0
  package var salt: [UInt8]
  package var wrappedKey: [UInt8]

  /// How the key comes from a passphrase; nil for the other kinds.
  var derivation: PassphraseDerivation? {
    get {
      switch kind {
      case .passphrasePBKDF2: PassphraseDerivation(method: .pbkdf2(iterations: iterations))
      case .passphraseArgon2id:
        PassphraseDerivation(
          method: .argon2id(passes: iterations, memoryKiB: memoryKiB, lanes: lanes))
      case .rawKey, .runtime: nil
      }
    }
    set {
      switch newValue?.method {
      case .pbkdf2(let count):
        (kind, iterations, memoryKiB, lanes) = (.passphrasePBKDF2, count, 0, 0)
      case .argon2id(let passes, let memory, let lanes):
        (kind, iterations, memoryKiB) = (.passphraseArgon2id, passes, memory)
        self.lanes = lanes
      case nil: break
      }
    }
  }

  /// Wraps `storeKey` under a credential.
  package static func make(
    id: UInt32, credential: Credential, storeKey: SecretBytes, storeID: StoreID
  ) throws(StoreError) -> KeySlot {
    let salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    var slot = KeySlot(id: id, kind: .rawKey, iterations: 0, salt: salt, wrappedKey: [])
    switch credential.kind {
    case .rawKey: slot.kind = .rawKey
    case .passphrase(_, let derivation):
      if let derivation {
        slot.derivation = derivation
      } else {
        slot.derivation = try .calibrated()
      }
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

  /// The same slot for another store key: a passphrase's key is derived as before, from a new salt.
  ///
  /// - Parameter credential: one that unwraps this slot.
  func renewed(
    credential: Credential, storeKey: SecretBytes, storeID: StoreID
  ) throws(StoreError) -> KeySlot {
    var credential = credential
    if case .passphrase(let utf8, _) = credential.kind {
      credential = .passphrase(utf8, derivation: derivation)
    }
    return try .make(id: id, credential: credential, storeKey: storeKey, storeID: storeID)
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
    case (.passphrasePBKDF2, .passphrase(let utf8, _)),
      (.passphraseArgon2id, .passphrase(let utf8, _)):
      return try derivation?.key(passphrase: utf8, salt: salt)
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

  /// Slot: id 4 · kind 1 · 0 3 · iterations 4 · memory 4 · salt 32 · wrapped key 40 · lanes 4 · 0 4.
  func append(to writer: inout ByteWriter) {
    writer.append(id)
    writer.append(kind.rawValue)
    writer.append(zeros: 3)
    writer.append(iterations)
    writer.append(memoryKiB)
    writer.append(salt)
    writer.append(wrappedKey)
    writer.append(lanes)
    writer.append(zeros: 4)
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    id = try reader.integer()
    guard let kind = Kind(rawValue: try reader.byte()) else { throw ByteReader.Malformed() }
    self.kind = kind
    try reader.zeros(3)
    iterations = try reader.integer()
    memoryKiB = try reader.integer()
    salt = try reader.bytes(32)
    wrappedKey = try reader.bytes(40)
    lanes = try reader.integer()
    try reader.zeros(4)
    guard hasRightParameters else { throw ByteReader.Malformed() }
  }

  private var hasRightParameters: Bool {
    switch kind {
    case .rawKey, .runtime: iterations == 0 && memoryKiB == 0 && lanes == 0
    case .passphrasePBKDF2: iterations > 0 && memoryKiB == 0 && lanes == 0
    case .passphraseArgon2id:
      iterations > 0 && 1..<(1 << 24) ~= lanes && memoryKiB / 8 >= lanes
    }
  }

  private init(id: UInt32, kind: Kind, iterations: UInt32, salt: [UInt8], wrappedKey: [UInt8]) {
    self.id = id
    self.kind = kind
    self.iterations = iterations
    self.salt = salt
    self.wrappedKey = wrappedKey
  }
}
