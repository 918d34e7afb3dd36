internal import SealedCrypto
internal import SealedFiles
internal import SealedLog

/// A vault on disk: two copies, one of them in force, and the rule by which they change.
///
/// - Invariant: no copy is written while the other isn't known to be good and synced; no generation
///   has two texts.
struct VaultFile {
  static let byteCount = 131_072
  static let offsets: [UInt64] = [0, 65_536]

  private let file: any RandomAccessFile
  private let path: String
  private(set) var current: VaultCopy
  /// Which of the two places holds `current` for certain.
  private var place: Int

  // MARK: Creating

  /// Makes a vault's file; its name appears only once its bytes are durable.
  ///
  /// - Throws: `.alreadyActivated` where the name is taken.
  static func create(
    _ path: String, body: VaultBody, fileSystem: any FileSystem
  ) throws(StoreError) {
    let draft = path + "-new"
    guard try onMedium({ () throws(FileError) in try fileSystem.status(path) }) == nil else {
      throw StoreError(.alreadyActivated, "there is a vault; authorize instead", file: path)
    }
    // What an earlier attempt left behind; nothing ever relied on it.
    if try onMedium({ () throws(FileError) in try fileSystem.status(draft) }) != nil {
      try onMedium { () throws(FileError) in try fileSystem.unlink(draft) }
    }
    let bytes = VaultCopy(generation: 1, attempts: 0, body: body).encoded()
    var text = [UInt8](repeating: 0, count: byteCount)
    for offset in offsets {
      text.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
    }
    try onMedium { () throws(FileError) in
      let file = try fileSystem.create(draft)
      try unsafe text.withRaw { (buffer) throws(FileError) in
        try unsafe file.write(buffer, at: 0)
      }
      try file.sync()
      try fileSystem.link(draft, to: path)
      try fileSystem.unlink(draft)
      try fileSystem.syncDirectory(parent(of: path))
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Opening

  /// Reads both copies and picks the one in force.
  ///
  /// - Throws: `.notActivated` where there is no file; `.notAStore`, `.newerFormat`, `.damaged`,
  ///   `.tampered`, `.io`.
  init(opening path: String, fileSystem: any FileSystem) throws(StoreError) {
    let status = try onMedium { () throws(FileError) in try fileSystem.status(path) }
    guard status != nil else {
      throw StoreError(.notActivated, "there is no vault; activate first", file: path)
    }
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(path, writable: true)
    }
    var texts: [[UInt8]] = []
    for offset in Self.offsets { texts.append(try Self.read(file, at: offset)) }
    let readings = texts.map(VaultCopy.read)
    let good = readings.indices.compactMap { index -> (place: Int, copy: VaultCopy)? in
      if case .good(let copy) = readings[index] { return (index, copy) }
      return nil
    }
    guard let chosen = good.max(by: { $0.copy.generation < $1.copy.generation }) else {
      throw Self.failure(readings, path: path)
    }
    if good.count == 2, good[0].copy.generation == good[1].copy.generation, texts[0] != texts[1] {
      throw StoreError(
        .tampered, "two different vaults of one generation; put a good copy in its place",
        file: path, offset: Self.offsets[1])
    }
    self.file = file
    self.path = path
    current = chosen.copy
    place = chosen.place
    // What was read may be in the system's cache only.
    if good.count < 2 || texts[0] != texts[1] { try rewriteBoth() }
  }

  private static func failure(_ readings: [VaultCopy.Reading], path: String) -> StoreError {
    for case .newerFormat(let version) in readings {
      return StoreError(
        .newerFormat,
        "the vault has format \(version), this version reads up to \(VaultCopy.format); update it",
        file: path)
    }
    if readings.contains(.damaged) {
      return StoreError(
        .damaged, "neither copy of the vault is whole; restore it from a backup", file: path,
        offset: 0)
    }
    return StoreError(.notAStore, "the file is no vault", file: path)
  }

  // MARK: Changing

  /// Puts other attempts or another body in force: one copy, then the other, each synced.
  mutating func switchTo(attempts: UInt32, body: VaultBody) throws(StoreError) {
    let next = VaultCopy(generation: current.generation + 1, attempts: attempts, body: body)
    let text = next.encoded()
    try writeSynced(text, place: 1 - place)
    current = next
    place = 1 - place
    try writeSynced(text, place: 1 - place)
  }

  private mutating func rewriteBoth() throws(StoreError) {
    let text = current.encoded()
    try writeSynced(text, place: place)
    try writeSynced(text, place: 1 - place)
  }

  private func writeSynced(_ bytes: [UInt8], place: Int) throws(StoreError) {
    try onMedium { () throws(FileError) in
      try unsafe bytes.withRaw { (buffer) throws(FileError) in
        try unsafe file.write(buffer, at: Self.offsets[place])
      }
      try file.sync()
    }
  }

  private static func read(
    _ file: any RandomAccessFile, at offset: UInt64
  ) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: VaultCopy.byteCount)
    let count = try onMedium { () throws(FileError) in
      try unsafe bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: offset)
      }
    }
    return Array(bytes.prefix(count))
  }
}
