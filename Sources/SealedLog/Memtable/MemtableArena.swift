#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The memory of one memtable: entries written once, never moved, behind each other.
///
///     commit 8 · older entry 4 · value length 4 · key length 2 · kind 1 · 0 1 · keyspace 4 · key
///     · value, padded to 8
///
/// An entry is named by its offset divided by eight, in 32 bits; zero names none.
@safe struct MemtableArena: ~Copyable {
  static let headerSize = 24

  let base: UnsafeMutableRawPointer
  let capacity: Int
  var top = 64

  /// An arena of the given size; its pages are taken as they are touched.
  init(capacity: Int) throws(StoreError) {
    self.capacity = capacity
    unsafe base = try mapMemory(capacity)
  }

  deinit {
    unsafe memset(base, 0, top)
    unsafe munmap(base, capacity)
  }

  static func entrySize(key: Int, value: Int) -> Int { (headerSize + key + value + 7) & ~7 }

  @inline(__always)
  func address(_ reference: UInt32) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(base + Int(reference) &<< 3)
  }
}

/// Zeroed memory straight from the system.
///
/// - Throws: `.io` where the system has none to give; nothing of the store has changed.
func mapMemory(_ count: Int) throws(StoreError) -> UnsafeMutableRawPointer {
  let memory = unsafe mmap(
    nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
    let number = errno
    var error = StoreError(
      .io,
      "the system has no \(count) bytes for a memtable; free memory, or open the store with "
        + "a smaller memtableSize")
    error.errorNumber = number
    throw error
  }
  return unsafe memory
}

/// An entry in an arena.
@unsafe struct MemtableEntry {
  let address: UnsafeRawPointer

  @inline(__always) var commit: UInt64 { unsafe address.load(as: UInt64.self) }
  @inline(__always) var older: UInt32 { unsafe address.load(fromByteOffset: 8, as: UInt32.self) }
  @inline(__always) var valueCount: Int {
    Int(unsafe address.load(fromByteOffset: 12, as: UInt32.self))
  }
  @inline(__always) var keyCount: Int {
    Int(unsafe address.load(fromByteOffset: 16, as: UInt16.self))
  }
  @inline(__always) var kind: UInt8 { unsafe address.load(fromByteOffset: 18, as: UInt8.self) }
  @inline(__always) var keyspace: UInt32 {
    unsafe address.load(fromByteOffset: 20, as: UInt32.self)
  }
  @inline(__always) var keyAddress: UnsafeRawPointer {
    unsafe address + MemtableArena.headerSize
  }
  @inline(__always) var key: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: keyAddress, count: keyCount)
  }
  @inline(__always) var value: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: keyAddress + keyCount, count: valueCount)
  }
}
