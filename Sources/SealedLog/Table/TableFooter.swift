/// Where a unit of a table lies.
///
///     offset 8 · stored length 4 · unit number 4
struct UnitHandle: Equatable {
  var offset: UInt64
  var storedCount: UInt32
  var unit: UInt32
  var plainCount: Int { Int(storedCount) - FileCipher.tagSize }

  func append(to writer: inout ByteWriter) {
    writer.append(offset)
    writer.append(storedCount)
    writer.append(unit)
  }

  init(parsing reader: inout ByteReader) throws(ByteReader.Malformed) {
    offset = try reader.integer()
    storedCount = try reader.integer()
    unit = try reader.integer()
    guard storedCount >= UInt32(FileCipher.tagSize) else { throw ByteReader.Malformed() }
  }

  init(offset: UInt64, storedCount: UInt32, unit: UInt32) {
    self.offset = offset
    self.storedCount = storedCount
    self.unit = unit
  }
}

/// The end of a table: FORMAT.md, "Table footer".
///
///     sealed 64 (index handle · filter handle · properties handle · block count 4 · filter lines 4
///     · 0 8) · tag 16 · clear 16 (unit number 4 · 0 4 · magic 8)
///
/// The clear part finds the footer's unit number where no manifest is there to tell.
struct TableFooter: Equatable {
  static let plainCount = 64
  static let byteCount = 96
  static let magic: [UInt8] = Array("SEALTABL".utf8)

  var index: UnitHandle
  var filter: UnitHandle
  var properties: UnitHandle
  var blockCount: UInt32
  var filterLines: UInt32

  var plaintext: [UInt8] {
    var writer = ByteWriter()
    index.append(to: &writer)
    filter.append(to: &writer)
    properties.append(to: &writer)
    writer.append(blockCount)
    writer.append(filterLines)
    writer.append(zeros: 8)
    return writer.bytes
  }

  static func clearPart(unit: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(unit)
    writer.append(zeros: 4)
    writer.append(magic)
    return writer.bytes
  }

  init(parsing bytes: [UInt8]) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes)
    index = try UnitHandle(parsing: &reader)
    filter = try UnitHandle(parsing: &reader)
    properties = try UnitHandle(parsing: &reader)
    blockCount = try reader.integer()
    filterLines = try reader.integer()
    try reader.zeros(8)
  }

  init(
    index: UnitHandle, filter: UnitHandle, properties: UnitHandle, blockCount: UInt32,
    filterLines: UInt32
  ) {
    self.index = index
    self.filter = filter
    self.properties = properties
    self.blockCount = blockCount
    self.filterLines = filterLines
  }
}
