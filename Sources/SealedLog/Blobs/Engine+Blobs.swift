internal import SealedFiles
internal import Synchronization

/// The life of blob files: written and synced, named by a commit, thrown into the trash by another,
/// unlinked when nobody can see them any more.
extension Engine {
  /// A new blob's file; the directory for blobs is made with the first one.
  func makeBlobFile(id: BlobID? = nil) throws(StoreError) -> (
    file: any RandomAccessFile, cipher: FileCipher, pending: PendingBlob
  ) {
    try checkWritable()
    let directory = files.blobDirectory
    let cipher = try files.makeCipher(.blob, number: files.takeNumber())
    let name = BlobFile(openEpoch: openEpoch, fileID: cipher.header.fileID)
    let fresh = BlobID(identity: try StoreID.random())
    let file = try onMedium { () throws(FileError) -> any RandomAccessFile in
      if try files.fileSystem.status(directory) == nil {
        try files.fileSystem.makeDirectory(directory)
        try files.fileSystem.syncDirectory(StoreFiles.parent(of: directory))
      }
      return try files.fileSystem.create(files.path(name))
    }
    state.withLock { _ = $0.unnamedBlobs.insert(name) }
    return (file, cipher, PendingBlob(id: id ?? fresh, file: name, engine: self))
  }

  /// Unlinks the file of a blob that was never committed.
  func discardBlob(_ file: BlobFile) {
    if owner.isForeign { return }
    do throws(FileError) {
      try files.fileSystem.unlink(files.path(file))
      state.withLock { _ = $0.unnamedBlobs.remove(file) }
    } catch {
      // It stays on the list, and closing tries again.
      options.diagnostics(StoreError(error))
    }
  }

  /// Before a clean end: no file of this open's may be left that no row names.
  func discardUnnamedBlobs() throws(StoreError) {
    let unnamed = state.withLock { $0.unnamedBlobs }
    guard !unnamed.isEmpty else { return }
    try onMedium { () throws(FileError) in
      for file in unnamed.sorted(by: { $0.name < $1.name }) {
        do throws(FileError) {
          try files.fileSystem.unlink(files.path(file))
        } catch  where error.isNotFound {}
      }
      try files.fileSystem.syncDirectory(files.blobDirectory)
    }
    state.withLock { $0.unnamedBlobs.subtract(unnamed) }
  }

  /// Has a store lock reach the reader.
  func register(_ reader: BlobReader) {
    state.withLock { state in
      state.blobReaders.removeAll { $0.reader == nil || $0.reader === reader }
      state.blobReaders.append(WeakBlobReader(reader: reader))
    }
  }

  // MARK: Commits

  /// Completes a batch that removes blobs: their rows go, their files go into the trash.
  ///
  /// - Precondition: the caller leads, and all commits before are settled.
  func resolveRemovals(of buffer: BatchBuffer) throws(StoreError) {
    let view = state.withLock { $0.view }
    for id in buffer.takeBlobRemovals() {
      let bytes = try Snapshot.value(
        for: id.bytes, in: .blobs, view: view, commit: visible.load(ordering: .acquiring),
        gate: gate)
      guard let row = bytes.flatMap({ BlobRow($0) }) else { continue }
      try buffer.append(.delete, id.bytes, [], in: .blobs)
      try buffer.append(.put, row.file.encoded, [], in: .trash)
    }
  }

  // MARK: Trash

  /// Unlinks files in the trash that no reader can see; whether there were any. Called by the
  /// compactor.
  func emptyTrash() throws(StoreError) -> Bool {
    let oldest = liveCommits().first ?? 0
    guard oldest > 0, durable.load(ordering: .acquiring) >= oldest else { return false }
    let found = try trashed(asOf: oldest)
    guard !found.isEmpty else { return false }
    try onMedium { () throws(FileError) in
      for file in found {
        do throws(FileError) {
          try files.fileSystem.unlink(files.path(file))
        } catch  where error.isNotFound {}
      }
      try files.fileSystem.syncDirectory(files.blobDirectory)
    }
    let buffer = BatchBuffer()
    for file in found { try buffer.append(.delete, file.encoded, [], in: .trash) }
    // Not where somebody leads: a leader may be waiting for this very thread. The rows stay then, and
    // are met again.
    var isDone = false
    try ifIdle { () throws(StoreError) in
      guard try hasRoom(for: buffer) else { return }
      let request = CommitRequest(buffer: buffer, durability: .deferred(within: .seconds(1)))
      lead([request])
      if case .success? = request.outcome { isDone = true }
    }
    return isDone
  }

  /// Files in the trash that readers at a commit, and so all behind it, find there.
  private func trashed(asOf commit: UInt64) throws(StoreError) -> [BlobFile] {
    let view = state.withLock { $0.view }
    guard view.mayHold(.trash) else { return [] }
    let sources = try gate.read { () throws(StoreError) in
      try Sources(view: view, keyspace: Keyspace.trash.id, gate: gate)
    }
    let merge = MergeCursor(sources.cursors)
    try merge.seekToEnd(first: true)
    var found: [BlobFile] = []
    var last: [UInt8] = []
    while merge.isValid {
      merge.withCurrent { source in
        let key = unsafe Array(source.key)
        guard source.commit <= commit, key != last else { return }
        last = key
        guard source.kind == OperationKind.put.rawValue, let file = BlobFile(encoded: key) else {
          return
        }
        found.append(file)
      }
      try merge.next()
    }
    return found
  }

  /// After an unclean end: files of opens before this one that no row and no trash names go.
  func sweepBlobs() throws(StoreError) {
    let swept = manifest.state.blobsSweptThrough
    guard swept + 1 < openEpoch else { return }
    let snapshotCommit = visible.load(ordering: .acquiring)
    let view = state.withLock { $0.view }
    let directory = files.blobDirectory
    let exists = try onMedium { () throws(FileError) in
      try files.fileSystem.status(directory)
    }
    if exists != nil {
      let names = try onMedium { () throws(FileError) in try files.fileSystem.list(directory) }
      let candidates = names.compactMap { BlobFile(name: $0) }
        .filter { $0.openEpoch > swept && $0.openEpoch < openEpoch }
      if !candidates.isEmpty {
        let named = try namedBlobs(view, snapshotCommit)
        try onMedium { () throws(FileError) in
          for file in candidates where !named.contains(file) {
            try files.fileSystem.unlink(files.path(file))
          }
          try files.fileSystem.syncDirectory(directory)
        }
      }
    }
    try manifest.editOrRewrite([.blobsSwept(through: openEpoch - 1)], engine: self)
  }

  /// Every file that a row names, or the trash.
  func namedBlobs(_ view: ReadView, _ commit: UInt64) throws(StoreError) -> Set<BlobFile> {
    var named = Set(try trashed(asOf: commit))
    try forEachBlob(view, commit) { _, row in named.insert(row.file) }
    return named
  }

  /// Calls `body` with every blob that readers at a commit see, in the order of their names.
  func forEachBlob(
    _ view: ReadView, _ commit: UInt64, _ body: (BlobID, BlobRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard view.mayHold(.blobs) else { return }
    let sources = try gate.read { () throws(StoreError) in
      try Sources(view: view, keyspace: Keyspace.blobs.id, gate: gate)
    }
    let merge = MergeCursor(sources.cursors)
    try merge.seekToEnd(first: true)
    var last: [UInt8] = []
    while merge.isValid {
      let entry = merge.withCurrent { source -> (key: [UInt8], value: [UInt8])? in
        let key = unsafe Array(source.key)
        guard source.commit <= commit, key != last else { return nil }
        last = key
        guard source.kind == OperationKind.put.rawValue else { return nil }
        return unsafe (key, Array(source.value))
      }
      if let entry {
        guard let id = BlobID(bytes: entry.key), let row = BlobRow(entry.value) else {
          throw .damaged("a blob's row makes no sense", file: files.path, offset: 0)
        }
        try body(id, row)
      }
      try merge.next()
    }
  }
}
