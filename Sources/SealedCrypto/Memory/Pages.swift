internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Memory straight from the system, zeroed before it goes back.
///
/// The bytes end where the last page ends (but for alignment), so that what runs over them meets the
/// page behind.
///
/// Unchecked, as its own fields are written in `init` alone; what lies at `base` is its owner's.
@safe package final class Pages: @unchecked Sendable {
  /// Where the bytes begin; a multiple of 64.
  package let base: UnsafeMutableRawPointer
  /// How many bytes there are, a multiple of 64.
  package let count: Int

  private let map: UnsafeMutableRawPointer
  private let mapSize: Int
  private let kind: Kind

  private enum Kind {
    case scratch
    /// Keys; counted in `bytes`.
    case secrets(isLocked: Bool)
    /// Keys on the ordinary heap, for want of anything better.
    case heap
  }

  /// Bytes of pages for keys that live now.
  private static let lockedBytes = Atomic<Int>(0)
  private static let unlockedBytes = Atomic<Int>(0)

  /// Bytes of pages for keys that are locked into memory.
  package static var lockedCount: Int { lockedBytes.load(ordering: .relaxed) }
  /// Bytes of pages for keys that the system would not lock.
  package static var unlockedCount: Int { unlockedBytes.load(ordering: .relaxed) }

  /// Zeros for keys: locked into memory, kept out of core dumps and wiped in a forked child where
  /// the system does that, between two pages that nobody may touch.
  package init(secrets count: Int) {
    self.count = Self.rounded(count)
    let size = Self.pageSize
    let body = (self.count + size - 1) / size * size
    guard let map = unsafe Self.map(body + 2 * size),
      unsafe mprotect(map, size, PROT_NONE) == 0,
      unsafe mprotect(map + size + body, size, PROT_NONE) == 0
    else {
      mapSize = self.count
      unsafe base = .allocate(byteCount: self.count, alignment: 64)
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: self.count)
      unsafe self.map = unsafe base
      kind = .heap
      Self.unlockedBytes.add(self.count, ordering: .relaxed)
      return
    }
    unsafe self.map = map
    mapSize = body + 2 * size
    unsafe base = map + size + (body - self.count)
    let isLocked = unsafe mlock(map + size, body) == 0
    kind = .secrets(isLocked: isLocked)
    Self.counter(isLocked) { $0.add(body, ordering: .relaxed) }
    unsafe Self.protect(map + size, body)
  }

  /// Zeros for much and short-lived work: not locked, for the limit would hardly suffice.
  ///
  /// - Throws: `.outOfMemory`.
  package init(scratch count: Int) throws(CryptoError) {
    self.count = Self.rounded(count)
    let size = Self.pageSize
    mapSize = (self.count + size - 1) / size * size
    guard let map = unsafe Self.map(mapSize) else {
      throw CryptoError(.outOfMemory, "the system has no \(mapSize) bytes (errno \(errno))")
    }
    unsafe self.map = map
    unsafe base = map + (mapSize - self.count)
    kind = .scratch
    unsafe Self.protect(map, mapSize)
    #if os(Linux) || os(Android)
      // Fewer, larger pages make look-ups all over the memory faster; a kernel may decline.
      _ = unsafe madvise(map, mapSize, MADV_HUGEPAGE)
    #endif
  }

  deinit {
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: base, count: count))
    switch kind {
    case .heap:
      unsafe map.deallocate()
      Self.unlockedBytes.subtract(count, ordering: .relaxed)
    case .scratch: unsafe munmap(map, mapSize)
    case .secrets(let isLocked):
      // Unmapping unlocks.
      unsafe munmap(map, mapSize)
      let body = mapSize - 2 * Self.pageSize
      Self.counter(isLocked) { $0.subtract(body, ordering: .relaxed) }
    }
  }

  // MARK: The system's part

  private static let pageSize = Int(getpagesize())

  private static func rounded(_ count: Int) -> Int { max(64, (count + 63) & ~63) }

  private static func counter(_ isLocked: Bool, _ body: (borrowing Atomic<Int>) -> Void) {
    if isLocked { body(lockedBytes) } else { body(unlockedBytes) }
  }

  /// Fresh zeros, or nil.
  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
    #endif
    let map = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    // MAP_FAILED is -1.
    return unsafe map == UnsafeMutableRawPointer(bitPattern: -1) ? nil : map
  }

  /// Keeps pages out of core dumps and forked children. Neither is a promise: a kernel that doesn't
  /// know the advice refuses it, and the bytes are as usable.
  private static func protect(_ pages: UnsafeMutableRawPointer, _ size: Int) {
    #if os(Linux) || os(Android)
      _ = unsafe madvise(pages, size, MADV_DONTDUMP)
      _ = unsafe madvise(pages, size, MADV_WIPEONFORK)
    #endif
  }
}
