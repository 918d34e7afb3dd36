internal import SealedFiles

/// Writes the frames of one file, front to back, in whole sectors.
///
/// Frames gather in a buffer; `write` puts them on the medium. Not thread-safe: its owner holds the
/// right to write.
///
/// - Invariant: `ordinal` only grows, and a frame once sealed is written with these bytes or the
///   file takes no more (`isClosed`).
@safe final class FrameWriter: @unchecked Sendable {
  let path: String
  let number: UInt64
  /// The size up to which the file was filled with zeros; frames stay below it.
  let capacity: UInt64
  let header: FileHeader
  /// Nil once the store was locked.
  private var cipher: FileCipher?
  private let file: any RandomAccessFile

  /// The next frame's ordinal: the number of frames sealed.
  private(set) var ordinal: UInt32 = 0
  /// The tag of the frame before the next.
  private(set) var previousTag: [UInt8]
  /// Frames below this one are synced.
  private(set) var syncedThrough: UInt32 = 0
  /// The tag of the last synced frame (of the header's commitment, before there is one).
  private(set) var syncedTag: [UInt8]
  /// No more is written: a write or sync failed, or the file's end was fixed.
  private(set) var isClosed = false
  private var writtenThrough: UInt32 = 0
  private var writtenTag: [UInt8]

  // The sectors not yet written in full; `bufferStart` is a multiple of the sector size.
  private var buffer: UnsafeMutableRawBufferPointer
  private var bufferStart: UInt64 = 0
  private var bufferCount: Int

  /// A writer for a new file whose header (and zero fill up to `capacity`) are on the medium.
  init(
    file: any RandomAccessFile, path: String, number: UInt64, cipher: FileCipher, capacity: UInt64
  ) {
    self.file = file
    self.path = path
    self.number = number
    self.cipher = cipher
    header = cipher.header
    self.capacity = capacity
    previousTag = Array(cipher.commitment.prefix(FileCipher.tagSize))
    syncedTag = previousTag
    writtenTag = previousTag
    unsafe buffer = .allocate(byteCount: 64 << 10, alignment: 4096)
    bufferCount = FileHeader.byteCount
    unsafe buffer.copyBytes(from: cipher.header.prefixBytes + cipher.commitment)
  }

  deinit { unsafe buffer.deallocate() }

  /// Where the next frame begins.
  var offset: UInt64 { bufferStart + UInt64(bufferCount) }

  /// Whether a frame of the given payload fits into what was preallocated.
  func hasRoom(forPayload count: Int) -> Bool {
    offset + UInt64(Frame.storedSize(payload: count)) <= capacity
  }

  /// Seals a frame into the buffer.
  func append(
    _ kind: Frame.Kind, flags: UInt8, manifest: ManifestPosition, commit: UInt64,
    payload: UnsafeRawBufferPointer
  ) throws(StoreError) {
    precondition(!isClosed, "a frame for a file that is closed")
    precondition(payload.count <= Frame.payloadLimit, "a frame's payload past its limit")
    guard let cipher else { throw StoreError(.locked, "the store is locked", file: path) }
    guard ordinal < .max else {
      throw StoreError(.limitExceeded, "too many frames in one file", file: path)
    }
    let plainCount = Frame.prefixSize + payload.count
    let padded = Frame.paddedSize(plainCount)
    let stored = padded + FileCipher.tagSize
    let frameOffset = offset
    reserve(Frame.headerSize + stored)
    guard let base = unsafe buffer.baseAddress else { return }
    let start = unsafe base + bufferCount
    unsafe putHeader(start, length: UInt32(plainCount), kind: kind, flags: flags)
    let plain = unsafe start + Frame.headerSize
    unsafe putPrefix(plain, manifest: manifest, commit: commit)
    if let source = payload.baseAddress {
      unsafe (plain + Frame.prefixSize).copyMemory(from: source, byteCount: payload.count)
    }
    unsafe (plain + plainCount).initializeMemory(
      as: UInt8.self, repeating: 0, count: padded - plainCount)
    let text = unsafe UnsafeMutableRawBufferPointer(start: plain, count: padded)
    let unit = FileCipher.Unit(
      number: ordinal, kind: kind.rawValue, flags: flags, offset: frameOffset,
      storedCount: UInt32(stored), plainCount: UInt32(plainCount))
    // The number is spent from here on, whatever happens.
    ordinal += 1
    unsafe try cipher.seal(
      UnsafeRawBufferPointer(text), into: text, tag: plain + padded, unit: unit,
      clear: UnsafeRawBufferPointer(start: start, count: Frame.headerSize))
    unsafe previousTag.withMutableRaw {
      unsafe $0.copyMemory(
        from: UnsafeRawBufferPointer(start: plain + padded, count: FileCipher.tagSize))
    }
    bufferCount += Frame.headerSize + stored
  }

  /// Puts the sealed frames on the medium, unsynced. After an error the file is closed.
  func write() throws(StoreError) {
    guard !isClosed else { return }
    let full = (bufferCount + Frame.sectorSize - 1) & ~(Frame.sectorSize - 1)
    reserve(full - bufferCount)
    guard let base = unsafe buffer.baseAddress else { return }
    unsafe (base + bufferCount).initializeMemory(
      as: UInt8.self, repeating: 0, count: full - bufferCount)
    do {
      unsafe try file.write(UnsafeRawBufferPointer(start: base, count: full), at: bufferStart)
    } catch {
      isClosed = true
      throw StoreError(error)
    }
    writtenThrough = ordinal
    writtenTag = previousTag
    // Keep the sector that the next frame shares with the last.
    let done = bufferCount & ~(Frame.sectorSize - 1)
    unsafe base.copyMemory(from: base + done, byteCount: bufferCount - done)
    bufferStart += UInt64(done)
    bufferCount -= done
  }

  /// Makes the written frames durable. After an error the file is closed: a later success would say
  /// nothing of what this one lost.
  func sync() throws(StoreError) {
    guard !isClosed, syncedThrough < writtenThrough else { return }
    let through = writtenThrough
    let tag = writtenTag
    do {
      try file.sync()
    } catch {
      isClosed = true
      throw StoreError(error)
    }
    syncedThrough = through
    syncedTag = tag
  }

  /// Fixes the end: nothing is appended any more.
  func close() { isClosed = true }

  /// Forgets the file's keys, for a store lock: nothing is appended any more.
  func dropKeys() {
    isClosed = true
    cipher = nil
  }

  // MARK: Layout

  private func putHeader(
    _ start: UnsafeMutableRawPointer, length: UInt32, kind: Frame.Kind, flags: UInt8
  ) {
    unsafe start.put32(length)
    unsafe start.put32(ordinal, 4)
    unsafe start.storeBytes(of: kind.rawValue, toByteOffset: 8, as: UInt8.self)
    unsafe start.storeBytes(of: flags, toByteOffset: 9, as: UInt8.self)
    unsafe start.put16(0, 10)
    let checked = unsafe UnsafeRawBufferPointer(start: start, count: 12)
    unsafe start.put32(
      Frame.headerChecksum(checked, fileID: header.fileID), 12)
  }

  private func putPrefix(
    _ plain: UnsafeMutableRawPointer, manifest: ManifestPosition, commit: UInt64
  ) {
    unsafe previousTag.withRaw {
      unsafe plain.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(plain), byteCount: 16)
    }
    unsafe plain.put32(syncedThrough, 16)
    unsafe plain.put64(manifest.number, 20)
    unsafe plain.put32(manifest.ordinal, 28)
    unsafe plain.put64(commit, 32)
  }

  private func reserve(_ more: Int) {
    let needed = bufferCount + more
    guard unsafe needed > buffer.count else { return }
    let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(needed, buffer.count * 2), alignment: 4096)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[0..<bufferCount]))
    unsafe buffer.deallocate()
    unsafe buffer = larger
  }
}
