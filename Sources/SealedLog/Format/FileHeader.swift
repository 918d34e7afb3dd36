/// What a file of a store is, in its header's kind byte and in the additional data of its units.
enum FileKind: UInt8, Sendable {
  case log = 1
  case manifest = 2
  case table = 3
  case blob = 4
}

/// The first 128 bytes of every log, manifest and table: FORMAT.md, "File header".
///
///     0       8 9 10  12      24       40      56     64    68    72     80        96         128
///     ┌───────┬─┬─┬───┬───────┬────────┬───────┬──────┬─────┬─────┬──────┬─────────┬───────────┐
///     │ magic │k│0│fmt│ flags │store id│file id│number│ key │open │ prev.│ prev.   │ commitment│
///     │       │ │ │   │ c r i │        │       │      │epoch│epoch│number│ file id │           │
///     └───────┴─┴─┴───┴───────┴────────┴───────┴──────┴─────┴─────┴──────┴─────────┴───────────┘
///
/// The header stays unwritten or torn only in a file that nothing names yet.
struct FileHeader: Equatable {
  /// Opens every file but the root.
  static let magic: [UInt8] = Array("SEALFILE".utf8)
  /// The version of the format that this code writes, and the newest that it reads.
  static let format: UInt16 = 1
  static let byteCount = 128
  static let commitmentOffset = 96

  var kind: FileKind
  var compatibleFlags: UInt32 = 0
  var readOnlyCompatibleFlags: UInt32 = 0
  var incompatibleFlags: UInt32 = 0
  var storeID: StoreID
  var fileID: StoreID
  var number: UInt64
  var keyEpoch: UInt32
  var openEpoch: UInt32
  var previousNumber: UInt64 = 0
  var previousFileID = StoreID(high: 0, low: 0)

  /// The header's bytes before the commitment.
  var prefixBytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(kind.rawValue)
    writer.append(UInt8(0))
    writer.append(Self.format)
    writer.append(compatibleFlags)
    writer.append(readOnlyCompatibleFlags)
    writer.append(incompatibleFlags)
    writer.append(storeID.bytes)
    writer.append(fileID.bytes)
    writer.append(number)
    writer.append(keyEpoch)
    writer.append(openEpoch)
    writer.append(previousNumber)
    writer.append(previousFileID.bytes)
    return writer.bytes
  }

  /// Why a header was not understood.
  enum Problem: Error {
    case notAHeader
    case newerFormat(UInt16)
    case unknownFlags(UInt32)
    case malformed
  }

  /// Reads the 96 bytes before the commitment.
  init(parsing bytes: [UInt8]) throws(Problem) {
    do {
      var reader = ByteReader(bytes)
      guard try reader.bytes(8) == Self.magic else { throw Problem.notAHeader }
      guard let kind = FileKind(rawValue: try reader.byte()) else { throw Problem.malformed }
      try reader.zeros(1)
      let format = try reader.integer(UInt16.self)
      guard format <= Self.format else { throw Problem.newerFormat(format) }
      guard format > 0 else { throw Problem.malformed }
      self.kind = kind
      compatibleFlags = try reader.integer()
      readOnlyCompatibleFlags = try reader.integer()
      incompatibleFlags = try reader.integer()
      guard incompatibleFlags == 0 else { throw Problem.unknownFlags(incompatibleFlags) }
      storeID = try reader.identity()
      fileID = try reader.identity()
      number = try reader.integer()
      keyEpoch = try reader.integer()
      openEpoch = try reader.integer()
      previousNumber = try reader.integer()
      previousFileID = try reader.identity()
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .malformed
    }
  }

  init(
    kind: FileKind, storeID: StoreID, fileID: StoreID, number: UInt64, keyEpoch: UInt32,
    openEpoch: UInt32
  ) {
    self.kind = kind
    self.storeID = storeID
    self.fileID = fileID
    self.number = number
    self.keyEpoch = keyEpoch
    self.openEpoch = openEpoch
  }
}

extension ByteReader {
  /// Sixteen bytes of an identity.
  mutating func identity() throws(Malformed) -> StoreID {
    let bytes = try bytes(16)
    guard let identity = StoreID(bytes: bytes) else { throw Malformed() }
    return identity
  }
}
