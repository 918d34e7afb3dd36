internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The advisory locks that this process holds, by device and inode.
///
/// `fcntl` locks belong to a process, not to a descriptor: a second open in the same process would
/// be granted the lock, and closing *any* descriptor of the file would drop it. So the registry is
/// asked first, and a lock file is opened by this code alone.
final class LockRegistry: Sendable {
  static let shared = LockRegistry()

  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private struct Holding {
    var exclusive: Bool
    var count: Int
    var descriptor: Int32
  }

  private let holdings = Mutex<[Identity: Holding]>([:])

  func acquire(_ path: String, exclusive: Bool) throws(FileError) -> any FileLock {
    // A lock file may be unlinked between the open and the lock; then the lock holds nothing.
    for _ in 0..<100 {
      if let lock = try attempt(path, exclusive: exclusive) { return lock }
    }
    throw FileError(.lock, path, errno: EAGAIN)
  }

  /// One try; nil where the name meanwhile stands for another file.
  private func attempt(_ path: String, exclusive: Bool) throws(FileError) -> (any FileLock)? {
    let outcome = holdings.withLock { holdings -> Result<PosixLock?, FileError> in
      if let identity = Self.identity(of: path), let held = holdings[identity] {
        guard !exclusive, !held.exclusive else {
          return .failure(FileError(.lock, path, errno: EAGAIN, holder: getpid()))
        }
        holdings[identity]?.count += 1
        return .success(PosixLock(registry: self, identity: identity))
      }
      return Self.lockFile(path, exclusive: exclusive).map { found in
        guard let (identity, descriptor) = found else { return nil }
        holdings[identity] = Holding(exclusive: exclusive, count: 1, descriptor: descriptor)
        return PosixLock(registry: self, identity: identity)
      }
    }
    return try outcome.get()
  }

  fileprivate func release(_ identity: Identity) {
    holdings.withLock { holdings in
      guard var held = holdings[identity] else { return }
      held.count -= 1
      if held.count > 0 {
        holdings[identity] = held
        return
      }
      holdings[identity] = nil
      // Closing drops the lock.
      _ = systemClose(held.descriptor)
    }
  }

  private static func lockFile(
    _ path: String, exclusive: Bool
  ) -> Result<(Identity, Int32)?, FileError> {
    let access = (exclusive ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW
    let descriptor = PosixFileSystem.openFile(path, access, 0o600)
    guard descriptor >= 0 else { return .failure(FileError(.lock, path, errno: errno)) }
    var request = flock()
    request.l_type = Int16(exclusive ? F_WRLCK : F_RDLCK)
    request.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(descriptor, F_SETLK, &request) == 0 else {
      let reason = errno
      var holder = request
      let known = unsafe fcntl(descriptor, F_GETLK, &holder) == 0
      _ = systemClose(descriptor)
      let process = known && holder.l_type != Int16(F_UNLCK) ? holder.l_pid : nil
      return .failure(FileError(.lock, path, errno: reason, holder: process))
    }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else {
      let reason = errno
      _ = systemClose(descriptor)
      return .failure(FileError(.lock, path, errno: reason))
    }
    let locked = Identity(
      device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
    guard identity(of: path) == locked else {
      _ = systemClose(descriptor)
      return .success(nil)
    }
    return .success((locked, descriptor))
  }

  private static func identity(of path: String) -> Identity? {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return nil }
    return Identity(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }
}

/// One holding of a lock.
final class PosixLock: FileLock {
  private let registry: LockRegistry
  private let identity: LockRegistry.Identity
  private let released = Atomic<Bool>(false)

  init(registry: LockRegistry, identity: LockRegistry.Identity) {
    self.registry = registry
    self.identity = identity
  }

  deinit { release() }

  func release() {
    if !released.exchange(true, ordering: .acquiringAndReleasing) { registry.release(identity) }
  }
}
