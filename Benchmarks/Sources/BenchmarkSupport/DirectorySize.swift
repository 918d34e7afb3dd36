internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Space that the files below a directory take.
public struct DirectorySize: Codable, Sendable, Equatable {
  /// Bytes of blocks that the file system gave to all files.
  public var total = 0
  /// The same without log files.
  public var withoutLogs = 0

  /// Adds up the files below a directory.
  ///
  /// - Parameter isLog: Whether a file's name is that of a log.
  public init(of directory: String, isLog: (String) -> Bool) {
    guard let walk = FileManager.default.enumerator(atPath: directory) else { return }
    for case let name as String in walk {
      var status = stat()
      guard unsafe lstat("\(directory)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      let bytes = Int(status.st_blocks) * 512
      total += bytes
      if !isLog((name as NSString).lastPathComponent) { withoutLogs += bytes }
    }
  }
}
