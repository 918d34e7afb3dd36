internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Tells the process that made it from the children that it forks, without a system call.
///
/// On Linux a page that the kernel wipes in a child (`MADV_WIPEONFORK`); elsewhere a counter that
/// `pthread_atfork` raises in the child.
@safe public final class ProcessMark: @unchecked Sendable {
  // One word, written once, then only read; the kernel zeroes it in a child.
  private let page: UnsafeMutablePointer<UInt32>?
  private static let pageSize = 4096
  /// `MADV_WIPEONFORK`, which Glibc's module lacks.
  private static let wipeOnFork: Int32 = 18
  /// The process that made the mark.
  public let process: Int32
  private let generation: UInt64

  /// A mark of this process.
  public init() {
    process = getpid()
    generation = ForkCounter.current
    #if os(Linux)
      let memory = unsafe mmap(
        nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if let memory = unsafe memory, unsafe memory != MAP_FAILED {
        if unsafe madvise(memory, Self.pageSize, Self.wipeOnFork) == 0 {
          unsafe page = memory.bindMemory(to: UInt32.self, capacity: 1)
          unsafe page?.pointee = 1
          return
        }
        // A kernel before 4.14.
        unsafe munmap(memory, Self.pageSize)
      }
    #endif
    unsafe page = nil
  }

  deinit {
    if let page = unsafe page { unsafe munmap(page, Self.pageSize) }
  }

  /// Whether this is a child of the process that made the mark.
  @inline(__always)
  public var isForeign: Bool {
    if let page = unsafe page { return unsafe page.pointee == 0 }
    return generation != ForkCounter.current
  }
}

/// How often this process and its forebears were forked, where no page tells.
private enum ForkCounter {
  private static let count = Atomic<UInt64>(0)
  // Registered once, for the life of the process.
  private static let isWatching = pthread_atfork(nil, nil) {
    ForkCounter.count.add(1, ordering: .relaxed)
  }

  static var current: UInt64 {
    _ = isWatching
    return count.load(ordering: .relaxed)
  }
}
