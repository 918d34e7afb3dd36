internal import SealedLog

/// What a vault keeps sealed: the places of the stores whose keys hang on its root key.
///
///     store count 4 · paths, each behind its length 4 · zeros to the end
struct VaultContents: Equatable, Sendable {
  /// Absolute paths of root files, each recorded before its store exists.
  var storePaths: [String] = []

  init() {}

  func encoded(count: Int) throws(StoreError) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(storePaths.count))
    for path in storePaths { writer.append(counted: Array(path.utf8)) }
    guard writer.bytes.count <= count else {
      throw StoreError(
        .limitExceeded, "the vault has no room for another store's place; erase stores first")
    }
    writer.append(zeros: count - writer.bytes.count)
    return writer.bytes
  }

  init?(parsing bytes: [UInt8]) {
    do throws(ByteReader.Malformed) {
      var reader = ByteReader(bytes)
      let count = try reader.integer(UInt32.self)
      for _ in 0..<count {
        let path = try reader.counted(limit: bytes.count)
        storePaths.append(String(decoding: path, as: UTF8.self))
      }
      try reader.zeros(reader.remaining)
    } catch { return nil }
  }
}
