internal import SealedCrypto
internal import SealedFiles
internal import Synchronization

/// Copies what a snapshot sees into a complete, clean store without logs, at another place: its
/// tables and blobs linked or copied, a manifest of its own, the root last.
///
/// - Invariant: at every moment the target is no store yet, or a whole one: the last copy's until the
///   root is switched, the new one's from then on.
struct StoreCopy {
  private static let pieceSize = 1 << 20

  let engine: Engine
  let target: StoreFiles
  /// Whether files are copied even where they could be linked.
  let isIndependent: Bool
  private var report = BackupReport()

  private var source: StoreFiles { engine.files }
  private var fileSystem: any FileSystem { source.fileSystem }

  init(engine: Engine, to path: String, isIndependent: Bool) {
    self.engine = engine
    self.isIndependent = isIndependent
    target = StoreFiles(
      fileSystem: engine.files.fileSystem, path: path, storeID: engine.files.storeID,
      cache: BlockCache(limit: 0), report: engine.options.diagnostics)
  }

  /// - Parameters:
  ///   - state: What the manifest says of the snapshot: all of it in tables.
  ///   - view: The snapshot's view, which keeps the tables where they are.
  mutating func run(
    state: ManifestState, view: ReadView, commit: UInt64, storeKey: SecretBytes, root: RootCopy
  ) throws(StoreError) -> BackupReport {
    try target.setKeys(storeKey, root: root)
    let existing = try existingRoot()
    try prepare(isNew: existing == nil)
    for entry in state.tables.values.sorted(by: { $0.number < $1.number }) {
      try copy(source.path(.table, entry.number), to: target.path(.table, entry.number))
    }
    try copyBlobs(view, commit)
    try target.syncDirectory()
    target.raiseNumber(to: source.takeNumber())
    var state = state
    state.nextNumber = max(state.nextNumber, target.nextNumber + 1)
    let writer = try Engine.makeManifest(state, files: target)
    let manifest = ManifestLog(state: state, writer: writer)
    try manifest.edit([.clean])
    try writer.sync()
    try switchRoot(root, to: writer, existing, storeKey)
    try sweep(state, manifest: writer.number, view, commit)
    return report
  }

  // MARK: Parts

  /// The root of a copy made before, to be brought up to date.
  private func existingRoot() throws(StoreError) -> RootFile? {
    let status = try onMedium { () throws(FileError) in try fileSystem.status(target.path) }
    guard status != nil else { return nil }
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(target.path, writable: true)
    }
    let root = try RootFile.open(file, path: target.path, magic: StoreCreation.magic)
    guard root.current.storeID == source.storeID else {
      throw StoreError(
        .invalidArgument, "another store stands where the copy should go", file: target.path)
    }
    return root
  }

  private func prepare(isNew: Bool) throws(StoreError) {
    if isNew { try StoreCreation(path: target.path, options: engine.options).sweepLeftover() }
    try onMedium { () throws(FileError) in
      if isNew {
        try fileSystem.makeDirectory(target.directory)
        try fileSystem.syncDirectory(StoreFiles.parent(of: target.path))
        _ = try fileSystem.create(target.directory + "/creating")
        // A reader may not make it.
        _ = try fileSystem.create(target.directory + "/LOCK")
        try fileSystem.syncDirectory(target.directory)
      }
      if try fileSystem.status(source.blobDirectory) != nil,
        try fileSystem.status(target.blobDirectory) == nil
      {
        try fileSystem.makeDirectory(target.blobDirectory)
        try fileSystem.syncDirectory(StoreFiles.parent(of: target.path))
      }
    }
  }

  private mutating func copyBlobs(_ view: ReadView, _ commit: UInt64) throws(StoreError) {
    var files: [BlobFile] = []
    try engine.forEachBlob(view, commit) { _, row in files.append(row.file) }
    guard !files.isEmpty else { return }
    for file in files { try copy(source.path(file), to: target.path(file)) }
    try onMedium { () throws(FileError) in try fileSystem.syncDirectory(target.blobDirectory) }
  }

  /// Links or copies a file, unless the last run did: files are written once, so that one of the
  /// same header and size is the same.
  private mutating func copy(_ from: String, to: String) throws(StoreError) {
    switch try present(from, to) {
    case .same:
      report.keptFiles += 1
      return
    case .unfinished: try onMedium { () throws(FileError) in try fileSystem.unlink(to) }
    case .none: break
    case .foreign:
      throw StoreError(
        .invalidArgument, "the copy was opened for writing since it was made; make one elsewhere",
        file: to)
    }
    if !isIndependent {
      do throws(FileError) {
        try fileSystem.link(from, to: to)
        report.linkedFiles += 1
        return
      } catch {
        // Another medium, or one that has no links.
      }
    }
    try onMedium { () throws(FileError) in
      let input = try fileSystem.open(from, writable: false)
      let output = try fileSystem.create(to)
      var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
      var offset: UInt64 = 0
      while true {
        let count = try unsafe bytes.withMutableRaw { (buffer) throws(FileError) in
          try unsafe input.read(into: buffer, at: offset)
        }
        guard count > 0 else { break }
        try unsafe bytes.withRaw { (buffer) throws(FileError) in
          try unsafe output.write(UnsafeRawBufferPointer(rebasing: buffer[0..<count]), at: offset)
        }
        offset += UInt64(count)
      }
      try output.sync()
      report.copiedBytes += offset
    }
    report.copiedFiles += 1
  }

  private enum Present { case none, same, unfinished, foreign }

  /// What stands where a file is to be copied to.
  private func present(_ from: String, _ to: String) throws(StoreError) -> Present {
    try onMedium { () throws(FileError) in
      guard let size = try fileSystem.status(to)?.size else { return .none }
      var headers: [[UInt8]] = []
      for path in [from, to] {
        let file = try fileSystem.open(path, writable: false)
        var bytes = [UInt8](repeating: 0, count: FileHeader.byteCount)
        let count = try unsafe bytes.withMutableRaw { (buffer) throws(FileError) in
          try unsafe file.read(into: buffer, at: 0)
        }
        headers.append(Array(bytes.prefix(count)))
      }
      if headers[0] == headers[1] {
        return try fileSystem.status(from)?.size == size ? .same : .unfinished
      }
      let isEmpty = headers[1].allSatisfy { $0 == 0 }
      return isEmpty || headers[1].count < FileHeader.byteCount ? .unfinished : .foreign
    }
  }

  private func switchRoot(
    _ root: RootCopy, to manifest: FrameWriter, _ existing: RootFile?, _ storeKey: SecretBytes
  ) throws(StoreError) {
    var copy = root
    copy.manifestNumber = manifest.number
    copy.manifestFileID = manifest.header.fileID
    if var existing {
      // The manifest asks for the source's generation, or a later one.
      try existing.switchTo(copy, storeKey: storeKey, atLeast: root.generation)
      return
    }
    let marker = target.directory + "/creating"
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(marker, writable: true)
    }
    _ = try RootFile.create(file, path: marker, copy: copy, storeKey: storeKey)
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(target.directory)
      try fileSystem.link(marker, to: target.path)
      try fileSystem.syncDirectory(StoreFiles.parent(of: target.path))
      try fileSystem.unlink(marker)
      try fileSystem.syncDirectory(target.directory)
    }
  }

  /// Removes what an earlier copy had and this one doesn't name.
  private mutating func sweep(
    _ state: ManifestState, manifest: UInt64, _ view: ReadView, _ commit: UInt64
  ) throws(StoreError) {
    let named = Set(state.tables.keys).union([manifest])
    var blobs: Set<BlobFile> = []
    try engine.forEachBlob(view, commit) { _, row in blobs.insert(row.file) }
    try onMedium { () throws(FileError) in
      for name in try fileSystem.list(target.directory) {
        guard let (_, number) = StoreFiles.parse(name: name), !named.contains(number) else {
          continue
        }
        try fileSystem.unlink(target.directory + "/" + name)
        report.removedFiles += 1
      }
      guard try fileSystem.status(target.blobDirectory) != nil else { return }
      for name in try fileSystem.list(target.blobDirectory) {
        guard let file = BlobFile(name: name), !blobs.contains(file) else { continue }
        try fileSystem.unlink(target.path(file))
        report.removedFiles += 1
      }
    }
  }
}
