/// The unit in which logs and manifests are written: FORMAT.md, "Frames".
///
///     clear header 16                              sealed, padded to 16                  tag 16
///     ┌────────┬─────────┬──────┬───────┬───┬─────┬────────────────────────────────────┬───────┐
///     │length 4│ordinal 4│kind 1│flags 1│0 2│CRC 4│ prefix 40 · payload                │       │
///     └────────┴─────────┴──────┴───────┴───┴─────┴────────────────────────────────────┴───────┘
///     prefix: previous frame's tag 16 · synced through 4 · manifest number 8 · manifest ordinal 4
///             · commit number 8
///
/// Any 512-byte sector of a frame that was not synced may be torn: old (zero) or new.
struct Frame {
  enum Kind: UInt8 {
    case commit = 1
    case mark = 2
    case edit = 5
  }

  /// The first frame of its commit.
  static let first: UInt8 = 1
  /// The last frame of its commit.
  static let last: UInt8 = 2
  static let headerSize = 16
  static let prefixSize = 40
  static let alignment = 16
  static let sectorSize = 512
  static let payloadLimit = 1 << 20

  var ordinal: UInt32
  var kind: Kind
  var flags: UInt8
  /// Frames below this ordinal were synced when this one was written.
  var syncedThrough: UInt32
  /// The manifest in force, and its frame, that the writer had synced; zeros before its root switch.
  var manifest: ManifestPosition
  var commit: UInt64
  var payload: [UInt8]
  var tag: [UInt8]
  /// Where the frame begins and where the next one would.
  var offset: UInt64
  var endOffset: UInt64

  /// Bytes on disk of a frame with a payload of the given size.
  static func storedSize(payload count: Int) -> Int {
    headerSize + paddedSize(prefixSize + count) + FileCipher.tagSize
  }

  static func paddedSize(_ count: Int) -> Int { (count + 15) & ~15 }

  /// The checksum in a clear header: CRC-32C over its first twelve bytes, seeded by that of the
  /// file id, and never zero.
  static func headerChecksum(_ bytes: some Sequence<UInt8>, fileID: StoreID) -> UInt32 {
    let value = CRC32C.checksum(bytes, seed: CRC32C.checksum(fileID.bytes))
    return value == 0 ? .max : value
  }
}

/// A place in a manifest: its file's number and the ordinal of a frame in it.
struct ManifestPosition: Equatable, Comparable, Sendable {
  var number: UInt64
  var ordinal: UInt32

  static let none = ManifestPosition(number: 0, ordinal: 0)

  static func < (left: Self, right: Self) -> Bool {
    (left.number, left.ordinal) < (right.number, right.ordinal)
  }
}
