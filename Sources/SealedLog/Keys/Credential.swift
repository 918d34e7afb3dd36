public import SealedCrypto

/// What opens a store.
public struct Credential: Sendable {
  enum Kind: Sendable {
    case rawKey(SecretBytes)
    /// Without a derivation a new slot takes a calibrated one.
    case passphrase(SecretBytes, PassphraseDerivation?)
    case runtime(@Sendable (StoreID) throws -> SecretBytes)
  }

  let kind: Kind

  /// A key of 32 random bytes, used as it is.
  public static func rawKey(_ key: SecretBytes) -> Credential { Credential(kind: .rawKey(key)) }

  /// A passphrase: the UTF-8 bytes of its NFC form.
  ///
  /// A key is derived from it slowly. How is stored in the key slot, when a store is made:
  /// `derivation` matters then alone.
  ///
  /// - Parameter derivation: how a new slot derives the key; nil for
  ///   `PassphraseDerivation.calibrated`.
  public static func passphrase(
    _ utf8: SecretBytes, derivation: PassphraseDerivation? = nil
  ) -> Credential {
    Credential(kind: .passphrase(utf8, derivation))
  }

  /// A passphrase, as bytes that the caller wipes.
  public static func passphrase(utf8: [UInt8]) -> Credential { passphrase(SecretBytes(utf8)) }

  /// A passphrase whose slot, where one is made, takes fewer rounds: for tests that open stores in
  /// loops.
  package static func passphrase(_ utf8: SecretBytes, iterations: Int) -> Credential {
    passphrase(utf8, derivation: PassphraseDerivation(unchecked: iterations))
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
