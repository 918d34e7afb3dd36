internal import SealedFiles
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Reads a blob, at any place; each chunk is authenticated before a byte of it is given.
///
/// Holds its snapshot, and so the blob, until it is dropped. May be used from any number of threads.
public final class BlobReader: Sendable {
  private static let batchChunks = 16

  /// The blob's name.
  public let id: BlobID
  /// Keeps the blob where it is; nil for a reader that doesn't outlast a snapshot of its caller.
  private let snapshot: Snapshot?
  private let engine: Engine
  private let row: BlobRow
  private let open: Mutex<Open?>

  /// The file, and the generation of the store's lock at which it was opened.
  private struct Open {
    var file: any RandomAccessFile
    var cipher: FileCipher
    var generation: Int
  }

  init(id: BlobID, row: BlobRow, snapshot: Snapshot?, engine: Engine) {
    self.id = id
    self.row = row
    self.snapshot = snapshot
    self.engine = engine
    open = Mutex(nil)
  }

  /// Authenticates every byte of a blob's file, padding included; how many bytes those were.
  static func verify(_ row: BlobRow, engine: Engine) throws(StoreError) -> UInt64 {
    let id = BlobID(identity: row.file.fileID)
    return try BlobReader(id: id, row: row, snapshot: nil, engine: engine).verify()
  }

  /// How many bytes the blob has.
  public var length: UInt64 { row.length }

  /// Whether the file's size shows the length.
  var isExact: Bool { row.length == row.paddedLength }

  /// Forgets the file's keys, for a store lock.
  func dropKeys() { open.withLock { $0 = nil } }

  /// Fills `buffer` from `offset` on; fewer bytes only where the blob ends.
  ///
  /// - Returns: how many bytes were read.
  /// - Throws: `.damaged` with file and offset, `.locked`, `.closed`, `.io`; the buffer then holds
  ///   nothing of the blob that didn't authenticate.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(StoreError) -> Int {
    guard offset < length, let target = buffer.baseAddress else { return 0 }
    let count = Int(min(UInt64(buffer.count), length - offset))
    let (file, cipher) = try opened()
    let chunkSize = UInt64(BlobLayout.chunkSize)
    let scratch = BlobScratch(
      chunks: Int(min(UInt64(Self.batchChunks), (UInt64(count) + chunkSize - 1) / chunkSize + 1)))
    var done = 0
    while done < count {
      let position = offset + UInt64(done)
      let first = position / chunkSize
      let wanted = (position % chunkSize) + UInt64(count - done)
      let chunks = min(UInt64(scratch.chunks), (wanted + chunkSize - 1) / chunkSize)
      try readChunks(first, Int(chunks), file, scratch)
      for index in 0..<chunks where done < count {
        let place = offset + UInt64(done)
        let skipped = Int(place - (first + index) * chunkSize)
        done += try unsafe openChunk(
          first + index, scratch, Int(index), cipher, skipping: skipped, into: target + done,
          limit: count - done)
      }
    }
    return count
  }

  /// Bytes of a range; it is cut to the blob's length.
  ///
  /// - Throws: as `read(into:at:)`.
  public func bytes(_ range: Range<UInt64>) throws(StoreError) -> [UInt8] {
    let range = range.clamped(to: 0..<length)
    var bytes = [UInt8](repeating: 0, count: range.count)
    try unsafe bytes.withMutableRaw { (buffer) throws(StoreError) in
      _ = try unsafe read(into: buffer, at: range.lowerBound)
    }
    return bytes
  }

  /// All bytes.
  ///
  /// - Throws: as `read(into:at:)`.
  public func bytes() throws(StoreError) -> [UInt8] { try bytes(0..<length) }

  private func verify() throws(StoreError) -> UInt64 {
    let (file, cipher) = try opened()
    let scratch = BlobScratch(chunks: 1)
    let plain = UnsafeMutableRawPointer.allocate(byteCount: BlobLayout.chunkSize, alignment: 64)
    defer {
      unsafe memset(plain, 0, BlobLayout.chunkSize)
      unsafe plain.deallocate()
    }
    for chunk in 0..<BlobLayout.chunkCount(row.paddedLength) {
      try readChunks(chunk, 1, file, scratch)
      _ = try unsafe openChunk(
        chunk, scratch, 0, cipher, skipping: 0, into: plain, limit: BlobLayout.chunkSize)
    }
    return BlobLayout.fileSize(row.paddedLength)
  }

  // MARK: Chunks

  private var path: String { engine.files.path(row.file) }

  private func opened() throws(StoreError) -> (any RandomAccessFile, FileCipher) {
    try engine.checkReadable()
    let generation = engine.gate.generation.load(ordering: .acquiring)
    let present = open.withLock { $0 }
    if let present, present.generation == generation { return (present.file, present.cipher) }
    let (file, cipher) = try engine.files.openBlob(row.file)
    let size = try onMedium { () throws(FileError) in try file.size() }
    guard size == BlobLayout.fileSize(row.paddedLength) else {
      throw .damaged(
        "a blob's file has \(size) bytes where \(BlobLayout.fileSize(row.paddedLength)) were "
          + "written", file: path, offset: min(size, BlobLayout.fileSize(row.paddedLength)))
    }
    open.withLock { $0 = Open(file: file, cipher: cipher, generation: generation) }
    engine.register(self)
    return (file, cipher)
  }

  /// Reads chunks as they are stored, one behind the other.
  private func readChunks(
    _ first: UInt64, _ count: Int, _ file: any RandomAccessFile, _ scratch: BlobScratch
  ) throws(StoreError) {
    let lastChunk = first + UInt64(count) - 1
    let size =
      (count - 1) * BlobLayout.storedChunkSize
      + BlobLayout.plainCount(lastChunk, paddedLength: row.paddedLength) + FileCipher.tagSize
    let read = try onMedium { () throws(FileError) in
      try unsafe file.read(
        into: UnsafeMutableRawBufferPointer(start: scratch.stored, count: size),
        at: BlobLayout.offset(first))
    }
    guard read == size else {
      throw .damaged("a blob's file ends early", file: path, offset: BlobLayout.offset(first))
    }
  }

  /// Opens a chunk, straight into `target` where all of it is wanted; how many bytes it gave.
  private func openChunk(
    _ chunk: UInt64, _ scratch: BlobScratch, _ index: Int, _ cipher: FileCipher,
    skipping skipped: Int, into target: UnsafeMutableRawPointer, limit: Int
  ) throws(StoreError) -> Int {
    let plainCount = BlobLayout.plainCount(chunk, paddedLength: row.paddedLength)
    let isLast = chunk + 1 == BlobLayout.chunkCount(row.paddedLength)
    let stored = unsafe scratch.stored + index * BlobLayout.storedChunkSize
    let isWhole = skipped == 0 && limit >= plainCount
    let plain = unsafe isWhole ? target : scratch.plain
    if isLast {
      let tag = unsafe Array(
        UnsafeRawBufferPointer(start: stored + plainCount, count: FileCipher.tagSize))
      guard tag == row.tag else {
        throw .damaged(
          "a blob doesn't end as it was written", file: path, offset: BlobLayout.offset(chunk))
      }
    }
    let isOpen = unsafe cipher.open(
      UnsafeRawBufferPointer(start: stored, count: plainCount),
      into: UnsafeMutableRawBufferPointer(start: plain, count: plainCount),
      tag: stored + plainCount,
      unit: BlobLayout.unit(chunk, plainCount: plainCount, isLast: isLast))
    guard isOpen else {
      throw .damaged(
        "a blob's chunk does not authenticate", file: path, offset: BlobLayout.offset(chunk))
    }
    if isWhole { return plainCount }
    let count = min(limit, plainCount - skipped)
    unsafe memcpy(target, scratch.plain + skipped, count)
    return count
  }
}

/// Room for chunks as they are stored, and for one in clear; zeroed when it goes.
@safe private final class BlobScratch {
  let chunks: Int
  let stored: UnsafeMutableRawPointer
  let plain: UnsafeMutableRawPointer

  init(chunks: Int) {
    self.chunks = chunks
    unsafe stored = .allocate(
      byteCount: chunks * BlobLayout.storedChunkSize, alignment: 4096)
    unsafe plain = .allocate(byteCount: BlobLayout.chunkSize, alignment: 64)
  }

  deinit {
    unsafe stored.deallocate()
    unsafe memset(plain, 0, BlobLayout.chunkSize)
    unsafe plain.deallocate()
  }
}

/// A reader that somebody else keeps alive.
struct WeakBlobReader {
  weak var reader: BlobReader?
}
