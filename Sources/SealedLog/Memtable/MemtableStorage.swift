internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The contents of a memtable: a hash index for points and sorted runs for order, over one arena.
///
/// One thread writes; any number read meanwhile. A reader of the hash loads a slot with acquiring
/// order and follows entries that never move; a reader of the order is handed immutable runs.
/// Dropping the last reference zeroes everything, so that whoever reads while the store is locked
/// decides when the plaintext goes.
@safe final class MemtableStorage: @unchecked Sendable {
  private var arena: MemtableArena
  private let slots: UnsafeMutablePointer<Atomic<UInt64>>
  private let slotMask: Int
  private let slotShift: UInt64
  /// Entries that the hash takes before it is too full.
  let entryLimit: Int
  private(set) var entryCount = 0

  /// Runs by keyspace, each list oldest first. Behind a lock: taken once a cursor, once a commit.
  private let runs = Mutex<[UInt32: [MemtableRun]]>([:])
  private var scratch: UnsafeMutablePointer<RunElement>
  private var scratchTarget: UnsafeMutablePointer<RunElement>
  private var scratchCapacity = 0

  /// - Throws: `.io` where the system has no memory to give.
  init(capacity: Int) throws(StoreError) {
    arena = try MemtableArena(capacity: capacity)
    // One slot for each 48 bytes, as a power of two: entries are rarely smaller.
    let bits = max(10, Int.bitWidth - (capacity / 48).leadingZeroBitCount)
    slotMask = (1 << bits) - 1
    slotShift = UInt64(64 - bits)
    entryLimit = (1 << bits) / 4 * 3
    let memory = unsafe try mapMemory(8 << bits)
    unsafe slots = memory.bindMemory(to: Atomic<UInt64>.self, capacity: 1 << bits)
    unsafe scratch = .allocate(capacity: 1)
    unsafe scratchTarget = .allocate(capacity: 1)
  }

  deinit {
    unsafe munmap(slots, (slotMask + 1) * 8)
    unsafe scratch.deallocate()
    unsafe scratchTarget.deallocate()
  }

  var base: UnsafeRawPointer { unsafe UnsafeRawPointer(arena.base) }
  /// Bytes of entries.
  var byteCount: Int { arena.top - 64 }

  /// Whether a batch of the given sizes fits.
  func hasRoom(operations: Int, payload: Int) -> Bool {
    entryCount + operations <= entryLimit
      && arena.top + payload + operations * (MemtableArena.headerSize + 8) <= arena.capacity
  }

  // MARK: Writing

  /// Adds a commit's operations; nil where the bytes make no sense (then nothing is readable of
  /// what was added, since its commit number isn't visible).
  ///
  /// - Precondition: `hasRoom` said so.
  func insert(_ batch: UnsafeRawBufferPointer, operations: Int, commit: UInt64) -> Bool {
    guard let start = batch.baseAddress else { return batch.count == 0 }
    growScratch(to: operations)
    var position = unsafe start
    let end = unsafe start + batch.count
    var count = 0
    while unsafe position < end {
      guard let operation = unsafe BatchOperation.next(&position, end: end), count < operations
      else { return false }
      // Deleted ranges live in the view, not among the keys.
      if unsafe operation.kind == .deleteRange { continue }
      unsafe scratch[count] = add(operation, commit: commit)
      count += 1
    }
    entryCount += count
    if count > 0 { publish(count) }
    return true
  }

  @inline(__always)
  private func add(_ operation: BatchOperation, commit: UInt64) -> RunElement {
    let key = unsafe operation.key
    let value = unsafe operation.value
    let entry = unsafe arena.base + arena.top
    let reference = UInt32(truncatingIfNeeded: arena.top &>> 3)
    unsafe entry.storeBytes(of: commit, as: UInt64.self)
    unsafe entry.storeBytes(of: UInt32(value.count), toByteOffset: 12, as: UInt32.self)
    unsafe entry.storeBytes(of: UInt16(key.count), toByteOffset: 16, as: UInt16.self)
    unsafe entry.storeBytes(of: operation.kind.rawValue, toByteOffset: 18, as: UInt8.self)
    unsafe entry.storeBytes(of: operation.keyspace, toByteOffset: 20, as: UInt32.self)
    let keyAddress = unsafe entry + MemtableArena.headerSize
    guard let keySource = key.baseAddress else {
      return RunElement(prefix: 0, middle: 0, entry: 0, keyspace: 0)
    }
    // Key and value lie behind each other in the batch as in the entry.
    unsafe memcpy(keyAddress, keySource, key.count &+ value.count)
    arena.top &+= MemtableArena.entrySize(key: key.count, value: value.count)
    let hash = unsafe Self.hash(unsafe keyHash(keySource, key.count), operation.keyspace)
    unsafe link(entry, reference: reference, hash: hash)
    return unsafe RunElement(
      prefix: unsafe keyPrefix(keySource, key.count),
      middle: unsafe keyMiddle(keySource, key.count), entry: reference,
      keyspace: operation.keyspace)
  }

  /// Puts an entry at the head of its key's versions.
  @inline(__always)
  private func link(_ entry: UnsafeMutableRawPointer, reference: UInt32, hash: UInt64) {
    let tag = (hash & 0xffff_ffff) &<< 32
    var slot = Int(truncatingIfNeeded: hash &>> slotShift)
    let own = unsafe MemtableEntry(address: entry)
    while true {
      let value = unsafe slots[slot].load(ordering: .relaxed)
      if value == 0 { break }
      if value & 0xffff_ffff_0000_0000 == tag {
        let other = unsafe MemtableEntry(
          address: arena.address(UInt32(truncatingIfNeeded: value)))
        if unsafe other.keyspace == own.keyspace, unsafe compareKeys(other.key, own.key) == 0 {
          unsafe entry.storeBytes(
            of: UInt32(truncatingIfNeeded: value), toByteOffset: 8, as: UInt32.self)
          break
        }
      }
      slot = (slot &+ 1) & slotMask
    }
    unsafe slots[slot].store(tag | UInt64(reference), ordering: .releasing)
  }

  @inline(__always)
  static func hash(_ keyHash: UInt64, _ keyspace: UInt32) -> UInt64 {
    keyHash ^ (UInt64(keyspace) &* 0x9e37_79b9_7f4a_7c15)
  }

  private func growScratch(to count: Int) {
    guard count > scratchCapacity else { return }
    unsafe scratch.deallocate()
    unsafe scratchTarget.deallocate()
    scratchCapacity = max(1024, count)
    unsafe scratch = .allocate(capacity: scratchCapacity)
    unsafe scratchTarget = .allocate(capacity: scratchCapacity)
  }

  /// Sorts the scratch elements and makes them part of the runs of their keyspaces.
  private func publish(_ count: Int) {
    let order = unsafe RunOrder(base: UnsafeRawPointer(arena.base))
    let sorted = unsafe order.sort(scratch, scratch: scratchTarget, count: count)
    var start = 0
    while start < count {
      let keyspace = unsafe sorted[start].keyspace
      var end = start + 1
      while end < count, unsafe sorted[end].keyspace == keyspace { end += 1 }
      unsafe add(run: sorted + start, count: end - start, keyspace: keyspace, order: order)
      start = end
    }
  }

  private func add(
    run elements: UnsafeMutablePointer<RunElement>, count: Int, keyspace: UInt32, order: RunOrder
  ) {
    // Readers find the old list until the new one is complete.
    var list = runs(in: keyspace)
    defer { runs.withLock { $0[keyspace] = list } }
    if let last = list.last,
      unsafe order.precedes(last.buffer.elements[last.count - 1], elements[0]),
      last.count + count <= last.buffer.capacity
    {
      // Ascending keys go behind the last run, past what any reader was given.
      unsafe (last.buffer.elements + last.count).update(from: elements, count: count)
      list[list.count - 1].count += count
      return
    }
    let buffer = RunBuffer(capacity: max(64, count * 2))
    unsafe buffer.elements.update(from: elements, count: count)
    list.append(MemtableRun(buffer: buffer, count: count))
    // Neighbours are merged while the older isn't twice as long: few runs, little copying.
    while list.count > 1 {
      let newer = list[list.count - 1]
      let older = list[list.count - 2]
      if older.count > 2 * newer.count { break }
      list.removeLast(2)
      unsafe list.append(merged(older, newer, order: order))
    }
  }

  private func merged(
    _ older: MemtableRun, _ newer: MemtableRun, order: RunOrder
  ) -> MemtableRun {
    let total = older.count + newer.count
    let buffer = RunBuffer(capacity: total + total / 2)
    unsafe order.merge(
      older.buffer.elements, older.count, newer.buffer.elements, newer.count,
      into: buffer.elements)
    return MemtableRun(buffer: buffer, count: total)
  }

  // MARK: Reading

  /// The newest version of a key at or before `commit`.
  @inline(__always)
  func find(
    _ key: UnsafeRawBufferPointer, hash: UInt64, keyspace: UInt32, commit: UInt64
  ) -> MemtableEntry? {
    let tag = (hash & 0xffff_ffff) &<< 32
    var slot = Int(truncatingIfNeeded: hash &>> slotShift)
    while true {
      let value = unsafe slots[slot].load(ordering: .acquiring)
      if value == 0 { return nil }
      if value & 0xffff_ffff_0000_0000 == tag {
        var entry = unsafe MemtableEntry(
          address: arena.address(UInt32(truncatingIfNeeded: value)))
        if unsafe entry.keyspace == keyspace, unsafe compareKeys(entry.key, key) == 0 {
          while unsafe entry.commit > commit {
            let older = unsafe entry.older
            if older == 0 { return nil }
            unsafe entry = MemtableEntry(address: arena.address(older))
          }
          return unsafe entry
        }
      }
      slot = (slot &+ 1) & slotMask
    }
  }

  /// The runs of a keyspace, newest last.
  func runs(in keyspace: UInt32) -> [MemtableRun] { runs.withLock { $0[keyspace] ?? [] } }

  /// The keyspaces that have entries.
  var keyspaces: [UInt32] { runs.withLock { $0.keys.sorted() } }
}
