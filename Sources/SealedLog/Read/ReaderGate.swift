internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Lets readers use memory without retaining it, and a store lock wait for them.
///
/// Readers count themselves in one of sixteen counters, each on cache lines of its own. What they
/// do inside is short: a look-up, a step of a cursor to the next block.
@safe final class ReaderGate: @unchecked Sendable {
  private static let stripes = 16
  private static let stride = 128 / MemoryLayout<Atomic<Int>>.stride
  // Atomics in raw memory, freed with the last reference.
  private let counters: UnsafeMutablePointer<Atomic<Int>>
  private let closed = Atomic<Bool>(false)
  /// Counts the locks: a cursor made before one is no longer good.
  let generation = Atomic<Int>(0)

  init() {
    unsafe counters = .allocate(capacity: Self.stripes * Self.stride)
    for index in 0..<Self.stripes * Self.stride {
      unsafe (counters + index).initialize(to: Atomic(0))
    }
  }

  deinit { unsafe counters.deallocate() }

  @inline(__always)
  private var stripe: Int {
    // Threads' own memory lies apart by pages; which stripe it is doesn't matter, only that
    // threads differ.
    let thread = UInt(bitPattern: unsafe threadAddress())
    return Int(truncatingIfNeeded: (thread &>> 12) ^ (thread &>> 20)) & (Self.stripes &- 1)
  }

  /// Runs `body` inside the gate.
  ///
  /// - Throws: `.locked` while the gate is closed; what `body` throws.
  @inline(__always)
  func read<R: ~Copyable>(
    _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let counter = unsafe counters + stripe &* Self.stride
    unsafe counter.pointee.add(1, ordering: .sequentiallyConsistent)
    defer { unsafe counter.pointee.subtract(1, ordering: .releasing) }
    guard !closed.load(ordering: .sequentiallyConsistent) else {
      throw StoreError(.locked, "the store is locked; unlock it first")
    }
    return try body()
  }

  /// Refuses new readers and waits for those inside.
  func close() {
    closed.store(true, ordering: .sequentiallyConsistent)
    generation.add(1, ordering: .sequentiallyConsistent)
    for index in 0..<Self.stripes {
      let counter = unsafe counters + index * Self.stride
      while unsafe counter.pointee.load(ordering: .acquiring) != 0 { sched_yield() }
    }
  }

  func open() { closed.store(false, ordering: .sequentiallyConsistent) }
}

#if canImport(Darwin)
  @inline(__always)
  private func threadAddress() -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(pthread_self())
  }
#else
  @inline(__always)
  private func threadAddress() -> UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: UInt(pthread_self()))
  }
#endif
