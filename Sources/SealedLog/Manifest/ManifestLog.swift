internal import SealedFiles
internal import Synchronization

/// The manifest in force: its state, and the file to which edits go.
///
/// - Invariant: an edit is in `state` if and only if it is synced; of one manifest the next frame is
///   written only after that.
final class ManifestLog: Sendable {
  /// Past this size the manifest is written anew.
  static let sizeLimit: UInt64 = 4 << 20

  private struct Content {
    var state: ManifestState
    var writer: FrameWriter?
    /// What ended the use of the file, if anything did.
    var failure: StoreError?
  }

  private let content: Mutex<Content>
  /// Held around whole edits, sync included: they are serialized.
  private let editing = Mutex<Void>(())

  /// The last frame of a manifest that was opened for reading only.
  private let lastRead: ManifestPosition

  init(
    state: ManifestState, writer: FrameWriter?, lastRead: ManifestPosition = .none
  ) {
    self.lastRead = lastRead
    content = Mutex(Content(state: state, writer: writer))
  }

  var state: ManifestState { content.withLock { $0.state } }

  /// The last synced frame, which log frames name; without a writer, the last that there is.
  var position: ManifestPosition {
    content.withLock {
      guard let writer = $0.writer else { return lastRead }
      guard writer.syncedThrough > 0 else { return .none }
      return ManifestPosition(number: writer.number, ordinal: writer.syncedThrough - 1)
    }
  }

  /// Whether the manifest is one of this open's.
  var hasWriter: Bool { content.withLock { $0.writer != nil } }

  /// Synced frames of the file.
  var frameCount: UInt32 { content.withLock { $0.writer?.syncedThrough ?? 0 } }

  /// Whether the file has grown past its limit, or failed.
  var wantsRewriting: Bool {
    content.withLock { content in
      content.failure != nil || (content.writer?.offset ?? 0) > Self.sizeLimit
    }
  }

  /// Writes and syncs records as one edit, then takes them over.
  ///
  /// After a failure the file is not written again; `rewrite` puts a new one in its place.
  func edit(_ records: [ManifestRecord]) throws(StoreError) {
    try editing.withLock { _ in
      content.withLock { content in
        Result<Void, StoreError>.catching { () throws(StoreError) in
          try Self.edit(records, &content)
        }
      }
    }.get()
  }

  private static func edit(
    _ records: [ManifestRecord], _ content: inout Content
  ) throws(StoreError) {
    if let failure = content.failure { throw failure }
    guard let writer = content.writer else {
      throw StoreError(.readOnly, "the store was opened for reading only")
    }
    var next = content.state
    do { try next.apply(records) } catch {
      throw StoreError(.invalidArgument, "an edit contradicts the manifest", file: writer.path)
    }
    do throws(StoreError) {
      var bytes = ByteWriter()
      for record in records { record.append(to: &bytes) }
      try append(bytes.bytes, kind: .edit, to: writer)
      try writer.write()
      try writer.sync()
    } catch {
      content.failure = error
      throw error
    }
    content.state = next
  }

  /// Replaces the file: `make` writes a snapshot of the state it is handed (pending changes applied)
  /// to a new file and puts it in force by a root switch.
  func rewrite(
    applying records: [ManifestRecord] = [],
    _ make: (ManifestState) throws(StoreError) -> (ManifestState, FrameWriter)
  ) throws(StoreError) {
    try editing.withLock { _ in
      content.withLock { content in
        Result<Void, StoreError>.catching { () throws(StoreError) in
          var next = content.state
          do { try next.apply(records) } catch {
            throw StoreError(.invalidArgument, "an edit contradicts the manifest")
          }
          let (state, writer) = try make(next)
          content.writer?.close()
          content = Content(state: state, writer: writer)
        }
      }
    }.get()
  }

  /// Writes a snapshot of a state as the first commit of a new manifest, and syncs it.
  static func writeSnapshot(_ state: ManifestState, to writer: FrameWriter) throws(StoreError) {
    var bytes = ByteWriter()
    for record in state.snapshotRecords { record.append(to: &bytes) }
    try append(bytes.bytes, kind: .edit, to: writer)
    try writer.write()
    try writer.sync()
  }

  /// Appends a payload as one commit of one or more frames.
  private static func append(
    _ payload: [UInt8], kind: Frame.Kind, to writer: FrameWriter
  ) throws(StoreError) {
    unsafe try payload.withRaw { (raw) throws(StoreError) in
      try unsafe writer.appendCommit(raw, kind: kind, manifest: .none, commit: 0)
    }
  }

  /// Forgets the file's keys, for a store lock: the next edit needs a new manifest.
  func dropKeys() {
    content.withLock { content in
      content.writer?.dropKeys()
      content.failure = StoreError(.locked, "the store is locked; unlock it first")
    }
  }

  // MARK: Reading

  /// Reads a manifest from its first frame to its end.
  ///
  /// - Parameter toDamage: Whether to stop at the first damage, instead of throwing it.
  /// - Returns: what it says, the position of its last frame, bytes of unsynced remains, and the
  ///   damage at which reading stopped.
  static func read(
    _ bytes: [UInt8], cipher: FileCipher, path: String, toDamage: Bool = false
  ) throws(StoreError) -> (
    state: ManifestState, position: ManifestPosition, discarded: UInt64, damage: StoreError?
  ) {
    var state = ManifestState()
    var last = ManifestPosition(number: cipher.header.number, ordinal: 0)
    var reader = FrameReader(bytes: bytes, cipher: cipher, path: path, attested: 1)
    var damage: StoreError?
    do throws(StoreError) {
      try read(&reader, path: path, into: &state, last: &last)
    } catch  where toDamage && error.code == .damaged {
      damage = error
    }
    guard state.openEpoch > 0 else {
      throw damage
        ?? .damaged(
          "the manifest's snapshot is not complete", file: path, offset: UInt64(reader.offset))
    }
    return (state, last, reader.discarded, damage)
  }

  private static func read(
    _ reader: inout FrameReader, path: String, into state: inout ManifestState,
    last: inout ManifestPosition
  ) throws(StoreError) {
    var payload: [UInt8] = []
    while let frame = try reader.next() {
      guard frame.kind == .edit else {
        throw .damaged("a frame of the wrong kind", file: path, offset: frame.offset)
      }
      if frame.flags & Frame.first != 0 { payload = [] }
      payload += frame.payload
      guard frame.flags & Frame.last != 0 else { continue }
      do {
        try state.apply(try ManifestRecord.parse(payload))
      } catch {
        throw .damaged("an edit makes no sense", file: path, offset: frame.offset)
      }
      last.ordinal = frame.ordinal
    }
  }
}

extension Result {
  /// The outcome of a throwing body, for carrying a typed error through a closure that has none.
  @inline(__always)
  static func catching(_ body: () throws(Failure) -> Success) -> Result {
    do { return .success(try body()) } catch { return .failure(error) }
  }
}

extension FrameWriter {
  /// Seals a payload of any size as the frames of one commit.
  func appendCommit(
    _ payload: UnsafeRawBufferPointer, kind: Frame.Kind, manifest: ManifestPosition,
    commit: UInt64
  ) throws(StoreError) {
    var start = 0
    repeat {
      let end = min(start + Frame.payloadLimit, payload.count)
      let part = unsafe UnsafeRawBufferPointer(rebasing: payload[start..<end])
      let flags = (start == 0 ? Frame.first : 0) | (end == payload.count ? Frame.last : 0)
      try unsafe append(kind, flags: flags, manifest: manifest, commit: commit, payload: part)
      start = end
    } while start < payload.count
  }

  /// Bytes that `appendCommit` takes for a payload.
  static func storedSize(commit count: Int) -> Int {
    let full = count / Frame.payloadLimit
    let rest = count % Frame.payloadLimit
    return full * Frame.storedSize(payload: Frame.payloadLimit)
      + (rest > 0 || full == 0 ? Frame.storedSize(payload: rest) : 0)
  }
}
