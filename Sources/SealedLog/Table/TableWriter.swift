internal import SealedCrypto
internal import SealedFiles

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Writes a table from entries in key order.
///
/// Order on disk: header, data blocks (units 0, 1, …), index, filter, properties, footer.
@safe struct TableWriter: ~Copyable {
  private static let outputSize = 1 << 20

  let path: String
  let number: UInt64
  private let keyspace: UInt32
  private let level: UInt8
  private let file: any RandomAccessFile
  private let cipher: FileCipher
  private var builder: BlockBuilder
  private var packer: BlockPacker?
  private var output: UnsafeMutableRawBufferPointer
  private var outputCount: Int
  private var outputStart: UInt64 = 0
  private var unit: UInt32 = 0
  private var index = ByteWriter()
  private var hashes: [UInt64] = []
  private var tombstoneCount: UInt64 = 0
  private var smallestKey: [UInt8] = []
  private var largestKey: [UInt8] = []

  /// A writer for a new file.
  ///
  /// - Throws: `.io` where compression gets no memory.
  init(
    file: any RandomAccessFile, path: String, cipher: FileCipher, keyspace: UInt32, level: UInt8,
    compression: Compression = .none
  ) throws(StoreError) {
    packer = compression == .zlib ? try BlockPacker() : nil
    builder = BlockBuilder(
      targetSize: compression == .zlib
        ? BlockBuilder.compressedTargetSize : BlockBuilder.targetSize)
    self.file = file
    self.path = path
    self.cipher = cipher
    number = cipher.header.number
    self.keyspace = keyspace
    self.level = level
    unsafe output = .allocate(byteCount: Self.outputSize + (64 << 10), alignment: 4096)
    outputCount = FileHeader.byteCount
    unsafe output.copyBytes(from: cipher.header.prefixBytes + cipher.commitment)
  }

  deinit { unsafe output.deallocate() }

  /// Bytes that the table has so far, the open block aside.
  var byteCount: UInt64 { outputStart + UInt64(outputCount) }
  var isEmpty: Bool { hashes.isEmpty }

  /// Adds an entry; `commit` is the number under which readers may ask for it, zero where every
  /// reader sees it.
  @inline(__always)
  mutating func add(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, kind: UInt8, commit: UInt64
  ) throws(StoreError) {
    if _slowPath(builder.isFull) { try finishBlock() }
    unsafe builder.add(key: key, value: value, kind: kind, commit: commit)
    if kind == OperationKind.delete.rawValue { tombstoneCount &+= 1 }
    if let base = key.baseAddress { hashes.append(unsafe keyHash(base, key.count)) }
  }

  /// Index entry: stored length 4 · plain length 4 · first key length 2 · first key.
  private mutating func finishBlock() throws(StoreError) {
    guard builder.count > 0 else { return }
    if unit == 0 { unsafe smallestKey = Array(builder.firstKey) }
    unsafe largestKey = Array(builder.lastKey)
    let first = unsafe Array(builder.firstKey)
    reserve(builder.sizeBound + FileCipher.tagSize)
    guard let base = unsafe output.baseAddress else { return }
    let target = unsafe base + outputCount
    let size = unsafe builder.finish(into: target)
    let packed = unsafe packer?.pack(UnsafeMutableRawBufferPointer(start: target, count: size))
    index.append(UInt32((packed ?? size) + FileCipher.tagSize))
    index.append(UInt32(size))
    index.append(UInt16(first.count))
    index.append(first)
    _ = try seal(
      plainCount: packed ?? size, flags: packed == nil ? 0 : TableUnits.compressed,
      inflatedCount: size)
  }

  /// Seals the bytes that stand at the end of the output, as the next unit.
  private mutating func seal(
    plainCount: Int, flags: UInt8 = 0, inflatedCount: Int? = nil
  ) throws(StoreError) -> UnitHandle {
    guard let base = unsafe output.baseAddress else {
      throw StoreError(.io, "no output buffer", file: path)
    }
    let target = unsafe base + outputCount
    let handle = UnitHandle(
      offset: byteCount, storedCount: UInt32(plainCount + FileCipher.tagSize), unit: unit)
    let text = unsafe UnsafeMutableRawBufferPointer(start: target, count: plainCount)
    unit += 1
    unsafe try cipher.seal(
      UnsafeRawBufferPointer(text), into: text, tag: target + plainCount,
      unit: FileCipher.Unit(
        number: handle.unit, kind: FileKind.table.rawValue, flags: flags, offset: handle.offset,
        storedCount: handle.storedCount, plainCount: UInt32(inflatedCount ?? plainCount)))
    outputCount += plainCount + FileCipher.tagSize
    if outputCount >= Self.outputSize { try flush() }
    return handle
  }

  private mutating func seal(_ bytes: [UInt8]) throws(StoreError) -> UnitHandle {
    reserve(bytes.count + FileCipher.tagSize)
    if let base = unsafe output.baseAddress {
      unsafe bytes.withRaw { source in
        if let from = source.baseAddress {
          unsafe memcpy(base + outputCount, from, bytes.count)
        }
      }
    }
    return try seal(plainCount: bytes.count)
  }

  private mutating func reserve(_ more: Int) {
    let needed = outputCount + more
    guard unsafe needed > output.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: needed, alignment: 4096)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[0..<outputCount]))
    unsafe output.deallocate()
    unsafe output = larger
  }

  private mutating func flush() throws(StoreError) {
    do {
      unsafe try file.write(
        UnsafeRawBufferPointer(rebasing: output[0..<outputCount]), at: outputStart)
    } catch { throw StoreError(error) }
    outputStart += UInt64(outputCount)
    outputCount = 0
  }

  /// Writes what is left, syncs the file, and says how a manifest names it.
  ///
  /// - Parameters:
  ///   - name: The keyspace's name, kept in the properties for salvage.
  ///   - commits: The range of true commit numbers.
  ///   - applied: Ranges deleted up to this commit hide nothing in the table.
  ///   - inputs: The tables that this one replaces.
  mutating func finish(
    name: [UInt8], commits: ClosedRange<UInt64>, applied: UInt64, inputs: [UInt64]
  ) throws(StoreError) -> TableEntry {
    try finishBlock()
    let blockCount = unit
    let indexHandle = try seal(index.bytes)
    let lines = BloomFilter.lineCount(keys: hashes.count)
    let filterHandle = try seal(filterBytes(lines: lines))
    let propertiesHandle = try seal(properties(name: name, commits: commits, inputs: inputs))
    let footer = TableFooter(
      index: indexHandle, filter: filterHandle, properties: propertiesHandle,
      blockCount: blockCount, filterLines: UInt32(lines))
    let footerUnit = unit
    _ = try seal(footer.plaintext)
    let clear = TableFooter.clearPart(unit: footerUnit)
    reserve(clear.count)
    let tag = unsafe Array(
      UnsafeRawBufferPointer(rebasing: output[outputCount - FileCipher.tagSize..<outputCount]))
    unsafe UnsafeMutableRawBufferPointer(rebasing: output[outputCount...]).copyBytes(from: clear)
    outputCount += clear.count
    try flush()
    try onMedium { () throws(FileError) in try file.sync() }
    return TableEntry(
      number: number, fileID: cipher.header.fileID, length: outputStart, units: unit, tag: tag,
      keyspace: keyspace, level: level, entryCount: UInt64(hashes.count),
      smallestKey: smallestKey, largestKey: largestKey, smallestCommit: commits.lowerBound,
      largestCommit: commits.upperBound, tombstoneCount: tombstoneCount,
      appliedCommit: applied)
  }

  private func filterBytes(lines: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: lines * BloomFilter.lineSize)
    unsafe bytes.withMutableRaw { buffer in
      guard let base = buffer.baseAddress else { return }
      for hash in hashes { unsafe BloomFilter.add(hash, to: base, count: UInt64(lines)) }
    }
    return bytes
  }

  /// Properties: keyspace id 4 · entry count 8 · commits 2 × 8 · name · smallest key · largest key
  /// (each behind its length 4) · inputs' count 4 · inputs 8 each.
  private func properties(
    name: [UInt8], commits: ClosedRange<UInt64>, inputs: [UInt64]
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(keyspace)
    writer.append(UInt64(hashes.count))
    writer.append(commits.lowerBound)
    writer.append(commits.upperBound)
    writer.append(counted: name)
    writer.append(counted: smallestKey)
    writer.append(counted: largestKey)
    writer.append(UInt32(inputs.count))
    for input in inputs { writer.append(input) }
    return writer.bytes
  }
}
