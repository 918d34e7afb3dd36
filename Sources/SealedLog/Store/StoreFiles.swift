internal import SealedCrypto
internal import SealedFiles
internal import Synchronization

/// A store's files: their names, their keys, and how they are made and opened.
final class StoreFiles: Sendable {
  let fileSystem: any FileSystem
  /// The root file's path.
  let path: String
  let storeID: StoreID
  let cache: BlockCache
  /// Hears of trouble that costs no answers, such as a damaged filter.
  let report: @Sendable (StoreError) -> Void

  private struct Keys {
    var byEpoch: [UInt32: SecretBytes] = [:]
    var currentEpoch: UInt32 = 1
    var openEpoch: UInt32 = 0
  }
  private let keys = Mutex<Keys>(Keys())
  /// Where the files' keys lie.
  private let slab = SecretSlab()
  private let numbers = Atomic<UInt64>(1)

  init(
    fileSystem: any FileSystem, path: String, storeID: StoreID, cache: BlockCache,
    report: @escaping @Sendable (StoreError) -> Void
  ) {
    self.fileSystem = fileSystem
    self.path = path
    self.storeID = storeID
    self.cache = cache
    self.report = report
  }

  // MARK: Names

  static func directory(of path: String) -> String { path + "-log" }
  static func blobDirectory(of path: String) -> String { path + "-blobs" }
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  var directory: String { Self.directory(of: path) }
  var blobDirectory: String { Self.blobDirectory(of: path) }

  func path(_ blob: BlobFile) -> String { "\(blobDirectory)/\(blob.name)" }

  static func prefix(_ kind: FileKind) -> String {
    switch kind {
    case .log: "l-"
    case .manifest: "m-"
    case .table: "t-"
    case .blob: "b-"
    }
  }

  func path(_ kind: FileKind, _ number: UInt64) -> String {
    "\(directory)/\(Self.prefix(kind))\(number)"
  }

  /// The kind and number that a file's name says, or nil for a name that isn't a store's.
  static func parse(name: String) -> (kind: FileKind, number: UInt64)? {
    for kind in [FileKind.log, .manifest, .table] where name.hasPrefix(prefix(kind)) {
      let digits = name.dropFirst(2)
      if let number = UInt64(digits), String(number) == digits { return (kind, number) }
    }
    return nil
  }

  /// A file number that was never given out.
  func takeNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).oldValue }
  /// Numbers given out from now on are at or above this one.
  func raiseNumber(to number: UInt64) {
    numbers.max(number, ordering: .relaxed)
  }
  var nextNumber: UInt64 { numbers.load(ordering: .relaxed) }

  // MARK: Keys

  func setKey(_ key: SecretBytes, epoch: UInt32, openEpoch: UInt32) {
    keys.withLock {
      $0.byEpoch[epoch] = key
      $0.currentEpoch = epoch
      $0.openEpoch = openEpoch
    }
  }

  /// Takes the keys that a root gives: the current one, and one that a rotation has yet to retire.
  func setKeys(_ key: SecretBytes, root: RootCopy) throws(StoreError) {
    if let retired = root.retiredKey {
      let old = try retired.unwrap(with: key)
      setKey(old, epoch: retired.keyEpoch, openEpoch: 0)
    }
    setKey(key, epoch: root.keyEpoch, openEpoch: 0)
  }

  /// Forgets all keys; their memory is zeroed with the last reference.
  func dropKeys() { keys.withLock { $0.byEpoch = [:] } }

  /// The epoch of the key that new files take.
  var keyEpoch: UInt32 { keys.withLock { $0.currentEpoch } }

  /// The key that new files and the root take.
  func currentKey() throws(StoreError) -> SecretBytes {
    try storeKey(epoch: keys.withLock { $0.currentEpoch })
  }

  private func storeKey(epoch: UInt32) throws(StoreError) -> SecretBytes {
    guard let key = keys.withLock({ $0.byEpoch[epoch] }) else {
      throw StoreError(.locked, "the store is locked; unlock it first", file: path)
    }
    return key
  }

  // MARK: Making and opening

  /// A new file's cipher, with a random identity under the current key.
  func makeCipher(
    _ kind: FileKind, number: UInt64, previous: FileHeader? = nil
  ) throws(StoreError) -> FileCipher {
    let (epoch, openEpoch) = keys.withLock { ($0.currentEpoch, $0.openEpoch) }
    var header = FileHeader(
      kind: kind, storeID: storeID, fileID: try StoreID.random(), number: number,
      keyEpoch: epoch, openEpoch: openEpoch)
    header.previousNumber = previous?.number ?? 0
    header.previousFileID = previous?.fileID ?? StoreID(high: 0, low: 0)
    return try FileCipher(header: header, storeKey: try storeKey(epoch: epoch), slab: slab)
  }

  func create(_ kind: FileKind, _ number: UInt64) throws(StoreError) -> any RandomAccessFile {
    let path = path(kind, number)
    return try onMedium { () throws(FileError) in try fileSystem.create(path) }
  }

  func syncDirectory() throws(StoreError) {
    try onMedium { () throws(FileError) in try fileSystem.syncDirectory(directory) }
  }

  /// Opens a file that something names, and checks its header.
  func open(
    _ kind: FileKind, _ number: UInt64, fileID: StoreID
  ) throws(StoreError) -> (file: any RandomAccessFile, cipher: FileCipher) {
    let (file, cipher) = try open(kind, path(kind, number), fileID: fileID)
    guard cipher.header.number == number else {
      throw .damaged(
        "the file is not the one that the store names", file: path(kind, number), offset: 0)
    }
    return (file, cipher)
  }

  /// Opens the file of a blob, and checks its header.
  func openBlob(
    _ blob: BlobFile
  ) throws(StoreError) -> (file: any RandomAccessFile, cipher: FileCipher) {
    try open(.blob, path(blob), fileID: blob.fileID)
  }

  private func open(
    _ kind: FileKind, _ path: String, fileID: StoreID
  ) throws(StoreError) -> (file: any RandomAccessFile, cipher: FileCipher) {
    let file: any RandomAccessFile
    do {
      file = try fileSystem.open(path, writable: false)
    } catch {
      if error.isNotFound {
        throw .damaged("a file of the store is missing", file: path, offset: 0)
      }
      throw StoreError(error)
    }
    var bytes = [UInt8](repeating: 0, count: FileHeader.byteCount)
    let count = try onMedium { () throws(FileError) in
      unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: 0)
      }
    }
    guard count == FileHeader.byteCount else {
      throw .damaged("the file ends within its header", file: path, offset: 0)
    }
    let header = try parse(bytes, path: path)
    guard header.kind == kind, header.fileID == fileID, header.storeID == storeID
    else {
      throw .damaged("the file is not the one that the store names", file: path, offset: 0)
    }
    let cipher = try FileCipher(
      header: header, storeKey: try storeKey(epoch: header.keyEpoch), slab: slab)
    guard cipher.commitment == Array(bytes[FileHeader.commitmentOffset...]) else {
      throw .damaged("the file's header does not authenticate", file: path, offset: 0)
    }
    return (file, cipher)
  }

  /// A file's header, if it is there in full and authentic.
  func readableHeader(_ kind: FileKind, _ number: UInt64) -> FileHeader? {
    let path = path(kind, number)
    var bytes = [UInt8](repeating: 0, count: FileHeader.byteCount)
    guard let file = try? fileSystem.open(path, writable: false),
      let count = unsafe try? bytes.withMutableRaw({ (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: 0)
      }), count == FileHeader.byteCount,
      let header = try? FileHeader(parsing: bytes), header.storeID == storeID,
      header.kind == kind, header.number == number,
      let key = try? storeKey(epoch: header.keyEpoch),
      let cipher = try? FileCipher(header: header, storeKey: key, slab: slab),
      cipher.commitment == Array(bytes[FileHeader.commitmentOffset...])
    else { return nil }
    return header
  }

  private func parse(_ bytes: [UInt8], path: String) throws(StoreError) -> FileHeader {
    do {
      return try FileHeader(parsing: bytes)
    } catch {
      switch error {
      case .newerFormat(let format):
        throw StoreError(
          .newerFormat, "the file has format \(format); update this program", file: path)
      case .unknownFlags(let flags):
        throw StoreError(
          .newerFormat, "the file needs features \(flags) that this version lacks", file: path)
      case .notAHeader, .malformed:
        throw .damaged("the file's header makes no sense", file: path, offset: 0)
      }
    }
  }

  func openTable(_ entry: TableEntry) throws(StoreError) -> TableContents {
    let (file, cipher) = try open(.table, entry.number, fileID: entry.fileID)
    return try TableContents(
      entry: entry, file: file, path: path(.table, entry.number), cipher: cipher, cache: cache,
      onDamagedFilter: report)
  }

  /// All bytes of a file.
  func contents(
    of file: any RandomAccessFile, limit: UInt64, path: String
  ) throws(StoreError) -> [UInt8] {
    let size = try onMedium { () throws(FileError) in try file.size() }
    guard size <= limit else {
      throw .damaged("the file is larger than any the store writes", file: path, offset: limit)
    }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = try onMedium { () throws(FileError) in
      unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: 0)
      }
    }
    if count < bytes.count { bytes.removeLast(bytes.count - count) }
    return bytes
  }
}
