internal import SealedCrypto
internal import SealedFiles
internal import SealedLog

/// Making a vault: there is either none or a whole one, at every moment.
///
/// The file is written beside its place, synced, and linked there; a start that finds a file that
/// was never linked removes it.
struct VaultCreation {
  let path: String
  let fileSystem: any FileSystem
  let attemptLimit: UInt32

  private var draft: String { path + ".new" }
  private var parent: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the vault and gives its root key.
  func create(
    passphrase: Credential, unlockKey: SecretBytes?
  ) throws(StoreError) -> SecretBytes {
    let lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(path + ".lock", exclusive: true)
    }
    defer { lock.release() }
    try checkPlace()
    let file = try onMedium { () throws(FileError) in try fileSystem.create(draft) }
    let id = try StoreID.random()
    let key = try withCrypto { () throws(CryptoError) in try SecretBytes.random(count: 32) }
    try fill(file, id: id, key: key, passphrase: passphrase, unlockKey: unlockKey)
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(parent)
      try fileSystem.link(draft, to: path)
      try fileSystem.syncDirectory(parent)
      try fileSystem.unlink(draft)
      try fileSystem.syncDirectory(parent)
    }
    return key
  }

  private func checkPlace() throws(StoreError) {
    let (existing, leftover) = try onMedium { () throws(FileError) in
      (try fileSystem.status(path), try fileSystem.status(draft))
    }
    if let existing {
      if existing.kind == .regular { try checkWiped() }
      throw StoreError(
        .alreadyActivated, "something stands where the vault is to go; authorize instead",
        file: path)
    }
    if leftover != nil {
      try onMedium { () throws(FileError) in try fileSystem.unlink(draft) }
    }
  }

  private func checkWiped() throws(StoreError) {
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(path, writable: false)
    }
    // Throws `.erased` for a wiped vault.
    _ = try RootFile.open(file, path: path, magic: VaultLayout.magic)
  }

  private func fill(
    _ file: any RandomAccessFile, id: StoreID, key: SecretBytes, passphrase: Credential,
    unlockKey: SecretBytes?
  ) throws(StoreError) {
    var slots = [try KeySlot.make(id: 1, credential: passphrase, storeKey: key, storeID: id)]
    if let unlockKey {
      slots.append(
        try KeySlot.make(id: 2, credential: .rawKey(unlockKey), storeKey: key, storeID: id))
    }
    let salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    let root = RootCopy(
      magic: VaultLayout.magic, storeID: id, generation: 1, salt: salt, manifestNumber: 0,
      manifestFileID: id, keyEpoch: 1, slots: slots)
    _ = try RootFile.create(file, path: draft, copy: root, storeKey: key)
    let record = AttemptRecord(limit: attemptLimit, vaultID: id)
    var attemptArea = TwinArea(
      file: file, offset: VaultLayout.attemptOffset, size: VaultLayout.attemptSize)
    var stateArea = TwinArea(
      file: file, offset: VaultLayout.stateOffset, size: VaultLayout.stateSize)
    let state = try VaultState().sealed(rootKey: key, vaultID: id)
    for _ in VaultLayout.halves {
      try attemptArea.replace(by: record.encoded())
      try stateArea.replace(by: state)
    }
  }
}
