internal import SealedFiles

/// Erasing a store: a tombstone over both root copies, synced, then every file, the root last.
///
/// - Invariant: from the first tombstone's sync on nothing opens the store; at every moment before
///   the root is gone a second call finishes the work.
struct StoreEraser {
  let path: String
  let fileSystem: any FileSystem

  private var directory: String { StoreFiles.directory(of: path) }

  func erase() throws(StoreError) {
    guard let status = try onMedium({ () throws(FileError) in try fileSystem.status(path) })
    else { return }
    guard status.kind == .regular else {
      throw StoreError(.notAStore, "what stands at the path is no file", file: path)
    }
    let file = try onMedium { () throws(FileError) in
      try fileSystem.open(path, writable: true)
    }
    let hasDirectory =
      try onMedium { () throws(FileError) in
        try fileSystem.status(directory)
      }?.kind == .directory
    var lock: (any FileLock)?
    if hasDirectory {
      lock = try onMedium { () throws(FileError) in
        try fileSystem.lock(directory + "/LOCK", exclusive: true)
      }
    }
    defer { lock?.release() }
    let storeID = try RootFile.bury(file, path: path, magic: StoreCreation.magic)
    try removeBlobs(storeID)
    if hasDirectory { try removeDirectory(storeID) }
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(StoreFiles.parent(of: path))
      try fileSystem.unlink(path)
      try fileSystem.syncDirectory(StoreFiles.parent(of: path))
    }
  }

  /// Blobs first: the lock, which is in the other directory, is held until they are gone.
  private func removeBlobs(_ storeID: StoreID) throws(StoreError) {
    let blobs = StoreFiles.blobDirectory(of: path)
    guard try onMedium({ () throws(FileError) in try fileSystem.status(blobs) })?.kind == .directory
    else { return }
    var others = 0
    for name in try onMedium({ () throws(FileError) in try fileSystem.list(blobs) }) {
      guard BlobFile(name: name) != nil, try belongs(blobs + "/" + name, to: storeID) else {
        others += 1
        continue
      }
      try onMedium { () throws(FileError) in try fileSystem.unlink(blobs + "/" + name) }
    }
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(blobs)
      if others == 0 { try fileSystem.removeDirectory(blobs) }
    }
  }

  private func removeDirectory(_ storeID: StoreID) throws(StoreError) {
    let names = try onMedium { () throws(FileError) in try fileSystem.list(directory) }
    var others = 0
    for name in names where name != "LOCK" {
      var isOurs = name == "creating"
      if StoreFiles.parse(name: name) != nil {
        isOurs = try belongs(directory + "/" + name, to: storeID)
      }
      if isOurs {
        try onMedium { () throws(FileError) in try fileSystem.unlink(directory + "/" + name) }
      } else {
        others += 1
      }
    }
    try onMedium { () throws(FileError) in
      try fileSystem.syncDirectory(directory)
      guard others == 0 else { return }
      try fileSystem.unlink(directory + "/LOCK")
      try fileSystem.syncDirectory(directory)
      try fileSystem.removeDirectory(directory)
    }
  }

  /// Whether a file's clear header is this store's, or was never written.
  private func belongs(_ path: String, to storeID: StoreID) throws(StoreError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: FileHeader.byteCount)
    let count = try onMedium { () throws(FileError) in
      let file = try fileSystem.open(path, writable: false)
      return unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: 0)
      }
    }
    if bytes.allSatisfy({ $0 == 0 }) { return true }
    guard count == FileHeader.byteCount else { return false }
    // Magic, kind and flags aside: the store id alone says whose the file is.
    return Array(bytes[0..<8]) == FileHeader.magic && Array(bytes[24..<40]) == storeID.bytes
  }
}
