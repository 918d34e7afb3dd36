internal import SealedCrypto

/// The name of a blob in its store: sixteen random bytes, never given out twice.
public struct BlobID: Hashable, Sendable, Codable, CustomStringConvertible {
  private let identity: StoreID

  init(identity: StoreID) { self.identity = identity }

  /// A name from its bytes, or nil where there are not sixteen.
  public init?(bytes: some Collection<UInt8>) {
    guard let identity = StoreID(bytes: bytes) else { return nil }
    self.identity = identity
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] { identity.bytes }
  /// Thirty-two lower-case hexadecimal digits.
  public var description: String { identity.description }
}

/// What the store says of a blob: where it lies, how long it is, and how it ends.
///
/// Row of the internal keyspace `blobs`, under the blob's name: open epoch 4 · file id 16 · length 8
/// · padded length 8 · last chunk's tag 16.
struct BlobRow: Equatable {
  var file: BlobFile
  /// Bytes that were written.
  var length: UInt64
  /// Bytes on disk, sealing aside.
  var paddedLength: UInt64
  /// The tag of the last chunk.
  var tag: [UInt8]

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(file.encoded)
    writer.append(length)
    writer.append(paddedLength)
    writer.append(tag)
    return writer.bytes
  }

  init(file: BlobFile, length: UInt64, paddedLength: UInt64, tag: [UInt8]) {
    self.file = file
    self.length = length
    self.paddedLength = paddedLength
    self.tag = tag
  }

  /// Nil where the bytes make no sense.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      file = BlobFile(openEpoch: try reader.integer(), fileID: try reader.identity())
      length = try reader.integer()
      paddedLength = try reader.integer()
      tag = try reader.bytes(16)
    } catch { return nil }
    guard reader.remaining == 0, length <= paddedLength, paddedLength <= BlobLayout.lengthLimit
    else { return nil }
  }
}

/// The file of a blob: named by the open that wrote it, and its random id.
///
/// Rows of the internal keyspace `trash` have it as their key: open epoch 4 · file id 16.
struct BlobFile: Hashable {
  var openEpoch: UInt32
  var fileID: StoreID

  var name: String { "\(openEpoch)-\(fileID)" }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(openEpoch)
    writer.append(fileID.bytes)
    return writer.bytes
  }

  init(openEpoch: UInt32, fileID: StoreID) {
    self.openEpoch = openEpoch
    self.fileID = fileID
  }

  init?(encoded: [UInt8]) {
    var reader = ByteReader(encoded)
    do {
      openEpoch = try reader.integer()
      fileID = try reader.identity()
    } catch { return nil }
    guard reader.remaining == 0 else { return nil }
  }

  /// The file that a name says, or nil for a name that isn't a blob's.
  init?(name: String) {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt32(parts[0]), parts[1].utf8.count == 32 else {
      return nil
    }
    let digits = Array(parts[1])
    let bytes = stride(from: 0, to: 32, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    guard let fileID = StoreID(bytes: bytes) else { return nil }
    self.init(openEpoch: epoch, fileID: fileID)
    guard self.name == name else { return nil }
  }
}

/// How a blob's bytes lie in its file: FORMAT.md, "Blobs".
///
/// Header, then chunks of 64 KiB, each sealed as one unit. The last chunk is flagged; it is shorter
/// than the others, and empty where the length divides.
enum BlobLayout {
  static let chunkSize = 65_536
  /// The flag of the last chunk.
  static let last: UInt8 = 1
  static let storedChunkSize = chunkSize + FileCipher.tagSize
  /// So that units, of which there are 2^32, suffice.
  static let lengthLimit = UInt64(chunkSize) << 31

  static func chunkCount(_ paddedLength: UInt64) -> UInt64 {
    paddedLength / UInt64(chunkSize) + 1
  }

  static func plainCount(_ chunk: UInt64, paddedLength: UInt64) -> Int {
    chunk + 1 < chunkCount(paddedLength) ? chunkSize : Int(paddedLength % UInt64(chunkSize))
  }

  static func offset(_ chunk: UInt64) -> UInt64 {
    UInt64(FileHeader.byteCount) + chunk * UInt64(storedChunkSize)
  }

  static func fileSize(_ paddedLength: UInt64) -> UInt64 {
    UInt64(FileHeader.byteCount) + paddedLength
      + chunkCount(paddedLength) * UInt64(FileCipher.tagSize)
  }

  static func unit(_ chunk: UInt64, plainCount: Int, isLast: Bool) -> FileCipher.Unit {
    FileCipher.Unit(
      number: UInt32(truncatingIfNeeded: chunk), kind: FileKind.blob.rawValue,
      flags: isLast ? last : 0, offset: offset(chunk),
      storedCount: UInt32(plainCount + FileCipher.tagSize), plainCount: UInt32(plainCount))
  }

  /// The length that hides the true one: Padmé (Nikitin et al., "Reducing Metadata Leakage from
  /// Encrypted Files and Communication with PURBs", 2019), at most 12 % more.
  static func padded(_ length: UInt64) -> UInt64 {
    guard length > 1 else { return length }
    let exponent = 63 - UInt64(length.leadingZeroBitCount)
    let significant = exponent == 0 ? 1 : 64 - UInt64(exponent.leadingZeroBitCount)
    let mask = (UInt64(1) << (exponent - min(exponent, significant))) - 1
    return (length + mask) & ~mask
  }
}

extension Keyspace {
  /// Internal keyspaces, which every store has and no call names.
  static let blobs = Keyspace(id: 1)
  static let trash = Keyspace(id: 2)
  /// The names of internal keyspaces begin with a zero byte, as no other name may.
  static let internalNames: [(id: UInt32, name: [UInt8])] = [
    (1, [0] + Array("blobs".utf8)), (2, [0] + Array("trash".utf8)),
  ]
  var isInternal: Bool { id <= 2 }
}
