import SealedFiles
import SealedLog
import TestSupport
import Testing

/// Every byte of a small store changed, one at a time: found when it is read, or by `verify`; never
/// a wrong answer.
@Suite struct FlippedByteTests {
  private func options(_ fileSystem: SimulatedFileSystem, _ access: OpenOptions.Access)
    -> OpenOptions
  {
    var options = OpenOptions()
    options.fileSystem = fileSystem
    options.execution = .inline
    options.memtableSize = 64 << 10
    options.logSize = 8 << 10
    options.creation = access == .readOnly ? .never : .ifMissing
    options.access = access
    return options
  }

  /// A store with a root, a manifest, a plain and a compressed table, and a log that was left behind
  /// by a kill.
  private func makeStore() throws -> (medium: SimulatedFileSystem, content: [[UInt8]: [UInt8]]) {
    let fileSystem = SimulatedFileSystem(seed: 11)
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem, .readWrite))
    let keyspace = try store.keyspace("k")
    let packed = try store.keyspace("packed", compression: .zlib)
    try store.write { batch in
      for index in 0..<20 {
        try batch.put([UInt8(index)], [UInt8](repeating: 7, count: 40), in: packed)
      }
    }
    try store.compact()
    var content: [[UInt8]: [UInt8]] = [:]
    for round in 0..<2 {
      try store.write { batch in
        for index in 0..<20 {
          let key = [UInt8(round), UInt8(index)]
          let value = [UInt8](repeating: UInt8(index), count: index)
          try batch.put(key, value, in: keyspace)
          content[key] = value
        }
      }
      if round == 0 { try store.flush() }
    }
    return (fileSystem.afterKill(), content)
  }

  private func read(_ fileSystem: SimulatedFileSystem) throws -> (
    content: [[UInt8]: [UInt8]], isSound: Bool
  ) {
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(fileSystem, .readOnly))
    var content: [[UInt8]: [UInt8]] = [:]
    if let keyspace = try store.existingKeyspace("packed") {
      let cursor = try store.snapshot().cursor(in: keyspace)
      var count = 0
      while try cursor.next() {
        #expect(cursor.valueBytes == [UInt8](repeating: 7, count: 40))
        count += 1
      }
      #expect(count == 20)
    }
    if let keyspace = try store.existingKeyspace("k") {
      let cursor = try store.snapshot().cursor(in: keyspace)
      while try cursor.next() { content[cursor.keyBytes] = cursor.valueBytes }
    }
    let report = try store.verify()
    return (content, report.isSound && store.recovery.discardedTail == 0)
  }

  @Test func everyFlipIsDetected() throws {
    let (medium, content) = try makeStore()
    let intact = try read(medium)
    #expect(intact.content == content && intact.isSound)
    var flips = 0
    let names = try medium.list("/s-log").filter { $0 != "LOCK" }.map { "/s-log/" + $0 }
    for path in ["/s"] + names {
      let bytes = try self.bytes(path, medium)
      for offset in Self.usedOffsets(bytes) {
        let bit = UInt8(1) << UInt8(offset % 8)
        medium.damage(path) { $0[offset] ^= bit }
        flips += 1
        var isDetected = false
        do {
          let found = try read(medium)
          #expect(found.content == content, "wrong content with \(path) flipped at \(offset)")
          isDetected = !found.isSound
        } catch let error as StoreError {
          isDetected = true
          #expect(error.file != nil, "\(error) for \(path) at \(offset) names no file")
        }
        #expect(isDetected, "\(path) flipped at \(offset) is not detected")
        medium.damage(path) { $0[offset] ^= bit }
      }
    }
    print("\(flips) flips in \(names.count + 1) files, all detected")
    #expect(flips > 7_000)
  }

  /// Bytes that nothing uses: the store opens and answers as before, and `verify` names the place.
  @Test func everyFlipOfAnUnusedByteIsReportedAsAStray() throws {
    let (medium, _) = try makeStore()
    let store = try LogStore.open(
      path: "/s", unlock: .rawKey(testKey), options: options(medium, .readOnly))
    var flips = 0
    let names = try medium.list("/s-log").filter { $0 != "LOCK" }.map { "/s-log/" + $0 }
    for path in ["/s"] + names {
      let bytes = try self.bytes(path, medium)
      let used = Set(Self.usedOffsets(bytes).map { $0 / Self.sector })
      for offset in bytes.indices where !used.contains(offset / Self.sector) {
        let bit = UInt8(1) << UInt8(offset % 8)
        medium.damage(path) { $0[offset] ^= bit }
        flips += 1
        let report = try store.verify()
        let found = report.strays + report.damages
        #expect(
          found.contains { $0.file == path && ($0.offset ?? .max) <= UInt64(offset) },
          "\(path) flipped at \(offset) is not reported")
        medium.damage(path) { $0[offset] ^= bit }
      }
    }
    print("\(flips) flips of unused bytes, all reported")
    #expect(flips > 120_000)
    #expect(try store.verify().isSound)
  }

  private static let sector = 512

  /// Every byte of the sectors that are written.
  private static func usedOffsets(_ bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { index in
      let start = index / sector * sector
      return bytes[start..<min(start + sector, bytes.count)].contains { $0 != 0 }
    }
  }

  private func bytes(_ path: String, _ medium: SimulatedFileSystem) throws -> [UInt8] {
    var copy: [UInt8] = []
    medium.damage(path) { copy = $0 }
    return copy
  }
}
