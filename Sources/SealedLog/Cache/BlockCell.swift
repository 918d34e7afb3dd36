internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Where one block of a table is in memory, if it is: one atomic word that holds the address, how
/// many readers have it pinned, and two flags.
///
///     address / 64 (42 bits) · doomed 1 · used 1 · pins 20
///
/// A reader pins by one compare-and-swap and can't be handed freed memory, since the count and the
/// address change together. A doomed block is freed, and zeroed, by whoever drops its last pin.
@unsafe struct BlockCell {
  static let pinMask: UInt64 = (1 << 20) - 1
  static let usedBit: UInt64 = 1 << 20
  static let doomedBit: UInt64 = 1 << 21
  private static let addressShift: UInt64 = 22

  let word: UnsafeMutablePointer<Atomic<UInt64>>

  @inline(__always)
  static func address(_ value: UInt64) -> UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: UInt((value &>> addressShift) &<< 6))
  }

  /// Pins the block and gives its address; nil where it isn't in memory, or on its way out.
  @inline(__always)
  func pin() -> UnsafeMutableRawPointer? {
    var value = unsafe word.pointee.load(ordering: .acquiring)
    while value != 0, unsafe value & Self.doomedBit == 0, unsafe value & Self.pinMask < Self.pinMask
    {
      let next = unsafe (value &+ 1) | Self.usedBit
      let (exchanged, original) = unsafe word.pointee.compareExchange(
        expected: value, desired: next, ordering: .acquiring)
      if exchanged { return unsafe Self.address(value) }
      value = original
    }
    return nil
  }

  /// Drops a pin.
  @inline(__always)
  func unpin() {
    let (_, value) = unsafe word.pointee.subtract(1, ordering: .acquiringAndReleasing)
    if unsafe _slowPath(value & (Self.doomedBit | Self.pinMask) == Self.doomedBit) {
      unsafe reclaim(value)
    }
  }

  /// Publishes a block that was read, pinned once; false where another was quicker.
  func publish(_ block: UnsafeMutableRawPointer) -> Bool {
    let value = unsafe (UInt64(UInt(bitPattern: block)) &>> 6) &<< Self.addressShift
    return unsafe word.pointee.compareExchange(
      expected: 0, desired: value | Self.usedBit | 1, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// What a try to take a block out of memory came to.
  enum Eviction { case evicted, pinned, used, absent }

  /// Takes the block out unless it is pinned, or was used since the last try.
  func evict(sparingUsed: Bool) -> Eviction {
    var value = unsafe word.pointee.load(ordering: .relaxed)
    while true {
      if unsafe value == 0 || value & Self.doomedBit != 0 { return .absent }
      if unsafe value & Self.pinMask != 0 { return .pinned }
      let spared = unsafe sparingUsed && value & Self.usedBit != 0
      let (exchanged, original) = unsafe word.pointee.compareExchange(
        expected: value, desired: spared ? value & ~Self.usedBit : 0,
        ordering: .acquiringAndReleasing)
      if exchanged {
        if spared { return .used }
        if let block = unsafe Self.address(value) { unsafe BlockMemory.free(block) }
        return .evicted
      }
      value = original
    }
  }

  /// Takes the block out now, or as soon as its last pin is dropped.
  func doom() {
    var value = unsafe word.pointee.load(ordering: .relaxed)
    while value != 0, unsafe value & Self.doomedBit == 0 {
      let (exchanged, original) = unsafe word.pointee.compareExchange(
        expected: value, desired: value | Self.doomedBit, ordering: .acquiringAndReleasing)
      if exchanged {
        if unsafe value & Self.pinMask == 0 { unsafe reclaim(value | Self.doomedBit) }
        return
      }
      value = original
    }
  }

  /// Frees a doomed block without pins; of several that try, one does.
  private func reclaim(_ value: UInt64) {
    var value = value
    while unsafe value & Self.doomedBit != 0, unsafe value & Self.pinMask == 0 {
      let (exchanged, original) = unsafe word.pointee.compareExchange(
        expected: value, desired: 0, ordering: .acquiringAndReleasing)
      if exchanged {
        if let block = unsafe Self.address(value) { unsafe BlockMemory.free(block) }
        return
      }
      value = original
    }
  }
}

/// The memory of one opened block: its size, then the plaintext.
///
///     capacity 8 · count 8 · 0 48 · plaintext
enum BlockMemory {
  static let headerSize = 64

  static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    // Room behind the end, so that a load of eight bytes at the last entry stays inside.
    let capacity = headerSize + ((count + 16 + 63) & ~63)
    let block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
    unsafe block.storeBytes(of: capacity, as: Int.self)
    unsafe block.storeBytes(of: count, toByteOffset: 8, as: Int.self)
    unsafe memset(block + headerSize + count, 0, capacity - headerSize - count)
    return unsafe block
  }

  static func size(_ block: UnsafeRawPointer) -> Int { unsafe block.load(as: Int.self) }
  static func count(_ block: UnsafeRawPointer) -> Int {
    unsafe block.load(fromByteOffset: 8, as: Int.self)
  }

  static func free(_ block: UnsafeMutableRawPointer) {
    unsafe memset(block, 0, size(block))
    unsafe block.deallocate()
  }
}

/// A block that its holder may read: pinned in the cache, or the holder's own.
@safe struct BlockPin: ~Copyable {
  let block: UnsafeMutableRawPointer
  private let cell: UnsafeMutablePointer<Atomic<UInt64>>?

  init(block: UnsafeMutableRawPointer, cell: UnsafeMutablePointer<Atomic<UInt64>>?) {
    unsafe self.block = block
    unsafe self.cell = cell
  }

  deinit {
    if let cell = unsafe cell {
      unsafe BlockCell(word: cell).unpin()
    } else {
      unsafe BlockMemory.free(block)
    }
  }

  /// The plaintext.
  @inline(__always)
  var plaintext: UnsafeRawPointer { unsafe UnsafeRawPointer(block + BlockMemory.headerSize) }
  var count: Int { unsafe BlockMemory.count(block) }
}
