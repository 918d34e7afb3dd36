internal import SealedCrypto
internal import SealedFiles

/// Creating a store: there is either none or a whole one, at every moment.
///
/// Order: directories, parent synced; `creating`, log directory synced; lock, log, manifest; root
/// written into `creating`, synced; linked to its place, parent synced; `creating` unlinked.
struct StoreCreation {
  /// The magic of a store's root file.
  static let magic: [UInt8] = Array("SEALROOT".utf8)

  let path: String
  let options: OpenOptions

  private var fileSystem: any FileSystem { options.fileSystem }
  private var directory: String { StoreFiles.directory(of: path) }
  private var parent: String { StoreFiles.parent(of: path) }
  private var marker: String { directory + "/creating" }

  /// Makes a store that opens with the credential, and closes it again.
  func create(_ credential: Credential) throws(StoreError) {
    try sweepLeftover()
    try onMedium { () throws(FileError) in
      try fileSystem.makeDirectory(directory)
      try fileSystem.syncDirectory(parent)
    }
    let file = try onMedium { () throws(FileError) in try fileSystem.create(marker) }
    try onMedium { () throws(FileError) in try fileSystem.syncDirectory(directory) }
    let lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(directory + "/LOCK", exclusive: true)
    }
    defer { lock.release() }
    let storeID = try StoreID.random()
    let key = try withCrypto { () throws(CryptoError) in try SecretBytes.random(count: 32) }
    let slot = try KeySlot.make(
      id: 1, credential: credential, storeKey: key, storeID: storeID)
    try options.keyDerivationLimit.check([slot.derivation].compactMap(\.self))
    let files = StoreFiles(
      fileSystem: fileSystem, path: path, storeID: storeID, cache: BlockCache(limit: 0),
      report: options.diagnostics)
    files.setKey(key, epoch: 1, openEpoch: 1)
    var state = ManifestState()
    state.openEpoch = 1
    state.lineage = try StoreID.random()
    state.rootGeneration = 1
    for (id, name) in Keyspace.internalNames { state.keyspaces[id] = name }
    state.nextNumber = 4
    files.raiseNumber(to: 3)
    let manifest = try Engine.makeManifest(state, files: files)
    let salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
    let root = RootCopy(
      magic: Self.magic, storeID: storeID, generation: 1, salt: salt,
      manifestNumber: manifest.number, manifestFileID: manifest.header.fileID,
      keyEpoch: 1, slots: [slot])
    _ = try RootFile.create(file, path: marker, copy: root, storeKey: key)
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(directory)
      try fileSystem.link(marker, to: path)
      try fileSystem.syncDirectory(parent)
      try fileSystem.unlink(marker)
      try fileSystem.syncDirectory(directory)
    }
  }

  /// Removes what a creation that never came to a root left behind; refuses a log directory that
  /// had one.
  func sweepLeftover() throws(StoreError) {
    guard let status = try onMedium({ () throws(FileError) in try fileSystem.status(directory) })
    else { return }
    guard status.kind == .directory else {
      throw StoreError(
        .io, "something that is no directory stands where the store's files go", file: directory)
    }
    let names = try onMedium { () throws(FileError) in try fileSystem.list(directory) }
    guard names.contains("creating") || names.allSatisfy({ $0 == "LOCK" }) else {
      throw StoreError(
        .rootMissing,
        "the store's files are there, its root file is not; put it back from a backup, or "
          + "remove \(directory)", file: path)
    }
    let lock = try onMedium { () throws(FileError) in
      try fileSystem.lock(directory + "/LOCK", exclusive: true)
    }
    defer { lock.release() }
    try onMedium { () throws(FileError) in
      for name in names where name != "creating" && name != "LOCK" {
        try fileSystem.unlink(directory + "/" + name)
      }
      try fileSystem.syncDirectory(directory)
      try fileSystem.unlink(directory + "/LOCK")
      if names.contains("creating") { try fileSystem.unlink(marker) }
      try fileSystem.syncDirectory(directory)
      try fileSystem.removeDirectory(directory)
      try fileSystem.syncDirectory(parent)
    }
  }
}
