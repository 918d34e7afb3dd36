#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The file system of the running system.
public struct PosixFileSystem: FileSystem {
  /// The one there is; it has no state.
  public init() {}

  public func create(_ path: String) throws(FileError) -> any RandomAccessFile {
    let descriptor = try Self.retry(.create, path) {
      Self.openFile(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    return PosixFile(descriptor: descriptor, path: path)
  }

  public func open(_ path: String, writable: Bool) throws(FileError) -> any RandomAccessFile {
    let access = writable ? O_RDWR : O_RDONLY
    // O_NONBLOCK: a fifo put in a store's place must not hang the open.
    let descriptor = try Self.retry(.open, path) {
      Self.openFile(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    }
    return PosixFile(descriptor: descriptor, path: path)
  }

  public func unlink(_ path: String) throws(FileError) {
    _ = try Self.retry(.unlink, path) { systemUnlink(path) }
  }

  public func link(_ source: String, to target: String) throws(FileError) {
    _ = try Self.retry(.link, target) { systemLink(source, target) }
  }

  public func makeDirectory(_ path: String) throws(FileError) {
    _ = try Self.retry(.makeDirectory, path) { unsafe mkdir(path, 0o700) }
  }

  public func removeDirectory(_ path: String) throws(FileError) {
    _ = try Self.retry(.removeDirectory, path) { unsafe rmdir(path) }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    let descriptor = try Self.retry(.syncDirectory, path) {
      Self.openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    defer { _ = systemClose(descriptor) }
    _ = try Self.retry(.syncDirectory, path) { fsync(descriptor) }
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    guard let directory = unsafe opendir(path) else {
      throw FileError(.list, path, errno: errno)
    }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        guard errno == 0 else { throw FileError(.list, path, errno: errno) }
        break
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  public func status(_ path: String) throws(FileError) -> FileStatus? {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(.status, path, errno: errno)
    }
    let kind: FileStatus.Kind =
      switch information.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    return FileStatus(kind: kind, size: UInt64(max(0, information.st_size)))
  }

  public func lock(_ path: String, exclusive: Bool) throws(FileError) -> any FileLock {
    try LockRegistry.shared.acquire(path, exclusive: exclusive)
  }

  static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Darwin)
      unsafe Darwin.open(path, flags, mode)
    #else
      unsafe Glibc.open(path, flags, mode)
    #endif
  }

  /// Repeats a call that a signal interrupted.
  static func retry(
    _ operation: FileError.Operation, _ path: String, _ call: () -> Int32
  ) throws(FileError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw FileError(operation, path, errno: errno) }
    }
  }
}

func systemUnlink(_ path: String) -> Int32 { unsafe unlink(path) }
func systemLink(_ source: String, _ target: String) -> Int32 { unsafe link(source, target) }
func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
