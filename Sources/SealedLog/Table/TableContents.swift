internal import SealedFiles
internal import Synchronization

/// What a table has in memory while it is in use: keys, index, filter, and where its blocks are.
///
/// Dropped, and so zeroed, when the store is locked; made anew when next asked for.
@safe final class TableContents: @unchecked Sendable {
  // Immutable after init, but for the cells, which are atomic.
  let entry: TableEntry
  let index: TableIndex
  private let file: any RandomAccessFile
  private let path: String
  private let cipher: FileCipher
  private let cache: BlockCache
  private let filter: UnsafeMutableRawPointer?
  private let filterLines: UInt64
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  init(
    entry: TableEntry, file: any RandomAccessFile, path: String, cipher: FileCipher,
    cache: BlockCache, onDamagedFilter: (StoreError) -> Void
  ) throws(StoreError) {
    self.entry = entry
    self.file = file
    self.path = path
    self.cipher = cipher
    self.cache = cache
    let reader = TableUnits(file: file, path: path, cipher: cipher)
    let footer = try reader.footer(of: entry)
    let indexBytes = try reader.unit(footer.index)
    guard
      let index = TableIndex(
        parsing: indexBytes, blockCount: Int(footer.blockCount), fileSize: entry.length)
    else {
      throw .damaged("the table's index makes no sense", file: path, offset: footer.index.offset)
    }
    self.index = index
    unsafe cells = .allocate(capacity: index.count)
    for cell in 0..<index.count { unsafe (cells + cell).initialize(to: Atomic(0)) }
    // A damaged filter costs time, not answers.
    do throws(StoreError) {
      let bytes = try reader.unit(footer.filter)
      guard bytes.count == Int(footer.filterLines) * BloomFilter.lineSize, bytes.count > 0 else {
        throw StoreError.damaged(
          "the table's filter makes no sense", file: path, offset: footer.filter.offset)
      }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 64)
      unsafe bytes.withRaw { source in
        if let base = source.baseAddress {
          unsafe memory.copyMemory(from: base, byteCount: bytes.count)
        }
      }
      unsafe filter = memory
      filterLines = UInt64(footer.filterLines)
    } catch {
      unsafe filter = nil
      filterLines = 0
      onDamagedFilter(error)
    }
  }

  deinit {
    cache.remove(owner: ObjectIdentifier(self))
    unsafe cells.deallocate()
    unsafe filter?.deallocate()
  }

  /// Bytes of memory, blocks aside.
  var byteCount: Int { index.byteCount + index.count * 8 + Int(filterLines) * 64 }

  /// Whether the key may be in the table.
  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    guard let filter = unsafe filter else { return true }
    return unsafe BloomFilter.contains(hash, in: filter, count: filterLines)
  }

  /// A block, from memory or from the medium.
  @inline(__always)
  func pin(_ block: Int) throws(StoreError) -> BlockPin {
    let word = unsafe cells + block
    if let memory = unsafe BlockCell(word: word).pin() {
      return unsafe BlockPin(block: memory, cell: word)
    }
    return try unsafe load(block, word)
  }

  @inline(never)
  private func load(
    _ block: Int, _ word: UnsafeMutablePointer<Atomic<UInt64>>
  ) throws(StoreError) -> BlockPin {
    let place = index.place(block)
    let memory = unsafe BlockMemory.allocate(Int(place.plainCount) + FileCipher.tagSize)
    var isKept = false
    defer { if !isKept { unsafe BlockMemory.free(memory) } }
    let text = unsafe UnsafeMutableRawBufferPointer(
      start: memory + BlockMemory.headerSize, count: Int(place.plainCount) + FileCipher.tagSize)
    let units = TableUnits(file: file, path: path, cipher: cipher)
    if place.isCompressed {
      try unsafe units.openCompressed(place, block: block, into: text)
    } else {
      try unsafe units.open(
        UnitHandle(offset: place.offset, storedCount: place.storedCount, unit: UInt32(block)),
        into: text)
    }
    unsafe memory.storeBytes(of: Int(place.plainCount), toByteOffset: 8, as: Int.self)
    guard
      let base = text.baseAddress,
      unsafe Block(base: base).isWellFormed(size: Int(place.plainCount))
    else { throw .damaged("a block makes no sense", file: path, offset: place.offset) }
    isKept = true
    if unsafe BlockCell(word: word).publish(memory) {
      unsafe cache.add(word, size: BlockMemory.size(memory), owner: ObjectIdentifier(self))
      return unsafe BlockPin(block: memory, cell: word)
    }
    return unsafe BlockPin(block: memory, cell: nil)
  }
}

/// Reads and opens single units of a table.
struct TableUnits {
  let file: any RandomAccessFile
  let path: String
  let cipher: FileCipher

  /// The footer, checked against what the manifest says of the table.
  func footer(of entry: TableEntry) throws(StoreError) -> TableFooter {
    let size = try onMedium { () throws(FileError) in try file.size() }
    guard size == entry.length, size >= UInt64(FileHeader.byteCount + TableFooter.byteCount) else {
      throw .damaged(
        "the table has \(size) bytes where \(entry.length) were written", file: path,
        offset: min(size, entry.length))
    }
    let handle = UnitHandle(
      offset: entry.length - UInt64(TableFooter.byteCount),
      storedCount: UInt32(TableFooter.plainCount + FileCipher.tagSize), unit: entry.units - 1)
    var tail = [UInt8](repeating: 0, count: TableFooter.byteCount)
    try read(&tail, at: handle.offset)
    let tag = Array(tail[TableFooter.plainCount..<TableFooter.plainCount + FileCipher.tagSize])
    let clear = Array(tail[(TableFooter.plainCount + FileCipher.tagSize)...])
    guard tag == entry.tag, clear == TableFooter.clearPart(unit: handle.unit) else {
      throw .damaged(
        "the table's footer is not the one that was written", file: path, offset: handle.offset)
    }
    do {
      return try TableFooter(parsing: try unit(handle))
    } catch let error as StoreError {
      throw error
    } catch {
      throw .damaged("the table's footer makes no sense", file: path, offset: handle.offset)
    }
  }

  /// The plaintext of a unit.
  func unit(_ handle: UnitHandle) throws(StoreError) -> [UInt8] {
    // The handle came from a sealed unit, yet memory is taken only for what the file can hold.
    let size = try onMedium { () throws(FileError) in try file.size() }
    guard handle.offset <= size, UInt64(handle.storedCount) <= size - handle.offset else {
      throw .damaged("a unit ends behind the file", file: path, offset: handle.offset)
    }
    var bytes = [UInt8](repeating: 0, count: Int(handle.storedCount))
    unsafe try bytes.withMutableRaw { (buffer) throws(StoreError) in
      try unsafe open(handle, into: buffer)
    }
    bytes.removeLast(FileCipher.tagSize)
    return bytes
  }

  /// The plaintext of a block, inflated where it is compressed.
  func block(_ place: TableIndex.BlockPlace, _ number: Int) throws(StoreError) -> [UInt8] {
    guard place.isCompressed else {
      return try unit(
        UnitHandle(offset: place.offset, storedCount: place.storedCount, unit: UInt32(number)))
    }
    var bytes = [UInt8](repeating: 0, count: Int(place.plainCount))
    unsafe try bytes.withMutableRaw { (buffer) throws(StoreError) in
      try unsafe openCompressed(place, block: number, into: buffer)
    }
    return bytes
  }

  /// Reads a compressed block and inflates it into `buffer`, which has its plain size or more.
  func openCompressed(
    _ place: TableIndex.BlockPlace, block: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StoreError) {
    let stored = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(place.storedCount), alignment: 64)
    defer {
      unsafe stored.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe stored.deallocate()
    }
    let handle = UnitHandle(
      offset: place.offset, storedCount: place.storedCount, unit: UInt32(block))
    try unsafe open(
      handle, into: stored, flags: Self.compressed, inflatedCount: place.plainCount)
    let isInflated = unsafe inflateBlock(
      UnsafeRawBufferPointer(rebasing: stored[0..<handle.plainCount]),
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[0..<Int(place.plainCount)]))
    guard isInflated else {
      throw .damaged("a compressed block makes no sense", file: path, offset: place.offset)
    }
  }

  /// The flag of a unit whose plaintext was deflated before it was sealed.
  static let compressed: UInt8 = 1

  /// Reads a unit into `buffer`, of its stored size, and opens it there.
  func open(
    _ handle: UnitHandle, into buffer: UnsafeMutableRawBufferPointer, flags: UInt8 = 0,
    inflatedCount: UInt32? = nil
  ) throws(StoreError) {
    let count: Int
    do {
      count = try unsafe file.read(into: buffer, at: handle.offset)
    } catch { throw StoreError(error) }
    guard count == buffer.count, let base = buffer.baseAddress else {
      throw .damaged("the file ends within a unit", file: path, offset: handle.offset)
    }
    let text = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[0..<handle.plainCount])
    let isOpen = unsafe cipher.open(
      UnsafeRawBufferPointer(text), into: text, tag: UnsafeRawPointer(base + handle.plainCount),
      unit: FileCipher.Unit(
        number: handle.unit, kind: FileKind.table.rawValue, flags: flags, offset: handle.offset,
        storedCount: handle.storedCount, plainCount: inflatedCount ?? UInt32(handle.plainCount)))
    guard isOpen else {
      try cipher.checkIntact()
      throw .damaged("a unit does not authenticate", file: path, offset: handle.offset)
    }
  }

  private func read(_ bytes: inout [UInt8], at offset: UInt64) throws(StoreError) {
    let count = try onMedium { () throws(FileError) in
      unsafe try bytes.withMutableRaw { (buffer) throws(FileError) in
        try unsafe file.read(into: buffer, at: offset)
      }
    }
    guard count == bytes.count else {
      throw .damaged("the file is too short", file: path, offset: offset)
    }
  }
}
