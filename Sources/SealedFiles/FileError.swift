#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What a call to the file system failed with.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operation that failed.
  public enum Operation: String, Sendable {
    case create, open, read, write, sync, size, close, unlink, link, list, status, lock
    case makeDirectory = "make directory"
    case removeDirectory = "remove directory"
    case syncDirectory = "sync directory"
  }

  /// The operation that failed.
  public var operation: Operation
  /// The path as the caller gave it.
  public var path: String
  /// The system's error number (`errno`).
  public var errno: Int32
  /// The process that holds the lock, where `operation` is `.lock` and it is known.
  public var holder: Int32?

  /// An error of one call.
  public init(_ operation: Operation, _ path: String, errno: Int32, holder: Int32? = nil) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.holder = holder
  }

  /// Whether the path does not exist.
  public var isNotFound: Bool { errno == ENOENT }
  /// Whether the path exists already.
  public var isExisting: Bool { errno == EEXIST }
  /// Whether the medium has no room left (or the quota is used up).
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }
  /// Whether another holder has the lock.
  public var isLocked: Bool { operation == .lock && (errno == EAGAIN || errno == EACCES) }

  public var description: String {
    let reason = unsafe String(cString: strerror(errno))
    return "cannot \(operation.rawValue) \(path): \(reason) (errno \(errno))"
  }
}
