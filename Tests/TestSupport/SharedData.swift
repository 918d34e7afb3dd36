public import Foundation

/// Published vectors and real data that tests read; they are no part of the project.
///
/// In the directory that `SEALED_SHARED` names, or `shared` beside the package.
public enum SharedData {
  /// The directory, whether or not it is there.
  public static let directory: URL = {
    if let path = ProcessInfo.processInfo.environment["SEALED_SHARED"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared")
  }()

  /// The URL of a file in it, if it is there.
  public static func url(_ path: String) -> URL? {
    let url = directory.appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// Whether a file is there; where not, says which test didn't run for it.
  public static func has(_ path: String) -> Bool {
    if url(path) != nil { return true }
    print("not run: \(directory.appendingPathComponent(path).path) is not there (SEALED_SHARED)")
    return false
  }
}
