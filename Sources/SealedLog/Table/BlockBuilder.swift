#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Gathers entries in key order and lays them out as a data block.
@safe struct BlockBuilder: ~Copyable {
  /// A block is closed once its entries take this many bytes.
  static let targetSize = 4096
  /// The same where blocks are compressed: four times as many save a tenth more.
  static let compressedTargetSize = 16 << 10
  /// What an entry costs besides key and value, about.
  private static let entryOverhead = 8

  private struct Pending {
    var offset: Int
    var keyCount: Int
    var valueCount: Int
    var commit: UInt64
    var kind: UInt8
  }

  // Keys and values of the block to be, behind each other.
  private var scratch: UnsafeMutableRawPointer
  private var scratchCapacity: Int
  private var scratchCount = 0
  private var pending: [Pending] = []
  private var isVersioned = false
  private let targetSize: Int

  init(targetSize: Int = Self.targetSize) {
    self.targetSize = targetSize
    scratchCapacity = 16 << 10
    unsafe scratch = .allocate(byteCount: scratchCapacity, alignment: 64)
    pending.reserveCapacity(512)
  }

  deinit {
    unsafe memset(scratch, 0, scratchCapacity)
    unsafe scratch.deallocate()
  }

  var count: Int { pending.count }
  var isFull: Bool {
    scratchCount + pending.count * Self.entryOverhead >= targetSize
  }

  var firstKey: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: scratch, count: pending[0].keyCount)
  }
  var lastKey: UnsafeRawBufferPointer {
    let last = pending[pending.count - 1]
    return unsafe UnsafeRawBufferPointer(start: scratch + last.offset, count: last.keyCount)
  }

  /// Adds an entry; keys ascend, and of one key the newer commit comes first.
  @inline(__always)
  mutating func add(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, kind: UInt8, commit: UInt64
  ) {
    let needed = scratchCount &+ key.count &+ value.count
    if _slowPath(needed > scratchCapacity) { grow(to: needed) }
    let target = unsafe scratch + scratchCount
    if let source = key.baseAddress { unsafe memcpy(target, source, key.count) }
    if value.count > 0, let source = value.baseAddress {
      unsafe memcpy(target + key.count, source, value.count)
    }
    pending.append(
      Pending(
        offset: scratchCount, keyCount: key.count, valueCount: value.count, commit: commit,
        kind: kind))
    if commit != 0 || kind != OperationKind.put.rawValue { isVersioned = true }
    scratchCount = needed
  }

  private mutating func grow(to needed: Int) {
    let capacity = max(needed, scratchCapacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
    unsafe memcpy(larger, scratch, scratchCount)
    unsafe memset(scratch, 0, scratchCapacity)
    unsafe scratch.deallocate()
    unsafe scratch = larger
    scratchCapacity = capacity
  }

  /// The most bytes that `finish` writes.
  var sizeBound: Int {
    unsafe Block.headerSize + 4 + scratchCount + pending.count * (4 + 2 + 10 + 11)
  }

  /// Writes the block to `target` and begins the next; returns its size.
  mutating func finish(into target: UnsafeMutableRawPointer) -> Int {
    let count = pending.count
    let prefixCount = commonPrefix()
    let headsOffset = unsafe (Block.headerSize + prefixCount + 3) & ~3
    unsafe target.put16(UInt16(count))
    unsafe target.put16(UInt16(prefixCount), 2)
    unsafe target.put16(UInt16(headsOffset), 4)
    unsafe target.put16(isVersioned ? Block.versioned : 0, 6)
    unsafe memset(target + Block.headerSize, 0, headsOffset - Block.headerSize)
    unsafe memcpy(target + Block.headerSize, scratch, prefixCount)
    let offsets = headsOffset + 4 * count
    var end = unsafe target + (offsets + 2 * count)
    for index in 0..<count {
      let entry = pending[index]
      let suffix = unsafe scratch + (entry.offset &+ prefixCount)
      let suffixCount = entry.keyCount &- prefixCount
      unsafe target.put32(Block.head(of: suffix, count: suffixCount), headsOffset &+ 4 &* index)
      unsafe target.put16(UInt16(end - target), offsets &+ 2 &* index)
      unsafe Varint.put(UInt64(suffixCount), &end)
      unsafe Varint.put(UInt64(entry.valueCount), &end)
      if isVersioned {
        unsafe end.storeBytes(of: entry.kind, as: UInt8.self)
        unsafe end += 1
        unsafe Varint.put(entry.commit, &end)
      }
      // The key's rest and the value lie behind each other in the scratch memory.
      let restOffset = min(4, suffixCount)
      let bytes = suffixCount &- restOffset &+ entry.valueCount
      unsafe memcpy(end, suffix + restOffset, bytes)
      unsafe end += bytes
    }
    pending.removeAll(keepingCapacity: true)
    scratchCount = 0
    isVersioned = false
    return unsafe end - target
  }

  /// Bytes that all keys of the block begin with: those of the first and the last.
  private func commonPrefix() -> Int {
    let first = unsafe firstKey
    let last = unsafe lastKey
    // Below 64 KiB less the tables in front, so that every offset fits its 16 bits.
    let limit = min(first.count, last.count, 1024)
    var index = 0
    while index < limit, unsafe first[index] == last[index] { index += 1 }
    return index
  }
}
