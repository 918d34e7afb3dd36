package import SealedCrypto
package import SealedFiles

/// The file that holds the two copies of a root, and the rules by which they change: STORAGE rules
/// in FORMAT.md, "Root file".
///
/// - Invariant: no copy is written while the other isn't known to be good and synced; no generation
///   has two texts.
package struct RootFile: Sendable {
  package static let byteCount = 131_072
  package static let offsets: [UInt64] = [0, 65_536]

  package let file: any RandomAccessFile
  package let path: String
  package let magic: [UInt8]
  /// The copy in force and its bytes.
  package private(set) var current: RootCopy
  package private(set) var bytes: [UInt8]
  /// Which of the two places holds `current` for certain.
  private var place: Int
  /// Whether the other place held the same copy when the file was opened.
  package private(set) var copiesAgree = true

  // MARK: Opening

  /// Reads both copies and picks the one in force; writes nothing.
  package static func open(
    _ file: any RandomAccessFile, path: String, magic: [UInt8]
  ) throws(StoreError) -> RootFile {
    var readings: [RootCopy.Reading] = []
    var texts: [[UInt8]] = []
    for offset in offsets {
      let bytes = try read(file, at: offset)
      readings.append(try RootCopy.read(bytes, magic: magic))
      texts.append(bytes)
    }
    let good = readings.indices.compactMap { index -> (Int, RootCopy)? in
      if case .good(let copy) = readings[index] { return (index, copy) }
      return nil
    }
    if good.contains(where: { $0.1.state == .tombstone }) {
      throw StoreError(.erased, "the store was erased; create a new one in its place", file: path)
    }
    guard let chosen = good.max(by: { $0.1.generation < $1.1.generation }) else {
      throw failure(readings, path: path)
    }
    if good.count == 2, good[0].1.generation == good[1].1.generation, texts[0] != texts[1] {
      throw StoreError(
        .tampered, "two different roots of one generation; restore the store from a backup",
        file: path, offset: offsets[1])
    }
    var root = RootFile(
      file: file, path: path, magic: magic, current: chosen.1, bytes: texts[chosen.0],
      place: chosen.0)
    root.copiesAgree = texts[0] == texts[1]
    return root
  }

  private static func failure(_ readings: [RootCopy.Reading], path: String) -> StoreError {
    for case .newerFormat(let version) in readings {
      return StoreError(
        .newerFormat,
        "the store has format \(version), this version reads up to \(RootCopy.format); update it",
        file: path)
    }
    if readings.contains(.damaged) {
      return .damaged("neither copy of the root is whole", file: path, offset: 0)
    }
    return StoreError(.notAStore, "the file is no store", file: path)
  }

  // MARK: Unlocking

  /// The store key, after all checks of the copy in force.
  ///
  /// - Parameter limit: what the slots may cost.
  package func unlock(
    _ credential: Credential, limit: KeyDerivationLimit = .standard
  ) throws(StoreError) -> SecretBytes {
    do throws(StoreError) {
      try limit.check(current.slots.compactMap(\.derivation))
    } catch {
      var error = error
      (error.file, error.offset) = (path, Self.offsets[place])
      throw error
    }
    for slot in current.slots {
      guard let key = try slot.unwrap(with: credential, storeID: current.storeID) else { continue }
      guard try current.isAuthentic(bytes, storeKey: key) else {
        throw StoreError(
          .tampered, "the root was changed by someone without the key; restore the store",
          file: path, offset: Self.offsets[place])
      }
      return key
    }
    throw StoreError(.wrongKey, "no key slot opens with the credential given", file: path)
  }

  // MARK: Creating and switching

  /// A new root file: both copies written and synced.
  package static func create(
    _ file: any RandomAccessFile, path: String, copy: RootCopy, storeKey: SecretBytes
  ) throws(StoreError) -> RootFile {
    let bytes = try copy.encoded(storeKey: storeKey)
    let zeros = [UInt8](repeating: 0, count: byteCount)
    try write(file, zeros, at: 0)
    for offset in offsets { try write(file, bytes, at: offset) }
    try onMedium { () throws(FileError) in try file.sync() }
    return RootFile(
      file: file, path: path, magic: copy.magic, current: copy, bytes: bytes, place: 0)
  }

  /// Makes what an open read durable: it may have been in the system's cache only.
  package mutating func rewriteBoth() throws(StoreError) {
    try writeSynced(bytes, place: place)
    try writeSynced(bytes, place: 1 - place)
  }

  /// Puts a new root in force: one copy, then the other, each synced.
  ///
  /// - Throws: the medium's error. Where the first copy was synced the new root is in force all the
  ///   same (`current` tells); until a later switch is complete nothing may rely on the old one.
  ///
  /// - Parameter atLeast: The least generation that the new root may have.
  package mutating func switchTo(
    _ copy: RootCopy, storeKey: SecretBytes, atLeast least: UInt64 = 0
  ) throws(StoreError) {
    var next = copy
    next.generation = max(current.generation + 1, least)
    let text = try next.encoded(storeKey: storeKey)
    // After a failed first sync the same copy is tried again; after a failed second, `place` is
    // the copy that is good, and the other one is next.
    try writeSynced(text, place: 1 - place)
    current = next
    bytes = text
    place = 1 - place
    try writeSynced(text, place: 1 - place)
  }

  /// Overwrites both copies by a tombstone, after which nothing opens the store; needs no key, and
  /// finishes where that was begun.
  ///
  /// - Returns: the store's identity.
  package static func bury(
    _ file: any RandomAccessFile, path: String, magic: [UInt8]
  ) throws(StoreError) -> StoreID {
    var copies: [(place: Int, copy: RootCopy)] = []
    for (place, offset) in offsets.enumerated() {
      if case .good(let copy) = try RootCopy.read(try read(file, at: offset), magic: magic) {
        copies.append((place, copy))
      }
    }
    guard let known = copies.max(by: { $0.copy.generation < $1.copy.generation }) else {
      throw StoreError(
        .notAStore, "the file is no store, or too damaged to tell; remove it by hand",
        file: path)
    }
    let text = try known.copy.encodedTombstone()
    for place in [1 - known.place, known.place] {
      try write(file, text, at: offsets[place])
      try onMedium { () throws(FileError) in try file.sync() }
    }
    return known.copy.storeID
  }

  private static func read(
    _ file: any RandomAccessFile, at offset: UInt64
  ) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RootCopy.byteCount)
    let count = try onMedium { () throws(FileError) in
      unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: offset)
      }
    }
    if count < bytes.count { bytes.removeLast(bytes.count - count) }
    return bytes
  }

  private func writeSynced(_ bytes: [UInt8], place: Int) throws(StoreError) {
    try Self.write(file, bytes, at: Self.offsets[place])
    try onMedium { () throws(FileError) in try file.sync() }
  }

  private static func write(
    _ file: any RandomAccessFile, _ bytes: [UInt8], at offset: UInt64
  ) throws(StoreError) {
    try onMedium { () throws(FileError) in
      unsafe try bytes.withRaw { (buffer) throws(FileError) in
        try unsafe file.write(buffer, at: offset)
      }
    }
  }
}
