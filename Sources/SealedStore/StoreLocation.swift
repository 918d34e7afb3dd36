internal import Foundation
internal import SealedLog

/// Where a store is asked for, and whether one can be there.
struct StoreLocation {
  private let url: URL

  init(_ url: URL) { self.url = url }

  /// The path of the root file.
  ///
  /// - Throws: `.invalidStoreURL` for what is no file URL.
  func path() throws(StoreError) -> String {
    guard url.isFileURL else {
      throw StoreError(.invalidStoreURL, "a store needs a file URL, not \(url.absoluteString)")
    }
    return url.standardizedFileURL.path
  }

  /// The path, after a look at what is there.
  ///
  /// - Throws: `.invalidStoreURL` with path and reason.
  func checkedPath() throws(StoreError) -> String {
    let path = try path()
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    let exists = unsafe files.fileExists(atPath: path, isDirectory: &isDirectory)
    if exists, isDirectory.boolValue {
      throw refusal(path, "is a directory; name a file in it")
    }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isParentDirectory: ObjCBool = false
    guard unsafe files.fileExists(atPath: parent, isDirectory: &isParentDirectory) else {
      throw refusal(path, "can't be made: there is no directory \(parent)")
    }
    guard isParentDirectory.boolValue else {
      throw refusal(path, "can't be made: \(parent) is no directory")
    }
    guard files.isWritableFile(atPath: parent) else {
      throw refusal(path, "can't be written: the directory \(parent) isn't writable")
    }
    if exists, !files.isWritableFile(atPath: path) {
      throw refusal(path, "isn't writable")
    }
    return path
  }

  /// The error of a medium that refuses to be written, such as one mounted for reading only, as a
  /// refusal of the place; any other as it is.
  func explained(_ error: StoreError) -> StoreError {
    let refusals: [POSIXErrorCode] = [.EACCES, .EPERM, .EROFS]
    guard error.code == .io, let number = error.errorNumber,
      refusals.contains(where: { $0.rawValue == number })
    else { return error }
    var explained = refusal(
      url.standardizedFileURL.path, "can't be written, the medium isn't writable: \(error.message)")
    explained.errorNumber = number
    return explained
  }

  private func refusal(_ path: String, _ reason: String) -> StoreError {
    StoreError(.invalidStoreURL, "the store \(path) \(reason)", file: path)
  }
}
