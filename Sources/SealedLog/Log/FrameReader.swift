internal import SealedFiles

/// Reads the frames of a log or manifest in order, and decides where it ends: FORMAT.md, "The end
/// of a log".
///
/// A frame that fails is the *end* where it can only be the unsynced remains of a crash; it is
/// *damage* where anything says that it was synced, or where a crash can't have left it so.
struct FrameReader {
  /// Where the manifest says that a file ends.
  struct PinnedEnd: Equatable {
    var ordinal: UInt32
    var tag: [UInt8]
  }

  private let bytes: [UInt8]
  private let cipher: FileCipher
  private let path: String
  private let pinned: PinnedEnd?
  private let looksBehindEnd: Bool
  /// Frames below this ordinal are known to be synced.
  private(set) var attested: UInt32

  private(set) var ordinal: UInt32 = 0
  private(set) var offset = FileHeader.byteCount
  private(set) var previousTag: [UInt8]
  /// Bytes of unsynced remains behind the end, once it was reached.
  private(set) var discarded: UInt64 = 0

  /// - Parameters:
  ///   - attested: Frames below it are known to be synced from elsewhere.
  ///   - pinned: The end that the manifest states; all frames below it must be there.
  ///   - looksBehindEnd: Whether to count the bytes behind a stated end.
  init(
    bytes: [UInt8], cipher: FileCipher, path: String, attested: UInt32 = 0,
    pinned: PinnedEnd? = nil, looksBehindEnd: Bool = false
  ) {
    self.looksBehindEnd = looksBehindEnd
    self.bytes = bytes
    self.cipher = cipher
    self.path = path
    self.pinned = pinned
    self.attested = max(attested, pinned?.ordinal ?? 0)
    previousTag = Array(cipher.commitment.prefix(FileCipher.tagSize))
  }

  /// The next frame, or nil at the end.
  mutating func next() throws(StoreError) -> Frame? {
    if let pinned, ordinal == pinned.ordinal {
      guard previousTag == pinned.tag else {
        throw damage("the log's last frame is not the one that the manifest names")
      }
      if looksBehindEnd { countRemains() }
      return nil
    }
    if let frame = open(at: offset), frame.ordinal == ordinal, frame.previousTag == previousTag {
      attested = max(attested, frame.frame.syncedThrough)
      ordinal += 1
      offset = Int(frame.frame.endOffset)
      previousTag = frame.frame.tag
      return frame.frame
    }
    try decideEnd()
    return nil
  }

  private func damage(_ what: String) -> StoreError {
    .damaged(what, file: path, offset: UInt64(offset))
  }

  // MARK: The end

  private mutating func decideEnd() throws(StoreError) {
    if ordinal < attested { throw damage("a frame that was synced does not authenticate") }
    let header = word(at: offset)
    if !header.allSatisfy({ $0 == 0 }) {
      guard let length = validLength(header, ordinal: ordinal) else {
        throw damage("a frame's header is neither written nor empty")
      }
      if !hasEmptySector(offset, count: Frame.headerSize + Frame.paddedSize(length) + 16) {
        throw damage("a frame that is there in full does not authenticate")
      }
    }
    var position = offset + Frame.alignment
    var lastWritten = header.allSatisfy { $0 == 0 } ? offset : offset + Frame.headerSize
    while position < bytes.count {
      if isZero(at: position) {
        position += Frame.alignment
        continue
      }
      lastWritten = min(bytes.count, position + Frame.alignment)
      if let found = open(at: position), found.ordinal >= ordinal,
        found.frame.syncedThrough > ordinal
      {
        throw damage("a frame that a later one says was synced does not authenticate")
      }
      position += Frame.alignment
    }
    discarded = UInt64(lastWritten - offset)
  }

  /// Counts what stands behind the end.
  private mutating func countRemains() {
    let last = bytes[min(offset, bytes.count)...].lastIndex { $0 != 0 }
    discarded = last.map { UInt64($0 + 1 - offset) } ?? 0
  }

  private func hasEmptySector(_ start: Int, count: Int) -> Bool {
    let end = start + count
    var position = start
    while position < end {
      let next = min(end, (position / Frame.sectorSize + 1) * Frame.sectorSize)
      if (position..<next).allSatisfy({ $0 >= bytes.count || bytes[$0] == 0 }) { return true }
      position = next
    }
    return false
  }

  private func isZero(at position: Int) -> Bool {
    guard position + Frame.alignment <= bytes.count else {
      return bytes[position...].allSatisfy { $0 == 0 }
    }
    // Sixteen bytes at a time: this runs over the whole empty rest of a log.
    return unsafe bytes.withRaw { raw in
      guard let base = raw.baseAddress else { return true }
      return unsafe (base.u64(position) | base.u64(position + 8)) == 0
    }
  }

  /// Sixteen bytes; those past the end of the file count as zero.
  private func word(at position: Int) -> [UInt8] {
    (position..<position + Frame.headerSize).map { $0 < bytes.count ? bytes[$0] : 0 }
  }

  // MARK: One frame

  private struct Opened {
    var frame: Frame
    var ordinal: UInt32
    var previousTag: [UInt8]
  }

  /// The plaintext length in a header whose checksum is right, for the ordinal given if any.
  private func validLength(_ header: [UInt8], ordinal expected: UInt32?) -> Int? {
    var reader = ByteReader(header)
    guard let length = try? reader.integer(UInt32.self),
      let ordinal = try? reader.integer(UInt32.self),
      let kind = try? reader.byte(), Frame.Kind(rawValue: kind) != nil,
      let flags = try? reader.byte(), flags & ~(Frame.first | Frame.last) == 0,
      (try? reader.zeros(2)) != nil,
      let checksum = try? reader.integer(UInt32.self),
      checksum == Frame.headerChecksum(header[0..<12], fileID: cipher.header.fileID),
      expected == nil || ordinal == expected,
      Int(length) >= Frame.prefixSize, Int(length) <= Frame.prefixSize + Frame.payloadLimit
    else { return nil }
    return Int(length)
  }

  /// The frame at a position, opened by itself.
  private func open(at position: Int) -> Opened? {
    let header = word(at: position)
    guard let length = validLength(header, ordinal: nil) else { return nil }
    let padded = Frame.paddedSize(length)
    let end = position + Frame.headerSize + padded + FileCipher.tagSize
    guard end <= bytes.count else { return nil }
    let ordinal = header[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard let kind = Frame.Kind(rawValue: header[8]) else { return nil }
    var plain = [UInt8](repeating: 0, count: padded)
    let unit = FileCipher.Unit(
      number: ordinal, kind: header[8], flags: header[9], offset: UInt64(position),
      storedCount: UInt32(padded + FileCipher.tagSize), plainCount: UInt32(length))
    let isOpen = unsafe bytes.withRaw { all in
      let text = unsafe UnsafeRawBufferPointer(
        rebasing: all[position + Frame.headerSize..<position + Frame.headerSize + padded])
      let clear = unsafe UnsafeRawBufferPointer(
        rebasing: all[position..<position + Frame.headerSize])
      guard let tag = text.baseAddress else { return false }
      return unsafe plain.withMutableRaw {
        unsafe cipher.open(text, into: $0, tag: tag + padded, unit: unit, clear: clear)
      }
    }
    guard isOpen, plain[length...].allSatisfy({ $0 == 0 }) else { return nil }
    return parse(
      plain: plain, length: length, ordinal: ordinal, kind: kind, flags: header[9],
      position: position, end: end)
  }

  private func parse(
    plain: [UInt8], length: Int, ordinal: UInt32, kind: Frame.Kind, flags: UInt8, position: Int,
    end: Int
  ) -> Opened? {
    var reader = ByteReader(plain)
    guard let previousTag = try? reader.bytes(16),
      let syncedThrough = try? reader.integer(UInt32.self),
      let manifestNumber = try? reader.integer(UInt64.self),
      let manifestOrdinal = try? reader.integer(UInt32.self),
      let commit = try? reader.integer(UInt64.self)
    else { return nil }
    let frame = Frame(
      ordinal: ordinal, kind: kind, flags: flags, syncedThrough: syncedThrough,
      manifest: ManifestPosition(number: manifestNumber, ordinal: manifestOrdinal),
      commit: commit, payload: Array(plain[Frame.prefixSize..<length]),
      tag: Array(bytes[end - FileCipher.tagSize..<end]), offset: UInt64(position),
      endOffset: UInt64(end))
    return Opened(frame: frame, ordinal: ordinal, previousTag: previousTag)
  }
}
