import Foundation
public import SealedFiles
import Synchronization

/// A file system in memory that can fail any call, lose what was not synced, and tear writes into
/// sectors. One seed is one run.
///
/// ```swift
/// let before = SimulatedFileSystem(seed: 1)
/// before.crash(at: 12)                  // the twelfth call, and all behind it, fail
/// try? work(before)
/// let after = before.afterPowerCut()    // another medium, with what such a cut may leave
/// ```
public final class SimulatedFileSystem: FileSystem {
  struct State: Sendable {
    var medium = SimulatedMedium()
    var random: SeededGenerator
    var operations = 0
    var crashOperation: Int?
    var failure: (first: Int, last: Int, errno: Int32)?
    var isRecording = false
    var images: [CrashImage] = []
    var locks: [String: Int] = [:]

    var isDead: Bool { crashOperation.map { operations >= $0 } ?? false }
  }

  /// What to print when a test fails.
  public let seed: UInt64
  let state: Mutex<State>

  /// An empty medium with the directory `/`.
  public init(seed: UInt64) {
    self.seed = seed
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  init(seed: UInt64, medium: SimulatedMedium, random: SeededGenerator) {
    self.seed = seed
    var state = State(random: random)
    state.medium = medium
    self.state = Mutex(state)
  }

  // MARK: What a test does

  /// How many calls changed the medium, or would have: those that `crash` and `fail` count.
  public var operationCount: Int { state.withLock { $0.operations } }

  /// Ends everything at a call: it is done in part or not at all, later ones not at all.
  public func crash(at operation: Int) { state.withLock { $0.crashOperation = operation } }

  /// Has one call fail with an error number; a write may have been done in part, a sync loses
  /// some of what it was for.
  public func fail(at operation: Int, errno: Int32) {
    state.withLock { $0.failure = (operation, operation, errno) }
  }

  /// Has a call and all behind it fail, until `heal`.
  public func failFrom(_ operation: Int, errno: Int32) {
    state.withLock { $0.failure = (operation, .max, errno) }
  }

  /// Ends what `fail` and `failFrom` began.
  public func heal() { state.withLock { $0.failure = nil } }

  /// From now on keeps, for every call that changes the medium, what a crash in it would leave.
  public func recordCrashes() { state.withLock { $0.isRecording = true } }

  /// What was kept, in the order of the calls.
  public var crashImages: [CrashImage] { state.withLock { $0.images } }

  /// Whether the bytes occur in any file, synced or not.
  public func contains(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      state.medium.inodes.values.contains { inode in
        Data(inode.content).range(of: Data(bytes)) != nil
          || Data(inode.durable).range(of: Data(bytes)) != nil
      }
    }
  }

  /// The medium as a new process finds it after a power cut.
  public func afterPowerCut() -> SimulatedFileSystem {
    state.withLock { state in
      let medium = state.medium.afterPowerCut(&state.random)
      return SimulatedFileSystem(seed: seed, medium: medium, random: state.random)
    }
  }

  /// The medium as a new process finds it after the end of this one: nothing is lost.
  public func afterKill() -> SimulatedFileSystem {
    state.withLock { state in
      SimulatedFileSystem(seed: seed, medium: state.medium, random: state.random)
    }
  }

  /// Changes a file's bytes, durably; nothing where there is no such file.
  public func damage(_ path: String, _ change: (inout [UInt8]) -> Void) {
    state.withLock { state in
      guard case .file(let number)? = state.medium.names[path] else { return }
      var content = state.medium.inodes[number]?.content ?? []
      change(&content)
      state.medium.inodes[number]?.content = content
      state.medium.inodes[number]?.sync()
    }
  }

  // MARK: Calls

  /// Counts a call that changes the medium; `partly` is what is done of it when it fails.
  func change<R>(
    _ operation: FileError.Operation, _ path: String,
    partly: (inout State) -> Void = { _ in },
    _ body: (inout State) -> Result<R, FileError>
  ) throws(FileError) -> R {
    let result = state.withLock { state -> Result<R, FileError> in
      guard !state.isDead else { return .failure(FileError(operation, path, errno: EIO)) }
      state.operations += 1
      if state.isRecording {
        // The copy shares its bytes with the medium until those are changed.
        var copy = state
        copy.images = []
        partly(&copy)
        state.images.append(
          CrashImage(
            operation: state.operations, call: "\(operation.rawValue) \(path)",
            medium: copy.medium))
      }
      if state.isDead {
        partly(&state)
        return .failure(FileError(operation, path, errno: EIO))
      }
      if let failure = state.failure, failure.first <= state.operations,
        state.operations <= failure.last
      {
        partly(&state)
        return .failure(FileError(operation, path, errno: failure.errno))
      }
      return body(&state)
    }
    return try result.get()
  }

  /// A call that only looks.
  func look<R>(
    _ operation: FileError.Operation, _ path: String, _ body: (State) -> Result<R, FileError>
  ) throws(FileError) -> R {
    let result = state.withLock { state -> Result<R, FileError> in
      state.isDead ? .failure(FileError(operation, path, errno: EIO)) : body(state)
    }
    return try result.get()
  }

  private static func missing(
    _ operation: FileError.Operation, _ path: String, in state: State
  ) -> FileError? {
    switch state.medium.names[SimulatedMedium.parent(path)] {
    case .directory: nil
    case .file: FileError(operation, path, errno: ENOTDIR)
    case nil: FileError(operation, path, errno: ENOENT)
    }
  }

  public func create(_ path: String) throws(FileError) -> any RandomAccessFile {
    let inode = try change(.create, path) { state -> Result<Int, FileError> in
      if let error = Self.missing(.create, path, in: state) { return .failure(error) }
      guard state.medium.names[path] == nil else {
        return .failure(FileError(.create, path, errno: EEXIST))
      }
      return .success(state.medium.makeFile(path))
    }
    return SimulatedFile(fileSystem: self, inode: inode, path: path, isWritable: true)
  }

  public func open(_ path: String, writable: Bool) throws(FileError) -> any RandomAccessFile {
    let inode = try look(.open, path) { state -> Result<Int, FileError> in
      switch state.medium.names[path] {
      case .file(let inode): .success(inode)
      case .directory: .failure(FileError(.open, path, errno: EISDIR))
      case nil: .failure(FileError(.open, path, errno: ENOENT))
      }
    }
    return SimulatedFile(fileSystem: self, inode: inode, path: path, isWritable: writable)
  }

  public func unlink(_ path: String) throws(FileError) {
    try change(.unlink, path) { state -> Result<Void, FileError> in
      guard case .file? = state.medium.names[path] else {
        return .failure(FileError(.unlink, path, errno: ENOENT))
      }
      state.medium.setName(path, nil)
      return .success(())
    }
  }

  public func link(_ source: String, to target: String) throws(FileError) {
    try change(.link, target) { state -> Result<Void, FileError> in
      guard let entry = state.medium.names[source], entry != .directory else {
        return .failure(FileError(.link, target, errno: ENOENT))
      }
      if let error = Self.missing(.link, target, in: state) { return .failure(error) }
      guard state.medium.names[target] == nil else {
        return .failure(FileError(.link, target, errno: EEXIST))
      }
      state.medium.setName(target, entry)
      return .success(())
    }
  }

  public func makeDirectory(_ path: String) throws(FileError) {
    try change(.makeDirectory, path) { state -> Result<Void, FileError> in
      if let error = Self.missing(.makeDirectory, path, in: state) { return .failure(error) }
      guard state.medium.names[path] == nil else {
        return .failure(FileError(.makeDirectory, path, errno: EEXIST))
      }
      state.medium.setName(path, .directory)
      return .success(())
    }
  }

  public func removeDirectory(_ path: String) throws(FileError) {
    try change(.removeDirectory, path) { state -> Result<Void, FileError> in
      guard state.medium.names[path] == .directory else {
        return .failure(FileError(.removeDirectory, path, errno: ENOENT))
      }
      guard state.medium.children(path).isEmpty else {
        return .failure(FileError(.removeDirectory, path, errno: ENOTEMPTY))
      }
      state.medium.setName(path, nil)
      return .success(())
    }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    try change(.syncDirectory, path) { state -> Result<Void, FileError> in
      guard state.medium.names[path] == .directory else {
        return .failure(FileError(.syncDirectory, path, errno: ENOENT))
      }
      state.medium.syncDirectory(path)
      return .success(())
    }
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    try look(.list, path) { state in
      guard state.medium.names[path] == .directory else {
        return .failure(FileError(.list, path, errno: ENOENT))
      }
      let skipped = path == "/" ? 1 : path.utf8.count + 1
      let names = state.medium.children(path).map { String($0.dropFirst(skipped)) }
      return .success(names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    }
  }

  public func status(_ path: String) throws(FileError) -> FileStatus? {
    try look(.status, path) { state in
      switch state.medium.names[path] {
      case .directory: .success(FileStatus(kind: .directory, size: 0))
      case .file(let inode):
        .success(
          FileStatus(
            kind: .regular, size: UInt64(state.medium.inodes[inode]?.content.count ?? 0)))
      case nil: .success(nil)
      }
    }
  }

  public func lock(_ path: String, exclusive: Bool) throws(FileError) -> any FileLock {
    try change(.lock, path) { state -> Result<Void, FileError> in
      if let error = Self.missing(.lock, path, in: state) { return .failure(error) }
      // -1 is an exclusive holder, a positive number that of shared ones.
      let holders = state.locks[path] ?? 0
      guard holders == 0 || (!exclusive && holders > 0) else {
        return .failure(FileError(.lock, path, errno: EAGAIN, holder: getpid()))
      }
      if state.medium.names[path] == nil {
        guard exclusive else { return .failure(FileError(.lock, path, errno: ENOENT)) }
        _ = state.medium.makeFile(path)
      }
      state.locks[path] = exclusive ? -1 : holders + 1
      return .success(())
    }
    return SimulatedLock(fileSystem: self, path: path)
  }

  func release(_ path: String) {
    state.withLock { state in
      let holders = state.locks[path] ?? 0
      state.locks[path] = holders > 1 ? holders - 1 : nil
    }
  }
}
