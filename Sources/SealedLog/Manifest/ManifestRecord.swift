/// What a manifest says, one fact a record: FORMAT.md, "Manifest records".
///
/// A manifest begins with a snapshot, which is a list of records, and goes on with edits, which are
/// lists of the same records.
enum ManifestRecord: Equatable, Sendable {
  /// This open's epoch and random lineage.
  case open(epoch: UInt32, lineage: StoreID)
  /// An earlier open, with the commit number at which the open after it begins.
  case pastOpen(epoch: UInt32, lineage: StoreID, firstCommit: UInt64)
  /// The root must be of this generation or a later one.
  case rootGeneration(UInt64)
  /// The file counter stands at this number or above.
  case nextNumber(UInt64)
  /// Commits up to this one are in tables.
  case flushed(through: UInt64)
  case keyspace(id: UInt32, name: [UInt8])
  case dropKeyspace(id: UInt32)
  case table(TableEntry)
  case retireTable(number: UInt64)
  /// A range of a keyspace was deleted, and tables may still hold what it hides.
  case deleteRange(keyspace: UInt32, RangeTombstones.Range)
  /// The range hides nothing any more.
  case retireRange(keyspace: UInt32, lower: [UInt8], commit: UInt64)
  /// A keyspace takes another name; none has it.
  case renameKeyspace(id: UInt32, name: [UInt8])
  /// Blobs of opens up to this one that nothing names were removed.
  case blobsSwept(through: UInt32)
  /// A table goes to another level as it is.
  case moveTable(number: UInt64, level: UInt8)
  case log(number: UInt64, fileID: StoreID)
  case endLog(number: UInt64, ordinal: UInt32, tag: [UInt8])
  case retireLog(number: UInt64)
  /// The store was closed; everything is in place.
  case clean

  /// Appends the record: tag 1 · body.
  func append(to writer: inout ByteWriter) {
    switch self {
    case .open(let epoch, let lineage):
      writer.append(UInt8(1))
      writer.append(epoch)
      writer.append(lineage.bytes)
    case .pastOpen(let epoch, let lineage, let firstCommit):
      writer.append(UInt8(2))
      writer.append(epoch)
      writer.append(lineage.bytes)
      writer.append(firstCommit)
    case .rootGeneration(let generation):
      writer.append(UInt8(3))
      writer.append(generation)
    case .nextNumber(let number):
      writer.append(UInt8(4))
      writer.append(number)
    case .flushed(let commit):
      writer.append(UInt8(5))
      writer.append(commit)
    case .keyspace(let id, let name):
      writer.append(UInt8(6))
      writer.append(id)
      writer.append(counted: name)
    case .dropKeyspace(let id):
      writer.append(UInt8(7))
      writer.append(id)
    case .table(let entry):
      writer.append(UInt8(8))
      entry.append(to: &writer)
    case .retireTable(let number):
      writer.append(UInt8(9))
      writer.append(number)
    case .log(let number, let fileID):
      writer.append(UInt8(10))
      writer.append(number)
      writer.append(fileID.bytes)
    case .endLog(let number, let ordinal, let tag):
      writer.append(UInt8(11))
      writer.append(number)
      writer.append(ordinal)
      writer.append(tag)
    case .retireLog(let number):
      writer.append(UInt8(12))
      writer.append(number)
    case .clean:
      writer.append(UInt8(13))
    case .moveTable(let number, let level):
      writer.append(UInt8(14))
      writer.append(number)
      writer.append(level)
    case .deleteRange(let keyspace, let range):
      writer.append(UInt8(15))
      writer.append(keyspace)
      writer.append(counted: range.lower)
      writer.append(counted: range.upper)
      writer.append(range.commit)
    case .retireRange(let keyspace, let lower, let commit):
      writer.append(UInt8(16))
      writer.append(keyspace)
      writer.append(counted: lower)
      writer.append(commit)
    case .blobsSwept(let epoch):
      writer.append(UInt8(18))
      writer.append(epoch)
    case .renameKeyspace(let id, let name):
      writer.append(UInt8(17))
      writer.append(id)
      writer.append(counted: name)
    }
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    switch try reader.byte() {
    case 1: self = .open(epoch: try reader.integer(), lineage: try reader.identity())
    case 2:
      self = .pastOpen(
        epoch: try reader.integer(), lineage: try reader.identity(),
        firstCommit: try reader.integer())
    case 3: self = .rootGeneration(try reader.integer())
    case 4: self = .nextNumber(try reader.integer())
    case 5: self = .flushed(through: try reader.integer())
    case 6:
      self = .keyspace(
        id: try reader.integer(), name: try reader.counted(limit: Keyspace.nameLimit))
    case 7: self = .dropKeyspace(id: try reader.integer())
    case 8: self = .table(try TableEntry(parsing: &reader))
    case 9: self = .retireTable(number: try reader.integer())
    case 10: self = .log(number: try reader.integer(), fileID: try reader.identity())
    case 11:
      self = .endLog(
        number: try reader.integer(), ordinal: try reader.integer(), tag: try reader.bytes(16))
    case 12: self = .retireLog(number: try reader.integer())
    case 13: self = .clean
    case 14: self = .moveTable(number: try reader.integer(), level: try reader.byte())
    case 15:
      let keyspace = try reader.integer(UInt32.self)
      let range = RangeTombstones.Range(
        lower: try reader.counted(limit: WriteBatch.keyLimit),
        upper: try reader.counted(limit: WriteBatch.keyLimit), commit: try reader.integer())
      guard range.upper.isEmpty || compareKeys(range.lower, range.upper) < 0 else {
        throw ByteReader.Malformed()
      }
      self = .deleteRange(keyspace: keyspace, range)
    case 16:
      self = .retireRange(
        keyspace: try reader.integer(), lower: try reader.counted(limit: WriteBatch.keyLimit),
        commit: try reader.integer())
    case 18: self = .blobsSwept(through: try reader.integer())
    case 17:
      self = .renameKeyspace(
        id: try reader.integer(), name: try reader.counted(limit: Keyspace.nameLimit))
    default: throw ByteReader.Malformed()
    }
  }

  /// Every record of a frame's payload.
  static func parse(_ payload: [UInt8]) throws(ByteReader.Malformed) -> [ManifestRecord] {
    var reader = ByteReader(payload)
    var records: [ManifestRecord] = []
    while reader.remaining > 0 { records.append(try ManifestRecord(parsing: &reader)) }
    return records
  }
}

/// A table as the manifest names it.
struct TableEntry: Equatable, Sendable {
  var number: UInt64
  var fileID: StoreID
  /// The file's length in bytes.
  var length: UInt64
  /// How many units were sealed in it; the last one is the footer.
  var units: UInt32
  /// The footer's tag.
  var tag: [UInt8]
  var keyspace: UInt32
  var level: UInt8
  var entryCount: UInt64
  var smallestKey: [UInt8]
  var largestKey: [UInt8]
  var smallestCommit: UInt64
  var largestCommit: UInt64
  /// Entries that are removals.
  var tombstoneCount: UInt64
  /// Ranges deleted up to this commit hide nothing in the table any more.
  var appliedCommit: UInt64

  func append(to writer: inout ByteWriter) {
    writer.append(number)
    writer.append(fileID.bytes)
    writer.append(length)
    writer.append(units)
    writer.append(tag)
    writer.append(keyspace)
    writer.append(level)
    writer.append(entryCount)
    writer.append(counted: smallestKey)
    writer.append(counted: largestKey)
    writer.append(smallestCommit)
    writer.append(largestCommit)
    writer.append(tombstoneCount)
    writer.append(appliedCommit)
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    number = try reader.integer()
    fileID = try reader.identity()
    length = try reader.integer()
    units = try reader.integer()
    tag = try reader.bytes(16)
    keyspace = try reader.integer()
    level = try reader.byte()
    guard Int(level) < Tree.levelCount else { throw ByteReader.Malformed() }
    entryCount = try reader.integer()
    smallestKey = try reader.counted(limit: WriteBatch.keyLimit)
    largestKey = try reader.counted(limit: WriteBatch.keyLimit)
    smallestCommit = try reader.integer()
    largestCommit = try reader.integer()
    tombstoneCount = try reader.integer()
    appliedCommit = try reader.integer()
    guard compareKeys(smallestKey, largestKey) <= 0, smallestCommit <= largestCommit,
      tombstoneCount <= entryCount
    else {
      throw ByteReader.Malformed()
    }
  }

  init(
    number: UInt64, fileID: StoreID, length: UInt64, units: UInt32, tag: [UInt8],
    keyspace: UInt32, level: UInt8, entryCount: UInt64, smallestKey: [UInt8],
    largestKey: [UInt8], smallestCommit: UInt64, largestCommit: UInt64,
    tombstoneCount: UInt64, appliedCommit: UInt64
  ) {
    self.tombstoneCount = tombstoneCount
    self.appliedCommit = appliedCommit
    self.number = number
    self.fileID = fileID
    self.length = length
    self.units = units
    self.tag = tag
    self.keyspace = keyspace
    self.level = level
    self.entryCount = entryCount
    self.smallestKey = smallestKey
    self.largestKey = largestKey
    self.smallestCommit = smallestCommit
    self.largestCommit = largestCommit
  }
}
