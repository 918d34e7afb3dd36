internal import SealedCrypto
internal import SealedLog

/// What the vault remembers, sealed under a key from its root key.
///
/// Magic 8 · format 2 · 0 2 · length 4 · generation 8 · salt 32 · ciphertext · tag 16. The key is
/// HKDF(root key, salt) with a new salt for each text, so that the nonce may be zero. Additional
/// data: what stands before the ciphertext, and the vault's id.
struct VaultState: Equatable, Sendable {
  private static let magic = Array("SEALSTAT".utf8)
  private static let format: UInt16 = 1
  private static let label = Array("SealedStore/1/vault state".utf8)
  private static let headerSize = 56
  /// The longest path of a store, in UTF-8 bytes.
  static let pathLimit = 4_096

  var generation: UInt64 = 1
  /// The stores that exist, or are about to, by path.
  var stores: [String] = []

  // MARK: Content

  private var content: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(stores.count))
    for store in stores { writer.append(counted: Array(store.utf8)) }
    return writer.bytes
  }

  private init?(content: [UInt8], generation: UInt64) {
    self.generation = generation
    var reader = ByteReader(content)
    do {
      let count = try reader.integer(UInt32.self)
      for _ in 0..<count {
        let path = try reader.counted(limit: Self.pathLimit)
        guard let text = String(validating: path, as: UTF8.self) else { return nil }
        stores.append(text)
      }
      guard reader.remaining == 0 else { return nil }
    } catch { return nil }
  }

  init() {}

  // MARK: Sealing

  func sealed(rootKey: SecretBytes, vaultID: StoreID) throws(StoreError) -> [UInt8] {
    let content = self.content
    guard content.count + Self.headerSize + 16 <= VaultLayout.stateSize else {
      throw StoreError(
        .limitExceeded, "the vault's list of stores is full; erase stores that aren't needed")
    }
    let salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(Self.format)
    writer.append(zeros: 2)
    writer.append(UInt32(content.count))
    writer.append(generation)
    writer.append(salt)
    let header = writer.bytes
    let (text, tag) = try Self.crypt(
      content, header: header, salt: salt, rootKey: rootKey, vaultID: vaultID, tag: nil)
    return header + text + tag
  }

  /// What a place's text holds.
  enum Reading: Equatable {
    /// Never finished, or not what was written.
    case damaged
    case newerFormat(UInt16)
    case good(VaultState)
  }

  static func read(
    _ text: [UInt8], rootKey: SecretBytes, vaultID: StoreID
  ) throws(StoreError) -> Reading {
    guard text.count == VaultLayout.stateSize else { return .damaged }
    var reader = ByteReader(text)
    let generation: UInt64
    let (salt, ciphertext, tag): ([UInt8], [UInt8], [UInt8])
    do {
      guard try reader.bytes(8) == magic else { return .damaged }
      let version = try reader.integer(UInt16.self)
      if version > format { return .newerFormat(version) }
      guard version == format else { return .damaged }
      try reader.zeros(2)
      let length = Int(try reader.integer(UInt32.self))
      generation = try reader.integer()
      salt = try reader.bytes(32)
      ciphertext = try reader.bytes(length)
      tag = try reader.bytes(16)
      try reader.zeros(reader.remaining)
    } catch { return .damaged }
    do {
      let (content, _) = try crypt(
        ciphertext, header: Array(text[0..<headerSize]), salt: salt, rootKey: rootKey,
        vaultID: vaultID, tag: tag)
      return VaultState(content: content, generation: generation).map { .good($0) } ?? .damaged
    } catch {
      if (error.cause as? CryptoError)?.code == .authenticationFailure { return .damaged }
      throw error
    }
  }

  /// Seals, or with a tag opens.
  private static func crypt(
    _ text: [UInt8], header: [UInt8], salt: [UInt8], rootKey: SecretBytes, vaultID: StoreID,
    tag expected: [UInt8]?
  ) throws(StoreError) -> (text: [UInt8], tag: [UInt8]) {
    var output = [UInt8](repeating: 0, count: text.count)
    var tag = expected ?? [UInt8](repeating: 0, count: AESGCM.tagSize)
    let nonce = [UInt8](repeating: 0, count: 12)
    let aad = header + vaultID.bytes
    try withCrypto { () throws(CryptoError) in
      let extracted = try HKDF.extract(salt: salt, inputKey: rootKey)
      let key = try HKDF.expand(pseudorandomKey: extracted, info: label, count: 32)
      let cipher = try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
        try unsafe AESGCM(key: key)
      }
      try unsafe text.withRaw { (text) throws(CryptoError) in
        try unsafe output.withMutableRaw { (output) throws(CryptoError) in
          try unsafe nonce.withRaw { (nonce) throws(CryptoError) in
            try unsafe aad.withRaw { (aad) throws(CryptoError) in
              try unsafe tag.withMutableRaw { (tag) throws(CryptoError) in
                if expected == nil {
                  try unsafe cipher.seal(text, into: output, nonce: nonce, aad: aad, tag: tag)
                } else {
                  try unsafe cipher.open(
                    text, into: output, nonce: nonce, aad: aad, tag: UnsafeRawBufferPointer(tag))
                }
              }
            }
          }
        }
      }
    }
    return (output, tag)
  }
}
