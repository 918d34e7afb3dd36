internal import SealedFiles

/// What making a backup came to.
public struct BackupReport: Sendable, Equatable {
  /// Files that a backup made before had already.
  public internal(set) var keptFiles = 0
  /// Files that are shared with the store by a hard link: they are never changed.
  public internal(set) var linkedFiles = 0
  /// Files that were copied.
  public internal(set) var copiedFiles = 0
  /// Their bytes.
  public internal(set) var copiedBytes: UInt64 = 0
  /// Files of a backup made before that this one doesn't need.
  public internal(set) var removedFiles = 0
}

extension LogStore {
  /// Makes a backup of the store as it is now, while it is in use; a second run to the same place
  /// brings it up to date, copying what is new.
  ///
  /// The backup is a store like any other, with the same key slots, closed and complete. Until the
  /// new one is whole, the last one is what is there. Commits wait while what is in memory is
  /// written to tables, not while files are copied.
  /// - Parameters:
  ///   - path: The backup's root file. Its directory must be there.
  ///   - independent: Whether to copy every file. Otherwise files are linked where the medium allows
  ///     it, which takes no time and no space, and outlasts the store, but not damage to its medium.
  /// - Throws: `.invalidArgument` where another store is at the path; as `flush`, and `.io`.
  @discardableResult
  public func backup(to path: String, independent: Bool = false) throws(StoreError) -> BackupReport
  {
    try engine.backup(to: path, isIndependent: independent)
  }

  /// Puts a backup in place of a store that is lost: verifies it, then copies it.
  ///
  /// - Throws: `.invalidArgument` where there is a file at `path`; `.damaged` where the backup isn't
  ///   as it was written; as `open`.
  public static func restore(
    from backup: String, to path: String, unlock credential: Credential,
    options: OpenOptions = OpenOptions()
  ) throws(StoreError) {
    guard try onMedium({ () throws(FileError) in try options.fileSystem.status(path) }) == nil
    else {
      throw StoreError(
        .invalidArgument, "there is a file where the backup should go; move it away first",
        file: path)
    }
    var options = options
    options.access = .readOnly
    options.creation = .never
    let store = try LogStore.open(path: backup, unlock: credential, options: options)
    let report = try store.verify()
    if let damage = report.damages.first { throw damage }
    _ = try store.engine.backup(to: path, isIndependent: true)
    try store.close()
  }

  /// Copies what the store holds into a new one, with an identity and a key of its own: nothing
  /// shows that the two belong together.
  ///
  /// - Throws: `.invalidArgument` where there is a file at `path`; as `open` and `write`.
  public func clone(
    to path: String, unlock credential: Credential, options: OpenOptions = OpenOptions()
  ) throws {
    var options = options
    options.creation = .always
    options.access = .readWrite
    let snapshot = try snapshot()
    let copy = try LogStore.open(path: path, unlock: credential, options: options)
    for name in try keyspaceNames() {
      guard let from = try existingKeyspace(name) else { continue }
      let to = try copy.keyspace(name)
      let cursor = try snapshot.cursor(in: from)
      var isOver = false
      while !isOver {
        try copy.write(durability: .deferred(within: .seconds(1))) { batch in
          while batch.byteCount < 1 << 20 {
            guard try cursor.next() else {
              isOver = true
              break
            }
            try unsafe batch.put(cursor.key, cursor.value, in: to)
          }
        }
      }
    }
    for id in try snapshot.blobIDs() { try copyBlob(id, snapshot, to: copy) }
    try copy.close()
  }

  private func copyBlob(_ id: BlobID, _ snapshot: Snapshot, to copy: LogStore) throws {
    guard let reader = try snapshot.blob(id) else { return }
    let writer = try BlobWriter(engine: copy.engine, isExact: reader.isExact, id: id)
    var offset: UInt64 = 0
    while offset < reader.length {
      let end = min(reader.length, offset + (1 << 20))
      try writer.append(try reader.bytes(offset..<end))
      offset = end
    }
    let blob = try writer.finish()
    try copy.write(durability: .deferred(within: .seconds(1))) { try $0.attach(blob) }
  }
}
