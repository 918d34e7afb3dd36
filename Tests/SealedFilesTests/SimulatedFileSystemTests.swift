import Foundation
import SealedFiles
import TestSupport
import Testing

/// The simulated medium loses what it may lose, and nothing else.
@Suite struct SimulatedFileSystemTests {
  private func bytes(_ fileSystem: SimulatedFileSystem, _ path: String) throws -> [UInt8]? {
    guard let status = try fileSystem.status(path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.size))
    let file = try fileSystem.open(path, writable: false)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0, at: 0) }
    #expect(count == bytes.count)
    return bytes
  }

  private func write(_ file: any RandomAccessFile, _ bytes: [UInt8], at offset: UInt64) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe file.write($0, at: offset) }
  }

  @Test func whatIsSyncedStays() throws {
    for seed in 0..<50 as Range<UInt64> {
      let before = SimulatedFileSystem(seed: seed)
      let file = try before.create("/a")
      try write(file, [UInt8](repeating: 1, count: 2000), at: 0)
      try file.sync()
      try before.syncDirectory("/")
      #expect(try bytes(before.afterPowerCut(), "/a") == [UInt8](repeating: 1, count: 2000))
    }
  }

  @Test func whatIsNotSyncedMayGoSectorBySector() throws {
    var seen: Set<[UInt8]> = []
    for seed in 0..<200 as Range<UInt64> {
      let before = SimulatedFileSystem(seed: seed)
      let file = try before.create("/a")
      try write(file, [UInt8](repeating: 1, count: 1024), at: 0)
      try file.sync()
      try before.syncDirectory("/")
      try write(file, [UInt8](repeating: 2, count: 1024), at: 0)
      let found = try #require(try bytes(before.afterPowerCut(), "/a"))
      #expect(Set(found[..<512]).count == 1 && Set(found[512...]).count == 1)
      seen.insert([found[0], found[512]])
      #expect(try bytes(before.afterKill(), "/a") == [UInt8](repeating: 2, count: 1024))
    }
    #expect(seen == [[1, 1], [1, 2], [2, 1], [2, 2]])
  }

  @Test func namesStayOnlyWithTheirDirectorySynced() throws {
    var seen: Set<Bool> = []
    for seed in 0..<50 as Range<UInt64> {
      let before = SimulatedFileSystem(seed: seed)
      try before.makeDirectory("/d")
      try before.syncDirectory("/")
      try before.create("/d/a").sync()
      let after = before.afterPowerCut()
      #expect(try after.status("/d")?.kind == .directory)
      seen.insert(try after.status("/d/a") != nil)
    }
    #expect(seen == [true, false])
  }

  @Test func aCrashEndsEverything() throws {
    let fileSystem = SimulatedFileSystem(seed: 1)
    let file = try fileSystem.create("/a")
    fileSystem.crash(at: 3)
    try file.sync()
    #expect(throws: FileError.self) { try file.sync() }
    #expect(throws: FileError.self) { _ = try fileSystem.status("/a") }
  }

  @Test func aFailedCallFailsOnce() throws {
    let fileSystem = SimulatedFileSystem(seed: 1)
    fileSystem.fail(at: 2, errno: ENOSPC)
    let file = try fileSystem.create("/a")
    do {
      try write(file, [1], at: 0)
      Issue.record("written")
    } catch let error as FileError { #expect(error.isDiskFull) }
    try write(file, [1], at: 0)
    #expect(try bytes(fileSystem, "/a") == [1])
  }

  @Test func locksExclude() throws {
    let fileSystem = SimulatedFileSystem(seed: 1)
    let lock = try fileSystem.lock("/lock", exclusive: true)
    #expect(throws: FileError.self) { _ = try fileSystem.lock("/lock", exclusive: false) }
    lock.release()
    let shared = try fileSystem.lock("/lock", exclusive: false)
    _ = try fileSystem.lock("/lock", exclusive: false)
    #expect(throws: FileError.self) { _ = try fileSystem.lock("/lock", exclusive: true) }
    shared.release()
  }
}
