extension LogStore {
  /// Begins a blob: bytes too many for a value, in a sealed file of their own.
  ///
  /// - Parameter exact: Whether the file's size may show the blob's length; otherwise up to an eighth
  ///   is added, so that it tells little.
  /// - Throws: `.readOnly`, `.locked`, `.closed`, `.diskFull`, `.io`.
  public func makeBlob(exact: Bool = false) throws(StoreError) -> BlobWriter {
    try BlobWriter(engine: engine, isExact: exact)
  }
}

extension WriteBatch {
  /// Puts a finished blob into the store, when the batch commits.
  ///
  /// - Throws: `.invalidArgument` for a blob that isn't finished.
  public mutating func attach(_ blob: PendingBlob) throws(StoreError) {
    guard let row = blob.row else {
      throw StoreError(.invalidArgument, "the blob isn't finished")
    }
    try buffer.append(.put, blob.id.bytes, row.encoded, in: .blobs)
    buffer.attach(blob)
  }

  /// Takes a blob out of the store, when the batch commits; does nothing where it isn't there. Its
  /// file goes when no snapshot sees it any more.
  public mutating func removeBlob(_ id: BlobID) { buffer.removeBlob(id) }
}

extension Snapshot {
  /// A reader of a blob, or nil where the snapshot sees none of the name.
  ///
  /// - Throws: `.damaged`, `.locked`, `.io`.
  public func blob(_ id: BlobID) throws(StoreError) -> BlobReader? {
    guard let bytes = try value(for: id.bytes, in: .blobs) else { return nil }
    guard let row = BlobRow(bytes) else {
      throw .damaged("a blob's row makes no sense", file: store.path, offset: 0)
    }
    return BlobReader(id: id, row: row, snapshot: self, engine: store.engine)
  }

  /// The names of all blobs that the snapshot sees.
  ///
  /// - Throws: `.damaged`, `.locked`, `.io`.
  public func blobIDs() throws(StoreError) -> [BlobID] {
    let cursor = try cursor(in: .blobs)
    var ids: [BlobID] = []
    while try cursor.next() {
      if let id = BlobID(bytes: cursor.keyBytes) { ids.append(id) }
    }
    return ids
  }

  /// A value as of a commit, for the engine itself.
  static func value(
    for key: [UInt8], in keyspace: Keyspace, view: ReadView, commit: UInt64, gate: ReaderGate
  ) throws(StoreError) -> [UInt8]? {
    let sources = try gate.read { () throws(StoreError) in
      try Sources(view: view, keyspace: keyspace.id, gate: gate, lower: key)
    }
    let merge = MergeCursor(sources.cursors)
    try unsafe key.withRaw { (raw) throws(StoreError) in
      try unsafe merge.seek(raw, commit: .max)
    }
    while merge.isValid {
      let (isSame, value) = merge.withCurrent { source -> (Bool, [UInt8]??) in
        guard unsafe key.withRaw({ unsafe compareKeys(source.key, $0) == 0 }) else {
          return (false, nil)
        }
        guard source.commit <= commit else { return (true, nil) }
        let isPut = source.kind == OperationKind.put.rawValue
        return (true, .some(isPut ? unsafe Array(source.value) : nil))
      }
      guard isSame else { return nil }
      if let value { return value }
      try merge.next()
    }
    return nil
  }
}
