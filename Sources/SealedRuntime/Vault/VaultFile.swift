internal import SealedCrypto
internal import SealedFiles
internal import SealedLog

/// An open vault: its file, under an advisory lock.
///
/// It holds no key: what needs one is given it. An instance lives for one operation, so that a
/// vault that another process changed or wiped meanwhile is noticed by the next.
struct VaultFile {
  let path: String
  private let lock: any FileLock
  private var root: RootFile
  private var attemptArea: TwinArea
  private var stateArea: TwinArea
  private(set) var attempts: AttemptRecord

  var id: StoreID { root.current.storeID }
  /// Whether the vault has a slot for an unlock key.
  var hasUnlockKey: Bool { root.current.slots.contains { $0.kind == .rawKey } }

  // MARK: Opening

  /// Opens the vault at a path; reads, and writes nothing.
  init(path: String, fileSystem: any FileSystem) throws(StoreError) {
    self.path = path
    let status = try onMedium { () throws(FileError) in try fileSystem.status(path) }
    guard let status, status.kind == .regular else {
      throw StoreError(.notAVault, "there is no vault at the path; activate one", file: path)
    }
    lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(path + ".lock", exclusive: true)
    }
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(path, writable: true)
    }
    do { root = try RootFile.open(file, path: path, magic: VaultLayout.magic) } catch {
      throw Self.named(error)
    }
    let size = try onMedium { () throws(FileError) in try file.size() }
    guard size == UInt64(RootFile.byteCount) else {
      throw StoreError(
        .damaged, "the vault has \(size) bytes, not \(RootFile.byteCount); restore a backup",
        file: path, offset: min(size, UInt64(RootFile.byteCount)))
    }
    attemptArea = TwinArea(
      file: file, offset: VaultLayout.attemptOffset, size: VaultLayout.attemptSize)
    stateArea = TwinArea(
      file: file, offset: VaultLayout.stateOffset, size: VaultLayout.stateSize)
    let vaultID = root.current.storeID
    let records = try attemptArea.texts().map { text throws(StoreError) in
      try AttemptRecord(text, vaultID: vaultID)
    }
    let newest = records.indices
      .compactMap { place in records[place].map { (place, $0) } }
      .max { $0.1.sequence < $1.1.sequence }
    guard let newest else {
      throw StoreError(
        .damaged, "both attempt records are damaged; restore the vault from a backup", file: path,
        offset: attemptArea.offset(of: 0))
    }
    attemptArea.choose(newest.0)
    attempts = newest.1
  }

  /// The error of the root file, in words that fit a vault.
  private static func named(_ error: StoreError) -> StoreError {
    var error = error
    switch error.code {
    case .notAStore:
      error.code = .notAVault
      error.message = "the file is no vault"
    case .erased: error.message = "the vault was wiped; activate a new one"
    case .damaged: error.message = "neither root of the vault is whole; restore a backup"
    case .tampered: error.message = "the vault was changed by someone without its key"
    default: break
    }
    return error
  }

  func release() { lock.release() }

  // MARK: Unlocking

  /// The root key: the attempt is counted and synced first, and success takes the count back.
  mutating func unlock(_ credential: Credential) throws(StoreError) -> SecretBytes {
    guard attempts.remaining > 0 else { throw lockedOut() }
    try count(attempts.failures + 1)
    let key: SecretBytes
    do { key = try root.unlock(credential) } catch {
      guard error.code == .wrongKey else { throw Self.named(error) }
      throw attempts.remaining > 0 ? wrongPassphrase(error) : lockedOut()
    }
    try count(0)
    return key
  }

  /// The root key by the unlock key, which works after a lock-out as well; it is random, so that
  /// no count of attempts need protect it.
  func unlock(unlockKey: SecretBytes) throws(StoreError) -> SecretBytes {
    do { return try root.unlock(.rawKey(unlockKey)) } catch {
      var error = Self.named(error)
      if error.code == .wrongKey { error.message = "the vault has no slot for this unlock key" }
      throw error
    }
  }

  private func wrongPassphrase(_ cause: StoreError) -> StoreError {
    StoreError(
      .wrongKey, "the passphrase is wrong; \(attempts.remaining) attempts are left", file: path,
      cause: cause)
  }

  private func lockedOut() -> StoreError {
    StoreError(
      .lockedOut, "too many wrong passphrases; the vault's unlock key opens it again", file: path)
  }

  /// Takes all attempts away: only the unlock key opens the vault then.
  mutating func exhaustAttempts() throws(StoreError) { try count(attempts.limit) }

  /// Gives all attempts back.
  mutating func restoreAttempts() throws(StoreError) { try count(0) }

  private mutating func count(_ failures: UInt32) throws(StoreError) {
    var next = attempts
    next.sequence += 1
    next.failures = failures
    try attemptArea.replace(by: next.encoded())
    attempts = next
  }

  // MARK: State

  /// What the vault remembers.
  mutating func state(rootKey: SecretBytes) throws(StoreError) -> VaultState {
    var newest: (place: Int, state: VaultState)?
    for (place, text) in try stateArea.texts().enumerated() {
      switch try VaultState.read(text, rootKey: rootKey, vaultID: id) {
      case .damaged: continue
      case .newerFormat(let version):
        throw StoreError(
          .newerFormat, "the vault's state has format \(version); update the app", file: path)
      case .good(let state):
        if let newest, newest.state.generation >= state.generation { continue }
        newest = (place, state)
      }
    }
    guard let newest else {
      throw StoreError(
        .damaged, "neither copy of the vault's state is whole; restore a backup", file: path,
        offset: stateArea.offset(of: 0))
    }
    stateArea.choose(newest.place)
    return newest.state
  }

  /// Puts a new state in force, in both places.
  ///
  /// Where `state` was read before, the copy in force is not touched until the new one is synced.
  mutating func replaceState(
    by state: VaultState, rootKey: SecretBytes
  ) throws(StoreError) {
    var next = state
    next.generation += 1
    let text = try next.sealed(rootKey: rootKey, vaultID: id)
    try stateArea.replace(by: text)
    try stateArea.replace(by: text)
  }

  // MARK: Slots

  /// Wraps the root key under a new passphrase, and an unlock key where one is given; nothing else
  /// changes.
  mutating func replaceSlots(
    passphrase: Credential, unlockKey: SecretBytes?, rootKey: SecretBytes
  ) throws(StoreError) {
    var slots = [
      try KeySlot.make(id: 1, credential: passphrase, storeKey: rootKey, storeID: id)
    ]
    if let unlockKey {
      slots.append(
        try KeySlot.make(
          id: 2, credential: .rawKey(unlockKey), storeKey: rootKey, storeID: id))
    } else {
      slots += root.current.slots.filter { $0.kind == .rawKey }
    }
    var next = root.current
    next.slots = slots
    next.salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    try root.rewriteBoth()
    try root.switchTo(next, storeKey: rootKey)
  }
}
