#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file descriptor, closed when the last reference goes.
final class PosixFile: RandomAccessFile {
  private let descriptor: Int32
  private let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { _ = systemClose(descriptor) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = unsafe pread(descriptor, base + done, buffer.count - done, Int(offset) + done)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(.read, path, errno: errno)
      }
      done += count
    }
    return done
  }

  func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let count = unsafe pwrite(descriptor, base + done, buffer.count - done, Int(offset) + done)
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(.write, path, errno: errno)
      }
      if count == 0 { throw FileError(.write, path, errno: ENOSPC) }
      done += count
    }
  }

  func sync() throws(FileError) {
    // Never repeated after a failure: the system may have dropped the dirty pages by then, and a
    // second call would report success for bytes that are gone.
    #if canImport(Darwin)
      let result = fcntl(descriptor, F_FULLFSYNC)
    #else
      let result = fdatasync(descriptor)
    #endif
    if result != 0 { throw FileError(.sync, path, errno: errno) }
  }

  func size() throws(FileError) -> UInt64 {
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else {
      throw FileError(.size, path, errno: errno)
    }
    return UInt64(max(0, information.st_size))
  }
}
