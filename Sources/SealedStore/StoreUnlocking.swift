public import SealedCrypto
public import SealedLog
public import SealedRuntime

/// Where a configuration's store takes its key from.
public struct StoreUnlocking: Sendable {
  /// The credential for the store, asked for when its container is created.
  let credential: @Sendable () throws -> Credential
  /// The runtime that hears of the store before it is made, and locks it.
  private(set) var runtime: SecureRuntime?

  /// A passphrase. Its Unicode normal form (NFC) is what counts, so that it opens the store
  /// whichever keyboard it was typed on.
  ///
  /// A key is derived from it slowly: some tenths of a second an open.
  ///
  /// - Parameter derivation: how a store that is made derives its key; nil for PBKDF2, calibrated to
  ///   the machine.
  public static func passphrase(
    _ passphrase: String, derivation: PassphraseDerivation? = nil
  ) -> Self {
    credential(.passphrase(passphrase, derivation: derivation))
  }

  /// A key of 32 random bytes, kept by the app.
  public static func rawKey(_ key: SecretBytes) -> Self { credential(.rawKey(key)) }

  /// What the engine itself takes.
  public static func credential(_ credential: Credential) -> Self {
    Self(credential: { credential })
  }

  private init(credential: @escaping @Sendable () throws -> Credential) {
    self.credential = credential
  }

  /// A key that an authorization runtime gives. `SecureModelContainer.create` throws
  /// `.containerLocked` before the runtime is authorized; it writes the store's path to the
  /// runtime's vault before the store is made, and the runtime's lock locks the store.
  public static func runtime(_ runtime: SecureRuntime) -> Self {
    var unlocking = credential(runtime.credential)
    unlocking.runtime = runtime
    return unlocking
  }

  /// The app's runtime, `SecureRuntime.shared`.
  public static var runtime: Self { runtime(.shared) }
}
