internal import SealedFiles
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Writes a blob, front to back, in pieces of any size; its length need not be known before.
///
/// Nothing of it is in the store until the blob that `finish` gives was attached to a batch and that
/// was committed. A writer, or a finished blob, that is dropped before takes its file with it. Not
/// thread-safe.
@safe public final class BlobWriter {
  private static let outputChunks = 16

  private let engine: Engine
  private let file: any RandomAccessFile
  private let cipher: FileCipher
  private let pending: PendingBlob
  private let isExact: Bool
  private var chunk: UInt64 = 0
  private var length: UInt64 = 0
  private var tag: [UInt8] = []
  private var isFinished = false
  // Plaintext of the chunk that fills, and sealed chunks that wait to be written.
  private let plain: UnsafeMutableRawPointer
  private var plainCount = 0
  private let output: UnsafeMutableRawPointer
  private var outputCount: Int
  private var outputStart: UInt64 = 0

  /// - Parameter id: The blob's name, where it has one already.
  init(engine: Engine, isExact: Bool, id: BlobID? = nil) throws(StoreError) {
    self.engine = engine
    self.isExact = isExact
    let made = try engine.makeBlobFile(id: id)
    (file, cipher, pending) = (made.file, made.cipher, made.pending)
    unsafe plain = .allocate(byteCount: BlobLayout.chunkSize, alignment: 64)
    let capacity = FileHeader.byteCount + (Self.outputChunks + 1) * BlobLayout.storedChunkSize
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
    let header = cipher.header.prefixBytes + cipher.commitment
    unsafe header.withRaw { raw in
      if let base = raw.baseAddress { unsafe memcpy(memory, base, header.count) }
    }
    unsafe output = memory
    outputCount = FileHeader.byteCount
  }

  deinit {
    unsafe memset(plain, 0, BlobLayout.chunkSize)
    unsafe plain.deallocate()
    unsafe output.deallocate()
  }

  /// Appends bytes.
  ///
  /// - Throws: `.limitExceeded` past 128 TiB, `.diskFull`, `.io`, `.locked`; the blob is then lost.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    guard !isFinished else {
      throw StoreError(.invalidArgument, "the blob was finished before")
    }
    guard length + UInt64(bytes.count) <= BlobLayout.lengthLimit / 2 else {
      throw StoreError(
        .limitExceeded, "a blob has at most \(BlobLayout.lengthLimit / 2) bytes")
    }
    length += UInt64(bytes.count)
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = min(rest.count, BlobLayout.chunkSize - plainCount)
      if let source = rest.baseAddress {
        unsafe memcpy(plain + plainCount, source, count)
      }
      plainCount += count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if plainCount == BlobLayout.chunkSize { try sealChunk(isLast: false) }
    }
  }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) throws(StoreError) {
    try unsafe bytes.withRaw { (raw) throws(StoreError) in try unsafe append(raw) }
  }

  /// Ends the blob and makes it durable.
  ///
  /// - Returns: the blob, to be attached to a batch.
  /// - Throws: as `append`.
  public func finish() throws(StoreError) -> PendingBlob {
    let padded = isExact ? length : BlobLayout.padded(length)
    var rest = padded - length
    let zeros = [UInt8](repeating: 0, count: 16 << 10)
    let trueLength = length
    while rest > 0 {
      let count = min(rest, UInt64(zeros.count))
      try append(Array(zeros.prefix(Int(count))))
      rest -= count
    }
    try sealChunk(isLast: true)
    isFinished = true
    try flush()
    try onMedium { () throws(FileError) in
      try file.sync()
      try engine.files.fileSystem.syncDirectory(engine.files.blobDirectory)
    }
    pending.finish(length: trueLength, paddedLength: padded, tag: tag)
    return pending
  }

  private func sealChunk(isLast: Bool) throws(StoreError) {
    try engine.checkWritable()
    let target = unsafe output + outputCount
    let unit = BlobLayout.unit(chunk, plainCount: plainCount, isLast: isLast)
    try unsafe cipher.seal(
      UnsafeRawBufferPointer(start: plain, count: plainCount),
      into: UnsafeMutableRawBufferPointer(start: target, count: plainCount),
      tag: target + plainCount, unit: unit)
    if isLast {
      tag = unsafe Array(
        UnsafeRawBufferPointer(start: target + plainCount, count: FileCipher.tagSize))
    }
    outputCount += plainCount + FileCipher.tagSize
    chunk += 1
    plainCount = 0
    if outputCount >= Self.outputChunks * BlobLayout.storedChunkSize { try flush() }
  }

  private func flush() throws(StoreError) {
    try onMedium { () throws(FileError) in
      try unsafe file.write(
        UnsafeRawBufferPointer(start: output, count: outputCount), at: outputStart)
    }
    outputStart += UInt64(outputCount)
    outputCount = 0
  }
}

/// A blob that is on the medium and not yet in the store: attach it to a batch. Dropped before that
/// was committed, it takes its file with it.
public final class PendingBlob: Sendable {
  /// The name under which a snapshot finds it, once it is committed.
  public let id: BlobID
  let file: BlobFile
  private let engine: Engine
  private let state: Mutex<State>

  private struct State {
    var row: BlobRow?
    var isSettled = false
  }

  init(id: BlobID, file: BlobFile, engine: Engine) {
    self.id = id
    self.file = file
    self.engine = engine
    state = Mutex(State())
  }

  deinit {
    if !state.withLock({ $0.isSettled }) { engine.discardBlob(file) }
  }

  /// How many bytes it has.
  public var length: UInt64 { row?.length ?? 0 }

  var row: BlobRow? { state.withLock { $0.row } }

  func finish(length: UInt64, paddedLength: UInt64, tag: [UInt8]) {
    state.withLock {
      $0.row = BlobRow(file: file, length: length, paddedLength: paddedLength, tag: tag)
    }
  }

  /// The file belongs to a commit from here on, or to one of which nobody knows whether it is there:
  /// the next open finds out.
  func settle() {
    state.withLock { $0.isSettled = true }
    engine.state.withLock { _ = $0.unnamedBlobs.remove(file) }
  }
}
