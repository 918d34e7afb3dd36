#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A cursor over tables that don't overlap, in key order: one table of level 0, or a whole level
/// below.
@safe final class TableCursor: SourceCursor {
  private let tables: [Table]
  private let gate: ReaderGate
  private var tableIndex = 0
  private var contents: TableContents?
  private var blockIndex = 0
  private var pin: PinBox?
  private var block = unsafe Block(base: BlockPlaceholder.address)
  private var blockCount = 0
  private var entryIndex = 0
  // The current key, put together; its prefix stays as long as the block.
  private var keyBuffer: UnsafeMutableRawPointer
  private var keyCapacity = 256

  /// Holds a pin in a place of its own, since a class can't be given up in part.
  private final class PinBox {
    let pin: BlockPin
    init(_ pin: consuming BlockPin) { self.pin = pin }
  }

  init(tables: [Table], gate: ReaderGate) {
    self.tables = tables
    self.gate = gate
    unsafe keyBuffer = .allocate(byteCount: keyCapacity, alignment: 16)
  }

  deinit {
    unsafe memset(keyBuffer, 0, keyCapacity)
    unsafe keyBuffer.deallocate()
  }

  // MARK: Moving

  override func seek(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {
    if try unsafe place(at: key, commit: commit) { return }
    isValid = false
  }

  override func seekBefore(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {
    if try unsafe place(at: key, commit: commit) {
      try previous()
    } else {
      try seekToEnd(first: false)
    }
  }

  override func seekToEnd(first: Bool) throws(StoreError) {
    guard !tables.isEmpty else {
      isValid = false
      return
    }
    try open(table: first ? 0 : tables.count - 1)
    try open(block: first ? 0 : lastBlock)
    entryIndex = first ? 0 : blockCount - 1
    settle()
  }

  override func next() throws(StoreError) {
    entryIndex &+= 1
    if _slowPath(entryIndex >= blockCount) {
      guard try openNext() else {
        isValid = false
        return
      }
    }
    settle()
  }

  override func previous() throws(StoreError) {
    entryIndex &-= 1
    if _slowPath(entryIndex < 0) {
      guard try openPrevious() else {
        isValid = false
        return
      }
    }
    settle()
  }

  /// Goes to the first entry at or behind (key, commit); false where there is none.
  private func place(at key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) -> Bool {
    guard let base = key.baseAddress else {
      try seekToEnd(first: true)
      return isValid
    }
    let word = unsafe keyPrefix(base, key.count)
    let index = unsafe Tree.lowerBound(tables, key, word: word)
    guard index < tables.count else { return false }
    try open(table: index)
    guard let contents else { return false }
    // The entry lies in the block before the first that begins at or behind the key, or is that
    // block's first.
    try open(block: max(0, unsafe contents.index.lowerBound(key) - 1))
    while true {
      entryIndex = unsafe block.lowerBound(key, commit: commit)
      if entryIndex < blockCount {
        settle()
        return true
      }
      guard try openNext() else { return false }
    }
  }

  // MARK: Blocks

  private var lastBlock: Int { (contents?.index.count ?? 1) - 1 }

  private func open(table index: Int) throws(StoreError) {
    if contents != nil, tableIndex == index { return }
    tableIndex = index
    pin = nil
    contents = try gate.read { () throws(StoreError) in
      try unsafe tables[index].loaded().takeUnretainedValue()
    }
  }

  private func open(block index: Int) throws(StoreError) {
    guard let contents else { return }
    if pin != nil, blockIndex == index { return }
    let box = try gate.read { () throws(StoreError) in PinBox(try contents.pin(index)) }
    pin = box
    blockIndex = index
    unsafe block = Block(base: box.pin.plaintext)
    blockCount = unsafe block.count
    let prefixCount = unsafe block.prefixCount
    reserveKey(prefixCount)
    unsafe memcpy(keyBuffer, block.prefix, prefixCount)
  }

  /// Goes to the first entry of the next block, or the next table's first.
  private func openNext() throws(StoreError) -> Bool {
    if blockIndex < lastBlock {
      try open(block: blockIndex + 1)
    } else {
      guard tableIndex + 1 < tables.count else { return false }
      try open(table: tableIndex + 1)
      try open(block: 0)
    }
    entryIndex = 0
    return true
  }

  private func openPrevious() throws(StoreError) -> Bool {
    if blockIndex > 0 {
      try open(block: blockIndex - 1)
    } else {
      guard tableIndex > 0 else { return false }
      try open(table: tableIndex - 1)
      try open(block: lastBlock)
    }
    entryIndex = blockCount - 1
    return true
  }

  private func reserveKey(_ count: Int) {
    guard count + 8 > keyCapacity else { return }
    let capacity = max(count + 8, keyCapacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe memcpy(larger, keyBuffer, keyCapacity)
    unsafe memset(keyBuffer, 0, keyCapacity)
    unsafe keyBuffer.deallocate()
    unsafe keyBuffer = larger
    keyCapacity = capacity
  }

  /// Puts the current entry's parts where readers find them.
  @inline(__always)
  private func settle() {
    let entry = unsafe block.entry(entryIndex)
    let prefixCount = unsafe block.prefixCount
    let count = unsafe prefixCount &+ entry.suffixCount
    if _slowPath(count &+ 8 > keyCapacity) { reserveKey(count) }
    unsafe keyBuffer.storeBytes(
      of: block.head(entryIndex).bigEndian, toByteOffset: prefixCount, as: UInt32.self)
    if unsafe entry.suffixCount > 4 {
      unsafe memcpy(keyBuffer + (prefixCount &+ 4), entry.rest, entry.suffixCount &- 4)
    }
    unsafe key = UnsafeRawBufferPointer(start: keyBuffer, count: count)
    unsafe word = keyPrefix(keyBuffer, count)
    unsafe middle = keyMiddle(keyBuffer, count)
    unsafe value = UnsafeRawBufferPointer(start: entry.value, count: entry.valueCount)
    commit = unsafe entry.commit
    kind = unsafe entry.kind
    isValid = true
  }
}

/// What a cursor points to before it has a block: an empty one.
private enum BlockPlaceholder {
  nonisolated(unsafe) static let address: UnsafeRawPointer = {
    // Never written again, never freed: shared by all cursors.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    unsafe memset(memory, 0, 64)
    return UnsafeRawPointer(memory)
  }()
}
