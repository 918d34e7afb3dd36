public import SealedCrypto
internal import SealedFiles
public import SealedLog
internal import Synchronization

extension SecureRuntime {
  /// Whether a vault stands at a path, without opening it.
  public func isActivated(vault path: String) throws(StoreError) -> Bool {
    try onMedium { () throws(FileError) in try fileSystem.status(path) }?.kind == .regular
  }

  /// Makes a vault, in an existing directory, and authorizes the runtime with it.
  ///
  /// - Parameters:
  ///   - path: where the vault goes; a file `path.lock` lies beside it.
  ///   - passphrase: UTF-8 bytes of the passphrase's NFC form.
  ///   - unlockKey: 32 random bytes that open the vault after a lock-out; without them a lock-out
  ///     is final.
  ///   - attemptLimit: wrong passphrases in a row before the lock-out.
  /// - Throws: `.alreadyActivated` where something stands at the path, `.erased` for a wiped vault,
  ///   the medium's errors. The path is left as it was.
  public func activate(
    vault path: String, passphrase: SecretBytes, unlockKey: SecretBytes? = nil,
    attemptLimit: Int = SecureRuntime.defaultAttemptLimit
  ) throws(StoreError) {
    guard passphrase.count > 0 else {
      throw StoreError(.invalidArgument, "the passphrase is empty")
    }
    guard (1...1_000).contains(attemptLimit) else {
      throw StoreError(.invalidArgument, "the limit of attempts is 1 to 1,000")
    }
    let creation = VaultCreation(
      path: path, fileSystem: fileSystem, attemptLimit: UInt32(attemptLimit))
    try inTurn { () throws(StoreError) in
      _ = try creation.create(
        passphrase: passphraseCredential(passphrase), unlockKey: unlockKey)
      try begin(path) { (vault) throws(StoreError) in
        try vault.unlock(passphraseCredential(passphrase))
      }
    }
  }

  /// Opens a vault and authorizes the runtime; stores that were locked are unlocked.
  ///
  /// The attempt is counted on the medium before the passphrase is tried.
  ///
  /// - Throws: `.wrongKey`, whose message says how many attempts are left; `.lockedOut`;
  ///   `.notAVault`; `.erased`; `.damaged`; `.tampered`; `.storeInUse` while another process has
  ///   the vault. The runtime is then as before. An error of a store that couldn't be unlocked is
  ///   thrown at the end, the runtime being authorized.
  public func authorize(vault path: String, passphrase: SecretBytes) throws(StoreError) {
    try inTurn { () throws(StoreError) in
      try begin(path) { (vault) throws(StoreError) in
        try vault.unlock(passphraseCredential(passphrase))
      }
    }
  }

  /// Opens a locked-out vault by its unlock key and gives it a new passphrase; the unlock key is
  /// used up and replaced.
  ///
  /// - Throws: `.wrongKey` for another unlock key; else as `authorize`.
  public func authorize(
    vault path: String, unlockKey: SecretBytes, newPassphrase: SecretBytes,
    newUnlockKey: SecretBytes
  ) throws(StoreError) {
    try inTurn { () throws(StoreError) in
      try begin(path) { (vault) throws(StoreError) in
        let key = try vault.unlock(unlockKey: unlockKey)
        try vault.replaceSlots(
          passphrase: passphraseCredential(newPassphrase), unlockKey: newUnlockKey, rootKey: key)
        try vault.restoreAttempts()
        return key
      }
    }
  }

  /// How many passphrases may still be tried.
  public func remainingAttempts(vault path: String) throws(StoreError) -> Int {
    try withVault(path) { vault in vault.attempts.remaining }
  }

  /// Changes the passphrase: the vault's root key is wrapped anew, no store is touched.
  ///
  /// An old copy of the vault still opens by the old passphrase (SECURITY.md).
  ///
  /// - Throws: as `authorize`; the old passphrase is then still in force.
  public func changePassphrase(
    vault path: String, from old: SecretBytes, to new: SecretBytes
  ) throws(StoreError) {
    guard new.count > 0 else { throw StoreError(.invalidArgument, "the passphrase is empty") }
    try inTurn { () throws(StoreError) in
      try withVault(path) { (vault) throws(StoreError) in
        let key = try vault.unlock(passphraseCredential(old))
        try vault.replaceSlots(
          passphrase: passphraseCredential(new), unlockKey: nil, rootKey: key)
      }
    }
  }

  /// Authorizes the runtime with the root key that `unlock` gets out of the vault.
  private func begin(
    _ path: String, _ unlock: (inout VaultFile) throws(StoreError) -> SecretBytes
  ) throws(StoreError) {
    do throws(StoreError) {
      try withVault(path) { (vault) throws(StoreError) in
        let key = try unlock(&vault)
        // A vault whose list of stores is lost is not good for anything.
        _ = try vault.state(rootKey: key)
        let id = vault.id
        session.withLock { session in
          session.vaultPath = path
          session.vaultID = id
          session.rootKey = key
          session.reason = .none
        }
      }
    } catch {
      noteFailure(error)
      throw error
    }
    defer {
      events.post(AppEvent(type: .authorized, code: .none, message: "Authorized."))
    }
    try unlockStores()
  }

  private func noteFailure(_ error: StoreError) {
    let code: AppResultCode
    switch error.code {
    case .lockedOut: code = .remoteLockout
    case .erased: code = .wiped
    case .wrongKey: return
    default: code = .securityError
    }
    session.withLock { if $0.rootKey == nil { $0.reason = code } }
    events.post(AppEvent(type: .notAuthorized, code: code, message: error.message))
  }
}
