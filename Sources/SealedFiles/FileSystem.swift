/// The calls a store makes to the medium below it.
///
/// One implementation talks to POSIX; tests put a simulated one in its place that can lose what was
/// not synced, tear sectors and fail any call. Paths are UTF-8 strings as the system takes them.
/// Every call may be made from any thread.
public protocol FileSystem: Sendable {
  /// Makes a new file, readable and writable by its owner alone; fails where the name exists.
  func create(_ path: String) throws(FileError) -> any RandomAccessFile
  /// Opens an existing regular file; symbolic links are not followed.
  func open(_ path: String, writable: Bool) throws(FileError) -> any RandomAccessFile
  /// Removes a file's name.
  func unlink(_ path: String) throws(FileError)
  /// Gives the file at `source` a second name; fails where `target` exists.
  func link(_ source: String, to target: String) throws(FileError)
  /// Makes a directory, accessible by its owner alone.
  func makeDirectory(_ path: String) throws(FileError)
  /// Removes an empty directory.
  func removeDirectory(_ path: String) throws(FileError)
  /// Makes the names in a directory durable.
  func syncDirectory(_ path: String) throws(FileError)
  /// The names in a directory, sorted by their bytes, without `.` and `..`.
  func list(_ path: String) throws(FileError) -> [String]
  /// What stands at a path, or nil where nothing does; symbolic links are not followed.
  func status(_ path: String) throws(FileError) -> FileStatus?
  /// Takes an advisory lock on the file at `path`, making it if need be; never waits.
  ///
  /// - Throws: an error with `isLocked` where another process, or another holder in this one, has
  ///   the file; `holder` then names the process.
  func lock(_ path: String, exclusive: Bool) throws(FileError) -> any FileLock
}

/// What stands at a path.
public struct FileStatus: Sendable, Equatable {
  /// The kinds that a store tells apart.
  public enum Kind: Sendable { case regular, directory, other }
  /// What it is.
  public var kind: Kind
  /// Its length in bytes.
  public var size: UInt64

  /// A status of the given kind and size.
  public init(kind: Kind, size: UInt64) {
    self.kind = kind
    self.size = size
  }
}

/// An open file, read and written at positions.
public protocol RandomAccessFile: AnyObject, Sendable {
  /// Reads up to the buffer's size from `offset`; fewer bytes only where the file ends.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  /// Writes the whole buffer at `offset`.
  func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError)
  /// Makes what was written durable (`fdatasync`; `F_FULLFSYNC` on Darwin).
  func sync() throws(FileError)
  /// The length in bytes.
  func size() throws(FileError) -> UInt64
}

/// An advisory lock, held until it is released or its process ends.
public protocol FileLock: AnyObject, Sendable {
  /// Gives the lock up. A second call does nothing.
  func release()
}
