public import SealedCrypto

/// What opens a store.
public struct Credential: Sendable {
  enum Kind: Sendable {
    case rawKey(SecretBytes)
    case passphrase(SecretBytes, iterations: Int)
    case runtime(@Sendable (StoreID) throws -> SecretBytes)
  }

  let kind: Kind

  /// A key of 32 random bytes, used as it is.
  public static func rawKey(_ key: SecretBytes) -> Credential { Credential(kind: .rawKey(key)) }

  /// A passphrase: the UTF-8 bytes of its NFC form.
  ///
  /// A key is derived from it by PBKDF2-HMAC-SHA-256 with at least 600,000 rounds (OWASP's figure);
  /// the count is stored in the key slot.
  public static func passphrase(_ utf8: SecretBytes) -> Credential {
    Credential(kind: .passphrase(utf8, iterations: KeySlot.defaultIterations))
  }

  /// A passphrase, as bytes that the caller wipes.
  public static func passphrase(utf8: [UInt8]) -> Credential { passphrase(SecretBytes(utf8)) }

  /// A passphrase whose slot, where one is made, takes fewer rounds: for tests that open stores in
  /// loops.
  package static func passphrase(_ utf8: SecretBytes, iterations: Int) -> Credential {
    Credential(kind: .passphrase(utf8, iterations: iterations))
  }

  /// A key-encryption key of 32 bytes that an authorization runtime derives for the store.
  ///
  /// The closure is called with the store's identity whenever the store is opened or unlocked; what
  /// it throws ends that call, as the cause of an error of code `locked`.
  public static func runtime(
    _ key: @escaping @Sendable (StoreID) throws -> SecretBytes
  ) -> Credential {
    Credential(kind: .runtime(key))
  }
}
