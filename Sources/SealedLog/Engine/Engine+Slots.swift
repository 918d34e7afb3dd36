internal import SealedCrypto
internal import Synchronization

/// Changing the root's key slots, and the store key itself.
extension Engine {
  /// Changes the slots by a root switch, then has the manifest refuse every older root.
  func changeSlots<R>(
    _ body: (inout [KeySlot], SecretBytes) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try exclusively { () throws(StoreError) in
      try checkWritable()
      let key = try files.currentKey()
      var copy = root.withLock { $0.current }
      let result = try body(&copy.slots, key)
      // What this store refuses to open isn't written either.
      try options.keyDerivationLimit.check(copy.slots.compactMap(\.derivation))
      let runtimes = copy.slots.count { $0.kind == .runtime }
      guard runtimes == 0 || copy.slots.count == 1 else {
        throw StoreError(
          .invalidArgument,
          "a store that the runtime unlocks has no other key slot: a wipe of the vault wouldn't "
            + "hold", file: files.path)
      }
      try switchRoot(to: copy, storeKey: key)
      return result
    }
  }

  /// Puts a root with other keys in force, and then refuses every older one.
  private func switchRoot(to copy: RootCopy, storeKey: SecretBytes) throws(StoreError) {
    let outcome = root.withLock { root in
      Result<UInt64, StoreError>.catching { () throws(StoreError) in
        var copy = copy
        copy.salt = try withCrypto { () throws(CryptoError) in try SystemRandom.bytes(32) }
        try root.switchTo(copy, storeKey: storeKey)
        return root.current.generation
      }
    }
    do throws(StoreError) {
      try manifest.editOrRewrite([.rootGeneration(try outcome.get())], engine: self)
    } catch {
      enterReadOnly(error)
      throw StoreError(
        .outcomeUnknown,
        "the change of the root failed, and a crash may show it or not; keep the old and the new "
          + "credentials, and call resumeWriting(): \(error.message)", file: files.path,
        cause: error)
    }
  }

  // MARK: Rotation

  func rotate(credentials: [Credential]) throws(StoreError) -> KeyRotation {
    // One that a crash interrupted goes first: there is room for one retired key.
    try finishRotation()
    let rotation = try exclusively { () throws(StoreError) in
      try checkWritable()
      return try beginRotation(credentials)
    }
    try finishRotation()
    return rotation
  }

  /// The root switch that makes the new key the current one, the old one the retired one.
  private func beginRotation(_ credentials: [Credential]) throws(StoreError) -> KeyRotation {
    let oldKey = try files.currentKey()
    var copy = root.withLock { $0.current }
    let newKey = try withCrypto { () throws(CryptoError) in try SecretBytes.random(count: 32) }
    var kept: [KeySlot] = []
    var dropped: [UInt32] = []
    for slot in copy.slots {
      if let credential = try credential(of: slot, among: credentials) {
        kept.append(
          try slot.renewed(
            credential: credential, storeKey: newKey, storeID: files.storeID))
      } else {
        dropped.append(slot.id)
      }
    }
    guard !kept.isEmpty else {
      throw StoreError(
        .wrongKey, "none of the credentials opens a key slot of the store", file: files.path)
    }
    copy.retiredKey = try RootCopy.RetiredKey(
      wrapping: oldKey, keyEpoch: copy.keyEpoch, under: newKey)
    copy.keyEpoch += 1
    copy.slots = kept
    try syncLog()
    files.setKey(newKey, epoch: copy.keyEpoch, openEpoch: openEpoch)
    do throws(StoreError) { try switchRoot(to: copy, storeKey: newKey) } catch {
      // The root that is in force says which key is.
      let inForce = root.withLock { $0.current.keyEpoch }
      if inForce != copy.keyEpoch {
        files.setKey(oldKey, epoch: inForce, openEpoch: openEpoch)
      }
      throw error
    }
    return KeyRotation(kept: kept.map(\.id), dropped: dropped)
  }

  private func credential(
    of slot: KeySlot, among credentials: [Credential]
  ) throws(StoreError) -> Credential? {
    for credential in credentials
    where try slot.unwrap(with: credential, storeID: files.storeID) != nil {
      return credential
    }
    return nil
  }

  /// Rewrites whatever is under the retired key, then forgets it; does nothing where there is none.
  ///
  /// What is left *is* the progress: each step is an ordinary edit.
  func finishRotation() throws(StoreError) {
    guard let retired = root.withLock({ $0.current.retiredKey }) else { return }
    try exclusively { () throws(StoreError) in
      try checkWritable()
      try rollLog(needed: 0)
      try rotateMemtable()
    }
    while flushStep() {}
    let keyspaces = manifest.state.keyspaces.keys.sorted()
    for keyspace in keyspaces where try hasTables(of: keyspace, under: retired.keyEpoch) {
      try compactAll(keyspace: keyspace)
    }
    try rewriteBlobs(under: retired.keyEpoch)
    try exclusively { () throws(StoreError) in
      try checkWritable()
      try syncLog()
      try rewriteManifest()
      guard try !namesFiles(under: retired.keyEpoch) else {
        throw StoreError(
          .io, "files of the retired key are still in use; call rotateStoreKey again",
          file: files.path)
      }
      var copy = root.withLock { $0.current }
      copy.retiredKey = nil
      try switchRoot(to: copy, storeKey: try files.currentKey())
    }
  }

  /// Copies blobs under the retired key into new files; each row changes with its own commit, unless
  /// somebody else changed it meanwhile.
  private func rewriteBlobs(under epoch: UInt32) throws(StoreError) {
    let (view, commit) = try registerSnapshot()
    defer { releaseSnapshot(commit) }
    var rows: [(id: BlobID, row: BlobRow)] = []
    try forEachBlob(view, commit) { id, row in rows.append((id, row)) }
    for (id, row) in rows
    where try files.openBlob(row.file).cipher.header.keyEpoch == epoch {
      let reader = BlobReader(id: id, row: row, snapshot: nil, engine: self)
      let writer = try BlobWriter(engine: self, isExact: row.length == row.paddedLength)
      var offset: UInt64 = 0
      while offset < row.length {
        let end = min(row.length, offset + (1 << 20))
        try writer.append(try reader.bytes(offset..<end))
        offset = end
      }
      let copy = try writer.finish()
      guard let copied = copy.row else { continue }
      let buffer = BatchBuffer()
      try buffer.append(.put, id.bytes, copied.encoded, in: .blobs)
      try buffer.append(.put, row.file.encoded, [], in: .trash)
      buffer.attach(copy)
      do throws(StoreError) {
        _ = try self.commit(buffer, durability: .full) { () throws(StoreError) in
          try self.checkUnchanged(keys: [.blobs: [id.bytes]], ranges: [], since: commit)
        }
      } catch  where error.code == .conflict {}
    }
  }

  private func hasTables(of keyspace: UInt32, under epoch: UInt32) throws(StoreError) -> Bool {
    for entry in manifest.state.tables.values where entry.keyspace == keyspace {
      if try keyEpoch(.table, entry.number, entry.fileID) == epoch { return true }
    }
    return false
  }

  private func namesFiles(under epoch: UInt32) throws(StoreError) -> Bool {
    let state = manifest.state
    for entry in state.tables.values {
      if try keyEpoch(.table, entry.number, entry.fileID) == epoch { return true }
    }
    for log in state.logs {
      if try keyEpoch(.log, log.number, log.fileID) == epoch { return true }
    }
    return false
  }

  private func keyEpoch(
    _ kind: FileKind, _ number: UInt64, _ fileID: StoreID
  ) throws(StoreError) -> UInt32 {
    try files.open(kind, number, fileID: fileID).cipher.header.keyEpoch
  }
}
