import SealedLog
import TestSupport
import Testing

/// Compression of a keyspace's last level: it saves space where it pays, and changes no answer.
@Suite struct CompressionTests {
  private func options(_ fileSystem: SimulatedFileSystem) -> OpenOptions {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    return options
  }

  private static func text(_ index: Int) -> [UInt8] {
    Array("Note number \(index): the quick brown fox jumps over the lazy dog, again.".utf8)
  }

  private static func key(_ index: Int) -> [UInt8] {
    let word = UInt32(index)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }

  /// Bytes of tables that the values take after compaction, every value checked on the way.
  private func bytesOnDisk(
    compression: Compression, count: Int = 4_000, _ value: (Int) -> [UInt8]
  ) throws -> UInt64 {
    let fileSystem = SimulatedFileSystem(seed: 1)
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem))
    let keyspace = try store.keyspace("k", compression: compression)
    try store.write { batch in
      for index in 0..<count { try batch.put(Self.key(index), value(index), in: keyspace) }
    }
    try store.compact()
    let bytes = store.statistics.keyspaces[0].bytes.reduce(0, +)
    try store.close()

    // Opened without asking for compression: what is compressed is read all the same.
    let again = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem))
    let same = try again.keyspace("k")
    let cursor = try again.snapshot().cursor(in: same)
    var index = 0
    while try cursor.next() {
      #expect(cursor.keyBytes == Self.key(index) && cursor.valueBytes == value(index))
      index += 1
    }
    #expect(index == count)
    #expect(try again.snapshot().value(for: Self.key(count / 2), in: same) == value(count / 2))
    #expect(try again.verify().isSound)
    try again.close()
    return bytes
  }

  @Test func textTakesLessThanHalf() throws {
    let plain = try bytesOnDisk(compression: .none, Self.text)
    let packed = try bytesOnDisk(compression: .zlib, Self.text)
    #expect(packed * 2 < plain, "\(packed) of \(plain) bytes")
  }

  @Test func randomValuesStayAsTheyAre() throws {
    var generator = SeededGenerator(seed: 5)
    let values = (0..<4_000).map { _ in
      (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let plain = try bytesOnDisk(compression: .none) { values[$0] }
    let packed = try bytesOnDisk(compression: .zlib) { values[$0] }
    #expect(packed <= plain, "seed 5: \(packed) of \(plain) bytes")
    #expect(packed * 100 > plain * 97, "seed 5: \(packed) of \(plain) bytes")
  }

  @Test func valuesLargerThanABlockAreCompressed() throws {
    let large = { (index: Int) in [UInt8](repeating: UInt8(index), count: 300_000) }
    #expect(try bytesOnDisk(compression: .zlib, count: 20, large) < 100_000)
  }

  @Test func upperLevelsStayPlain() throws {
    let fileSystem = SimulatedFileSystem(seed: 1)
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem))
    let keyspace = try store.keyspace("k", compression: .zlib)
    try store.write { batch in
      for index in 0..<1_000 { try batch.put(Self.key(index), Self.text(index), in: keyspace) }
    }
    try store.flush()
    let plain = store.statistics.keyspaces[0].bytes
    #expect(plain[0] > 70_000)
    try store.compact()
    let packed = store.statistics.keyspaces[0].bytes
    #expect(packed[0] == 0 && packed.reduce(0, +) * 2 < plain[0])
  }
}
