public import Foundation

/// A directory of its own that is removed when the last reference goes.
public final class TemporaryDirectory: Sendable {
  /// The directory.
  public let url: URL

  /// Makes an empty directory in the system's place for temporary files.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sealed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch {
      print("could not remove \(url.path): \(error)")
    }
  }

  /// The path of a name in the directory.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
