internal import SealedFiles
internal import Synchronization

/// What `LogStore.verify` found.
public struct VerifyReport: Sendable {
  /// Bytes that were authenticated.
  public internal(set) var verifiedBytes: UInt64 = 0
  /// Files that were read whole.
  public internal(set) var fileCount = 0
  /// Entries in tables and logs.
  public internal(set) var entryCount: UInt64 = 0
  /// Everything that isn't as it was written, in the order met.
  public internal(set) var damages: [StoreError] = []
  /// Files, and bytes in reserved or unused places, that no store writes. They change no answer.
  public internal(set) var strays: [StoreError] = []

  /// Whether every byte is as it was written.
  public var isSound: Bool { damages.isEmpty && strays.isEmpty }
}

/// Reads and authenticates every byte of a store, and checks what must hold between its parts.
struct StoreVerifier {
  private let engine: Engine
  private let progress: (VerifyReport) -> Void
  private var report = VerifyReport()

  private var files: StoreFiles { engine.files }
  private var fileSystem: any FileSystem { engine.options.fileSystem }

  static func run(
    _ engine: Engine, progress: @escaping (VerifyReport) -> Void
  ) throws(StoreError) -> VerifyReport {
    try engine.checkReadable()
    // Tables that are retired meanwhile stay, since the view holds them.
    let (view, commit) = try engine.registerSnapshot()
    defer { engine.releaseSnapshot(commit) }
    var verifier = StoreVerifier(engine: engine, progress: progress)
    try engine.exclusively { () throws(StoreError) in
      try verifier.verifyRoot()
      try verifier.verifyManifest()
      try verifier.verifyLogs()
      try verifier.verifyNames(view)
    }
    for tree in view.trees.sorted(by: { $0.key < $1.key }).map(\.value) {
      for table in tree.levels.joined() {
        try verifier.verifyTable(table.entry)
        progress(verifier.report)
      }
    }
    try verifier.verifyBlobs(view, commit)
    return verifier.report
  }

  private init(engine: Engine, progress: @escaping (VerifyReport) -> Void) {
    self.engine = engine
    self.progress = progress
  }

  /// Runs a check on the report; damage goes into it, anything else ends the verification.
  private mutating func note(
    _ body: (inout VerifyReport) throws(StoreError) -> Void
  ) throws(StoreError) {
    var next = report
    do throws(StoreError) {
      try body(&next)
      report = next
    } catch {
      guard error.code == .damaged || error.code == .tampered || error.code == .newerFormat else {
        throw error
      }
      report.damages.append(error)
    }
  }

  private mutating func stray(_ what: String, _ path: String, _ offset: UInt64) {
    report.strays.append(StoreError(.damaged, what, file: path, offset: offset))
  }

  // MARK: Root

  private mutating func verifyRoot() throws(StoreError) {
    let (file, current, path) = engine.root.withLock { ($0.file, $0.current, $0.path) }
    let bytes = try files.contents(of: file, limit: UInt64(RootFile.byteCount) * 2, path: path)
    report.fileCount += 1
    guard bytes.count == RootFile.byteCount else {
      report.damages.append(
        .damaged("the root file has \(bytes.count) bytes", file: path, offset: 0))
      return
    }
    for offset in RootFile.offsets {
      let text = Array(bytes[Int(offset)..<Int(offset) + RootCopy.byteCount])
      let isGood: Bool
      if case .good(let copy) = try RootCopy.read(text, magic: current.magic), copy == current {
        isGood = try copy.isAuthentic(text, storeKey: try files.currentKey())
      } else {
        isGood = false
      }
      if isGood {
        report.verifiedBytes += UInt64(RootCopy.byteCount)
      } else {
        report.damages.append(
          .damaged("a copy of the root is not the one in force", file: path, offset: offset))
      }
      let rest = Int(offset) + RootCopy.byteCount..<Int(offset) + 65_536
      if let index = bytes[rest].firstIndex(where: { $0 != 0 }) {
        stray("bytes where the root has none", path, UInt64(index))
      }
    }
  }

  // MARK: Manifest and logs

  private mutating func verifyManifest() throws(StoreError) {
    let root = engine.root.withLock { $0.current }
    let path = files.path(.manifest, root.manifestNumber)
    try note { [files, engine] (report) throws(StoreError) in
      let (file, cipher) = try files.open(
        .manifest, root.manifestNumber, fileID: root.manifestFileID)
      let bytes = try files.contents(of: file, limit: 64 << 20, path: path)
      var reader = FrameReader(bytes: bytes, cipher: cipher, path: path, attested: 1)
      while try reader.next() != nil {}
      report.fileCount += 1
      report.verifiedBytes += UInt64(reader.offset)
      if engine.manifest.hasWriter, reader.ordinal != engine.manifest.frameCount {
        throw .damaged("edits are missing", file: path, offset: UInt64(reader.offset))
      }
      if reader.discarded > 0 {
        report.strays.append(
          StoreError(
            .damaged, "\(reader.discarded) bytes behind the end", file: path,
            offset: UInt64(reader.offset)))
      }
    }
  }

  private mutating func verifyLogs() throws(StoreError) {
    for log in engine.manifest.state.logs {
      try note { [files, engine] (report) throws(StoreError) in
        var commits = try LogCommits(
          files: files, log: log, position: engine.manifest.position, readsOn: true)
        while let commit = try commits.next() {
          guard let size = commit.size else {
            throw commits.damage("a commit's payload makes no sense")
          }
          report.entryCount += UInt64(size.operations)
        }
        report.fileCount += 1
        report.verifiedBytes += commits.offset
        if commits.discarded > 0 {
          report.strays.append(
            StoreError(
              .damaged, "\(commits.discarded) bytes behind the end", file: commits.path,
              offset: commits.offset))
        }
      }
    }
  }

  /// Files that nothing names.
  private mutating func verifyNames(_ view: ReadView) throws(StoreError) {
    let state = engine.manifest.state
    let obsolete = engine.state.withLock { $0.obsolete.map(\.entry.number) }
    let named = Set(state.tables.keys).union(state.logs.map(\.number)).union(obsolete)
      .union(state.retiredTables).union(state.retiredLogs)
      .union([engine.root.withLock { $0.current.manifestNumber }])
      .union(view.trees.values.flatMap { $0.levels.joined().map(\.entry.number) })
      .union(engine.spare.withLock { $0.ready.map { [$0.number] } ?? [] })
    let names = try onMedium { () throws(FileError) in try fileSystem.list(files.directory) }
    for name in names where name != "LOCK" {
      if let (_, number) = StoreFiles.parse(name: name), named.contains(number) { continue }
      stray("a file that the store does not name", files.directory + "/" + name, 0)
    }
  }

  // MARK: Blobs

  /// Every blob that the snapshot sees, and files that nothing names.
  private mutating func verifyBlobs(_ view: ReadView, _ commit: UInt64) throws(StoreError) {
    var rows: [(id: BlobID, row: BlobRow)] = []
    try engine.forEachBlob(view, commit) { id, row in rows.append((id, row)) }
    for (id, row) in rows {
      try note { [engine, files] (report) throws(StoreError) in
        do throws(StoreError) {
          report.verifiedBytes += try BlobReader.verify(row, engine: engine)
          report.fileCount += 1
        } catch {
          guard error.code == .damaged else { throw error }
          throw StoreError(
            .damaged, "blob \(id): \(error.message)", file: error.file ?? files.path(row.file),
            offset: error.offset)
        }
      }
      progress(report)
    }
    let directory = files.blobDirectory
    guard try onMedium({ () throws(FileError) in try fileSystem.status(directory) }) != nil else {
      return
    }
    // Named by a row of today, by the trash, or on the way to a commit.
    let (newest, unnamed) = engine.state.withLock { ($0.view, $0.unnamedBlobs) }
    var named = try engine.namedBlobs(newest, engine.visible.load(ordering: .acquiring))
    named.formUnion(unnamed)
    named.formUnion(rows.map(\.row.file))
    for name in try onMedium({ () throws(FileError) in try fileSystem.list(directory) }) {
      if let file = BlobFile(name: name), named.contains(file) { continue }
      stray("a file that the store does not name", directory + "/" + name, 0)
    }
  }

  // MARK: Tables

  private mutating func verifyTable(_ entry: TableEntry) throws(StoreError) {
    try note { [files] (report) throws(StoreError) in
      try Self.verify(entry, files: files, report: &report)
    }
  }

  private static func verify(
    _ entry: TableEntry, files: StoreFiles, report: inout VerifyReport
  ) throws(StoreError) {
    let path = files.path(.table, entry.number)
    let (file, cipher) = try files.open(.table, entry.number, fileID: entry.fileID)
    let units = TableUnits(file: file, path: path, cipher: cipher)
    let footer = try units.footer(of: entry)
    let indexBytes = try units.unit(footer.index)
    guard
      let index = TableIndex(
        parsing: indexBytes, blockCount: Int(footer.blockCount), fileSize: entry.length)
    else {
      throw .damaged("the table's index makes no sense", file: path, offset: footer.index.offset)
    }
    let filter = try units.unit(footer.filter)
    _ = try units.unit(footer.properties)
    var check = TableCheck(entry: entry, path: path, filter: filter, footer: footer)
    for block in 0..<index.count {
      let place = index.place(block)
      let plain = try units.block(place, block)
      try check.visit(plain, offset: place.offset, firstKey: unsafe Array(index.firstKey(block)))
    }
    try check.finish()
    report.fileCount += 1
    report.entryCount += check.entryCount
    report.verifiedBytes += entry.length
  }
}

/// Checks that a table's entries ascend, and agree with its index, filter and manifest entry.
private struct TableCheck {
  let entry: TableEntry
  let path: String
  let filter: [UInt8]
  let footer: TableFooter
  var entryCount: UInt64 = 0
  private var lastKey: [UInt8]?

  init(entry: TableEntry, path: String, filter: [UInt8], footer: TableFooter) {
    self.entry = entry
    self.path = path
    self.filter = filter
    self.footer = footer
  }

  mutating func visit(
    _ plain: [UInt8], offset: UInt64, firstKey: [UInt8]
  ) throws(StoreError) {
    let path = path
    func damage(_ what: String) -> StoreError { .damaged(what, file: path, offset: offset) }
    // Behind the block some room, as blocks in memory have it.
    let padded = plain + [UInt8](repeating: 0, count: 16)
    let keys = unsafe padded.withRaw { raw -> [[UInt8]]? in
      guard let base = raw.baseAddress else { return nil }
      let block = unsafe Block(base: base)
      guard unsafe block.isWellFormed(size: plain.count) else { return nil }
      return unsafe block.keys
    }
    guard let keys else { throw damage("a block makes no sense") }
    guard keys.first == firstKey else { throw damage("the index names another first key") }
    for key in keys {
      if let lastKey, compareKeys(lastKey, key) > 0 { throw damage("keys do not ascend") }
      let isInFilter = unsafe filter.withRaw { raw -> Bool in
        guard let base = raw.baseAddress else { return false }
        let hash = unsafe key.withRaw { unsafe keyHash($0.baseAddress ?? base, $0.count) }
        return unsafe BloomFilter.contains(hash, in: base, count: UInt64(footer.filterLines))
      }
      guard isInFilter else { throw damage("the filter lacks a key") }
      lastKey = key
    }
    if entryCount == 0, keys.first != entry.smallestKey {
      throw damage("the manifest names another first key")
    }
    entryCount += UInt64(keys.count)
  }

  func finish() throws(StoreError) {
    guard entryCount == entry.entryCount, lastKey == entry.largestKey else {
      throw .damaged("the manifest names other entries", file: path, offset: 0)
    }
  }
}
