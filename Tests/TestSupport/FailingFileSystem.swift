public import SealedFiles
internal import Synchronization

/// The POSIX file system with a switch: while it is on, whatever would take room on the medium
/// fails as on a full disk.
public final class FailingFileSystem: FileSystem {
  /// Whether the disk is full.
  public var isFull: Bool {
    get { full.load(ordering: .sequentiallyConsistent) }
    set { full.store(newValue, ordering: .sequentiallyConsistent) }
  }
  private let full = Atomic<Bool>(false)
  private let base = PosixFileSystem()
  /// `ENOSPC` on Linux and Darwin.
  private static let noSpace: Int32 = 28

  /// A file system that works.
  public init() {}

  fileprivate func check(
    _ operation: FileError.Operation, _ path: String
  ) throws(FileError) {
    if isFull { throw FileError(operation, path, errno: Self.noSpace) }
  }

  public func create(_ path: String) throws(FileError) -> any RandomAccessFile {
    try check(.create, path)
    return FailingFile(try base.create(path), path, self)
  }
  public func open(_ path: String, writable: Bool) throws(FileError) -> any RandomAccessFile {
    FailingFile(try base.open(path, writable: writable), path, self)
  }
  public func unlink(_ path: String) throws(FileError) { try base.unlink(path) }
  public func link(_ source: String, to target: String) throws(FileError) {
    try check(.link, target)
    try base.link(source, to: target)
  }
  public func makeDirectory(_ path: String) throws(FileError) {
    try check(.makeDirectory, path)
    try base.makeDirectory(path)
  }
  public func removeDirectory(_ path: String) throws(FileError) { try base.removeDirectory(path) }
  public func syncDirectory(_ path: String) throws(FileError) { try base.syncDirectory(path) }
  public func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
  public func status(_ path: String) throws(FileError) -> FileStatus? { try base.status(path) }
  public func lock(_ path: String, exclusive: Bool) throws(FileError) -> any FileLock {
    try base.lock(path, exclusive: exclusive)
  }
}

private final class FailingFile: RandomAccessFile {
  private let base: any RandomAccessFile
  private let path: String
  private let system: FailingFileSystem

  init(_ base: any RandomAccessFile, _ path: String, _ system: FailingFileSystem) {
    self.base = base
    self.path = path
    self.system = system
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  {
    try unsafe base.read(into: buffer, at: offset)
  }
  func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    try system.check(.write, path)
    try unsafe base.write(buffer, at: offset)
  }
  func sync() throws(FileError) {
    try system.check(.sync, path)
    try base.sync()
  }
  func size() throws(FileError) -> UInt64 { try base.size() }
}
