public import Foundation
public import SealedCrypto
public import SealedLog
public import SealedRuntime

extension SecretBytes {
  /// The UTF-8 bytes of a passphrase's Unicode normal form (NFC): the same from every keyboard.
  public convenience init(passphrase: String) {
    self.init(Array(passphrase.precomposedStringWithCanonicalMapping.utf8))
  }
}

extension Credential {
  /// A passphrase, in Unicode normal form (NFC).
  ///
  /// - Parameter derivation: how a store that is made derives its key; nil for PBKDF2, calibrated to
  ///   the machine.
  public static func passphrase(
    _ passphrase: String, derivation: PassphraseDerivation? = nil
  ) -> Credential {
    .passphrase(SecretBytes(passphrase: passphrase), derivation: derivation)
  }
}

extension SecureRuntime {
  /// Makes a vault at a file URL, with the passphrase in Unicode normal form (NFC), and authorizes
  /// the runtime by it.
  ///
  /// - Throws: as `activate(vault:passphrase:unlockKey:attemptLimit:)` of a path;
  ///   `.invalidStoreURL` where the URL is none of a file.
  public func activate(
    vault url: URL, passphrase: String, unlockKey: SecretBytes? = nil,
    attemptLimit: Int = SecureRuntime.defaultAttemptLimit
  ) throws(StoreError) {
    try activate(
      vault: StoreLocation(url).path(), passphrase: SecretBytes(passphrase: passphrase),
      unlockKey: unlockKey, attemptLimit: attemptLimit)
  }

  /// Opens the vault at a file URL and authorizes the runtime.
  ///
  /// - Throws: as `authorize(vault:passphrase:)` of a path; `.invalidStoreURL` where the URL is
  ///   none of a file.
  public func authorize(vault url: URL, passphrase: String) throws(StoreError) {
    try authorize(
      vault: StoreLocation(url).path(), passphrase: SecretBytes(passphrase: passphrase))
  }
}
