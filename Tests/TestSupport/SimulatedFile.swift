import Foundation
import SealedFiles
import Synchronization

/// An open file of a simulated file system.
final class SimulatedFile: RandomAccessFile {
  private let fileSystem: SimulatedFileSystem
  private let inode: Int
  private let path: String
  private let isWritable: Bool

  init(fileSystem: SimulatedFileSystem, inode: Int, path: String, isWritable: Bool) {
    self.fileSystem = fileSystem
    self.inode = inode
    self.path = path
    self.isWritable = isWritable
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    let bytes = try fileSystem.look(.read, path) { state -> Result<[UInt8], FileError> in
      let content = state.medium.inodes[inode]?.content ?? []
      let start = min(Int(offset), content.count)
      return .success(Array(content[start..<min(start + buffer.count, content.count)]))
    }
    unsafe buffer.copyBytes(from: bytes)
    return bytes.count
  }

  func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    guard isWritable else { throw FileError(.write, path, errno: EBADF) }
    let (bytes, start) = (unsafe Array(buffer), Int(offset))
    let size = SimulatedMedium.sectorSize
    try fileSystem.change(.write, path) { state in
      // Any of the sectors: a write need not be done from front to back.
      var position = 0
      while position < bytes.count {
        let next = min(bytes.count, ((start + position) / size + 1) * size - start)
        if Bool.random(using: &state.random) {
          state.medium.inodes[inode]?.write(
            Array(bytes[position..<next]), at: start + position)
        }
        position = next
      }
    } _: { state -> Result<Void, FileError> in
      state.medium.inodes[inode]?.write(bytes, at: start)
      return .success(())
    }
  }

  func sync() throws(FileError) {
    try fileSystem.change(.sync, path) { state in
      state.medium.inodes[inode]?.failSync(&state.random)
    } _: { state -> Result<Void, FileError> in
      state.medium.inodes[inode]?.sync()
      return .success(())
    }
  }

  func size() throws(FileError) -> UInt64 {
    try fileSystem.look(.size, path) { state in
      .success(UInt64(state.medium.inodes[inode]?.content.count ?? 0))
    }
  }
}

/// A lock of a simulated file system.
final class SimulatedLock: FileLock {
  private let fileSystem: SimulatedFileSystem
  private let path: String
  private let isReleased = Mutex(false)

  init(fileSystem: SimulatedFileSystem, path: String) {
    self.fileSystem = fileSystem
    self.path = path
  }

  deinit { release() }

  func release() {
    let wasReleased = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return isReleased
    }
    if !wasReleased { fileSystem.release(path) }
  }
}
