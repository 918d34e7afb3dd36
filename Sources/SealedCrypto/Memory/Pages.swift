internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Memory straight from the system, zeroed before it goes back.
///
/// The bytes end where the last page ends (but for alignment), so that what runs over them meets a
/// page that nobody may touch.
///
/// Unchecked, as its own fields are written in `init` alone; what lies at `base` is its owner's.
@safe package final class Pages: @unchecked Sendable {
  /// What the memory is for.
  package enum Use {
    /// Keys: locked into memory, with a page on either side that stops whoever strays there.
    case secrets
    /// Large and short-lived: not locked, for the limit would hardly suffice.
    case scratch
  }

  /// Where the bytes begin; a multiple of 64.
  package var base: UnsafeMutableRawPointer { unsafe start + (mapped - guardSize - room) }

  private let start: UnsafeMutableRawPointer
  private let mapped: Int
  private let room: Int
  private let guardSize: Int
  private let isLocked: Bool

  /// Bytes for keys that the system would not lock, of all that live now.
  private static let unlockedBytes = Atomic<Int>(0)
  /// Bytes for keys that are locked, of all that live now.
  private static let lockedBytes = Atomic<Int>(0)

  package static var lockedCount: Int { lockedBytes.load(ordering: .relaxed) }
  package static var unlockedCount: Int { unlockedBytes.load(ordering: .relaxed) }

  /// Zeros.
  ///
  /// - Throws: `.outOfMemory`.
  package init(count: Int, use: Use) throws(CryptoError) {
    let pageSize = Int(getpagesize())
    room = max(64, (count + 63) & ~63)
    let pages = (room + pageSize - 1) / pageSize * pageSize
    guardSize = use == .secrets ? pageSize : 0
    mapped = pages + 2 * guardSize
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
    #endif
    let map = unsafe mmap(nil, mapped, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let map = unsafe map, unsafe map != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw CryptoError(.outOfMemory, "the system has no \(mapped) bytes (errno \(errno))")
    }
    unsafe start = map
    if use == .secrets {
      let first = unsafe mprotect(map, guardSize, PROT_NONE)
      let last = unsafe mprotect(map + (mapped - guardSize), guardSize, PROT_NONE)
      guard first == 0, last == 0 else {
        let code = errno
        unsafe munmap(map, mapped)
        throw CryptoError(.outOfMemory, "the system guards no pages (errno \(code))")
      }
    }
    let body = unsafe map + guardSize
    isLocked = unsafe use == .secrets && mlock(body, pages) == 0
    if use == .secrets { Self.count(pages, isLocked: isLocked) }
    #if os(Linux) || os(Android)
      // Neither is a promise: a kernel that doesn't know them refuses, and the bytes stay as usable.
      _ = unsafe madvise(body, pages, MADV_DONTDUMP)
      _ = unsafe madvise(body, pages, MADV_WIPEONFORK)
      if use == .scratch { _ = unsafe madvise(body, pages, MADV_HUGEPAGE) }
    #endif
  }

  deinit {
    let body = unsafe start + guardSize
    let pages = mapped - 2 * guardSize
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: body, count: pages))
    if guardSize > 0 { Self.count(-pages, isLocked: isLocked) }
    // Unmapping unlocks.
    unsafe munmap(start, mapped)
  }

  private static func count(_ bytes: Int, isLocked: Bool) {
    if isLocked {
      lockedBytes.wrappingAdd(bytes, ordering: .relaxed)
    } else {
      unlockedBytes.wrappingAdd(bytes, ordering: .relaxed)
    }
  }
}
