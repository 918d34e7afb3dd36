/// Keys of the `edges` keyspace: what the to-many relationships hold. FORMAT.md, "Edges":
///
///     owner's local key (8) ‖ relation (2) ‖ 0                     → count (8) ‖ next position (8)
///     owner's local key (8) ‖ relation (2) ‖ 1 ‖ position (8)      → member's reference (10)
///     owner's local key (8) ‖ relation (2) ‖ 2 ‖ member's key (8)  → position (8)
///
/// All numbers big-endian.
struct EdgeKeys {
  let prefix: [UInt8]

  init(owner: UInt64, relation: UInt16) {
    var key = KeyWriter()
    key.append(owner)
    key.append(relation)
    prefix = key.bytes
  }

  var count: [UInt8] { prefix + [0] }
  var firstPosition: [UInt8] { prefix + [1] }
  var endOfPositions: [UInt8] { prefix + [2] }

  func position(_ position: UInt64) -> [UInt8] {
    var key = KeyWriter(firstPosition)
    key.append(position)
    return key.bytes
  }
  func member(_ local: UInt64) -> [UInt8] {
    var key = KeyWriter(endOfPositions)
    key.append(local)
    return key.bytes
  }

  static func number(_ bytes: [UInt8], at offset: Int = 0) -> UInt64 {
    guard offset + 8 <= bytes.count else { return 0 }
    return bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
  static func bytes(_ numbers: UInt64...) -> [UInt8] {
    var key = KeyWriter()
    for number in numbers { key.append(number) }
    return key.bytes
  }
}
