internal import Foundation
public import SealedCrypto
internal import SealedFiles
public import SealedLog
internal import Synchronization

extension SecureRuntime {
  /// Makes a vault with a new root key, and authorizes.
  ///
  /// - Parameters:
  ///   - vault: The path of a file that doesn't exist, in a directory that does.
  ///   - passphrase: Not empty; its Unicode normal form (NFC) is what counts.
  /// - Returns: the unlock key, 32 random bytes that open the vault once when the passphrase is
  ///   forgotten, or was wrong too often. It is kept nowhere else.
  /// - Throws: `.alreadyActivated`, `.invalidArgument`, `.io`, `.diskFull`.
  @discardableResult
  public func activate(vault: String, passphrase: String) throws(StoreError) -> SecretBytes {
    try working(vault) { () throws(StoreError) in
      let vaultID = try StoreID.random()
      let (rootKey, unlockKey) = try withCrypto { () throws(CryptoError) in
        (try SecretBytes.random(count: 32), try SecretBytes.random(count: 32))
      }
      let slots = try makeSlots(
        passphrase: passphrase, unlockKey: unlockKey, rootKey: rootKey, vaultID: vaultID)
      let body = try VaultBody(
        vaultID: vaultID, attemptLimit: UInt32(Self.attemptLimit), slots: slots,
        contents: VaultContents(), rootKey: rootKey)
      try VaultFile.create(vault, body: body, fileSystem: fileSystem)
      try adopt(rootKey, vault: vault)
      return unlockKey
    }
  }

  /// Opens a vault by its passphrase; stores that the runtime locked are unlocked.
  ///
  /// The attempt is counted, and the count synced, before the passphrase is tried: ending the
  /// process in between gives no attempt for nothing.
  ///
  /// - Throws: `.wrongKey`, with the attempts left in its message; `.lockedOut`; `.notActivated`,
  ///   `.damaged`, `.tampered`, `.io`.
  public func authorize(vault: String, passphrase: String) throws(StoreError) {
    try working(vault) { () throws(StoreError) in
      var file = try VaultFile(opening: vault, fileSystem: fileSystem)
      let opened = try attempt(passphrase, on: &file, path: vault)
      try adopt(opened.rootKey, vault: vault)
    }
  }

  /// Puts another passphrase in the place of the current one; no store is touched.
  ///
  /// Someone with a copy of the vault from before and the old passphrase still has the root key.
  ///
  /// - Throws: as `authorize`, and `.notAuthorized` where no vault is known yet.
  public func changePassphrase(from old: String, to new: String) throws(StoreError) {
    guard let vault = state.withLock({ $0.vaultPath }) else {
      throw StoreError(.notAuthorized, "nobody is authorized; authorize first")
    }
    try working(vault) { () throws(StoreError) in
      var file = try VaultFile(opening: vault, fileSystem: fileSystem)
      let opened = try attempt(old, on: &file, path: vault)
      let body = file.current.body
      let slot = try passphraseSlot(new, rootKey: opened.rootKey, vaultID: body.vaultID)
      let kept = body.slots.filter { $0.kind != .passphrasePBKDF2 }
      try file.switchTo(
        attempts: 0,
        body: body.changed(
          slots: [slot] + kept, contents: opened.contents, rootKey: opened.rootKey))
    }
  }

  /// Opens a vault by its unlock key, and gives it a new passphrase and a new unlock key.
  ///
  /// - Returns: the new unlock key; the old one is worthless.
  /// - Throws: `.wrongKey`, `.notActivated`, `.invalidArgument`, `.damaged`, `.tampered`, `.io`.
  public func unlock(
    vault: String, unlockKey: SecretBytes, newPassphrase: String
  ) throws(StoreError) -> SecretBytes {
    try working(vault) { () throws(StoreError) in
      var file = try VaultFile(opening: vault, fileSystem: fileSystem)
      let body = file.current.body
      guard let opened = try open(body, with: .rawKey(unlockKey), path: vault) else {
        throw StoreError(.wrongKey, "the unlock key is not the vault's", file: vault)
      }
      let next = try withCrypto { () throws(CryptoError) in try SecretBytes.random(count: 32) }
      let slots = try makeSlots(
        passphrase: newPassphrase, unlockKey: next, rootKey: opened.rootKey,
        vaultID: body.vaultID)
      try file.switchTo(
        attempts: 0,
        body: body.changed(slots: slots, contents: opened.contents, rootKey: opened.rootKey))
      try adopt(opened.rootKey, vault: vault)
      return next
    }
  }

  /// How many more wrong passphrases the vault takes.
  ///
  /// - Throws: `.notActivated`, `.damaged`, `.tampered`, `.io`.
  public func remainingAttempts(vault: String) throws(StoreError) -> Int {
    try working(vault) { () throws(StoreError) in
      let copy = try VaultFile(opening: vault, fileSystem: fileSystem).current
      return max(0, Int(copy.body.attemptLimit) - Int(copy.attempts))
    }
  }

  // MARK: Stores' places

  /// Records a store's place in the vault; to be called before the store is made.
  ///
  /// - Throws: `.notAuthorized`, `.limitExceeded` where the vault is full, `.io`.
  public func recordStore(path: String) throws(StoreError) {
    try changeContents { contents in
      if !contents.storePaths.contains(path) { contents.storePaths.append(path) }
    }
  }

  /// Takes a store's place out of the vault; to be called after the store was erased.
  ///
  /// - Throws: `.notAuthorized`, `.io`.
  public func forgetStore(path: String) throws(StoreError) {
    try changeContents { contents in contents.storePaths.removeAll { $0 == path } }
  }

  /// The recorded places, in the order in which they were recorded.
  ///
  /// - Throws: `.notAuthorized`, `.tampered`, `.io`.
  public func storePaths() throws(StoreError) -> [String] {
    var paths: [String] = []
    try changeContents { paths = $0.storePaths }
    return paths
  }

  private func changeContents(_ change: (inout VaultContents) -> Void) throws(StoreError) {
    guard let vault = state.withLock({ $0.vaultPath }) else {
      throw StoreError(.notAuthorized, "nobody is authorized; authorize first")
    }
    try working(vault) { () throws(StoreError) in
      let rootKey = try rootKey()
      var file = try VaultFile(opening: vault, fileSystem: fileSystem)
      let body = file.current.body
      let old = try contents(of: body, rootKey: rootKey, path: vault)
      var new = old
      change(&new)
      guard new != old else { return }
      try file.switchTo(
        attempts: file.current.attempts, body: body.changed(contents: new, rootKey: rootKey))
    }
  }

  // MARK: Parts

  private struct Opened {
    var rootKey: SecretBytes
    var contents: VaultContents
  }

  /// One counted attempt.
  private func attempt(
    _ passphrase: String, on file: inout VaultFile, path: String
  ) throws(StoreError) -> Opened {
    let copy = file.current
    guard copy.attempts < copy.body.attemptLimit else {
      throw StoreError(
        .lockedOut, "the passphrase was wrong too often; only the unlock key opens the vault",
        file: path)
    }
    try file.switchTo(attempts: copy.attempts + 1, body: copy.body)
    let credential = Credential.passphrase(Self.normalized(passphrase))
    guard let opened = try open(copy.body, with: credential, path: path) else {
      let left = copy.body.attemptLimit - file.current.attempts
      throw StoreError(.wrongKey, "the passphrase is wrong; \(left) attempts are left", file: path)
    }
    try file.switchTo(attempts: 0, body: copy.body)
    return opened
  }

  private func open(
    _ body: VaultBody, with credential: Credential, path: String
  ) throws(StoreError) -> Opened? {
    let cost = body.slots.reduce(UInt64(0)) { $0 + UInt64($1.iterations) }
    guard cost <= KeySlot.iterationLimit else {
      throw StoreError(
        .limitExceeded,
        "the key slots ask for \(cost) rounds of PBKDF2; the limit is \(KeySlot.iterationLimit)",
        file: path)
    }
    for slot in body.slots {
      if let rootKey = try slot.unwrap(with: credential, storeID: body.vaultID) {
        return Opened(
          rootKey: rootKey, contents: try contents(of: body, rootKey: rootKey, path: path))
      }
    }
    return nil
  }

  private func contents(
    of body: VaultBody, rootKey: SecretBytes, path: String
  ) throws(StoreError) -> VaultContents {
    guard let contents = try body.contents(rootKey: rootKey) else {
      throw StoreError(
        .tampered, "the vault was changed by someone without the key; restore it from a backup",
        file: path)
    }
    return contents
  }

  private func makeSlots(
    passphrase: String, unlockKey: SecretBytes, rootKey: SecretBytes, vaultID: StoreID
  ) throws(StoreError) -> [KeySlot] {
    [
      try passphraseSlot(passphrase, rootKey: rootKey, vaultID: vaultID),
      try KeySlot.make(
        id: 2, credential: .rawKey(unlockKey), storeKey: rootKey, storeID: vaultID),
    ]
  }

  private func passphraseSlot(
    _ passphrase: String, rootKey: SecretBytes, vaultID: StoreID
  ) throws(StoreError) -> KeySlot {
    guard !passphrase.isEmpty else {
      throw StoreError(.invalidArgument, "the passphrase is empty")
    }
    return try KeySlot.make(
      id: 1, credential: .passphrase(Self.normalized(passphrase), iterations: iterations),
      storeKey: rootKey, storeID: vaultID)
  }

  private static func normalized(_ passphrase: String) -> SecretBytes {
    SecretBytes(Array(passphrase.precomposedStringWithCanonicalMapping.utf8))
  }

  /// Runs what reads or writes the vault, alone in this process and among all.
  private func working<R>(
    _ vault: String, _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    workLock.lock()
    defer { workLock.unlock() }
    let lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(vault + "-lock", exclusive: true)
    }
    defer { lock.release() }
    return try body()
  }

  private func adopt(_ rootKey: SecretBytes, vault: String) throws(StoreError) {
    state.withLock {
      $0.rootKey = rootKey
      $0.vaultPath = vault
    }
    try unlockStores()
  }
}
