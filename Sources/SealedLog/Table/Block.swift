#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A data block, opened: FORMAT.md, "Data blocks".
///
///     count 2 · prefix length 2 · offset of the heads 2 · flags 2 · common prefix · 0…3
///     heads 4 × count (the next four key bytes, big-endian, zeros behind a shorter key)
///     entry offsets 2 × count
///     entries: rest length varint · value length varint · [kind 1 · commit varint]
///              · key bytes behind prefix and head · value
///
/// Every entry is reached without decoding its neighbours. Blocks whose entries are all values that
/// every reader may see carry neither kinds nor commits (`versioned` unset).
@unsafe struct Block {
  /// Entries carry kind and commit number.
  static let versioned: UInt16 = 1
  static let headerSize = 8

  let base: UnsafeRawPointer

  @inline(__always) var count: Int { Int(unsafe base.u16()) }
  @inline(__always) var prefixCount: Int { Int(unsafe base.u16(2)) }
  @inline(__always) var headsOffset: Int { Int(unsafe base.u16(4)) }
  @inline(__always) var isVersioned: Bool { unsafe base.u16(6) & Self.versioned != 0 }
  @inline(__always) var prefix: UnsafeRawPointer { unsafe base + Self.headerSize }

  @inline(__always)
  func head(_ index: Int) -> UInt32 { unsafe base.u32(headsOffset &+ 4 &* index) }

  /// One entry, decoded.
  @unsafe struct Entry {
    /// Key bytes behind the common prefix; the first four stand in the head.
    var suffixCount: Int
    var rest: UnsafeRawPointer
    var value: UnsafeRawPointer
    var valueCount: Int
    var kind: UInt8
    var commit: UInt64
  }

  /// - Precondition: `index < count`, and the block passed `isWellFormed`.
  @inline(__always)
  func entry(_ index: Int) -> Entry {
    let offsets = unsafe headsOffset &+ 4 &* count
    var position = unsafe base + Int(base.u16(offsets &+ 2 &* index))
    let suffixCount = Int(truncatingIfNeeded: unsafe Self.varint(&position))
    let valueCount = Int(truncatingIfNeeded: unsafe Self.varint(&position))
    var kind = OperationKind.put.rawValue
    var commit: UInt64 = 0
    if unsafe isVersioned {
      kind = unsafe position.load(as: UInt8.self)
      unsafe position += 1
      commit = unsafe Self.varint(&position)
    }
    let value = unsafe position + max(0, suffixCount &- 4)
    return unsafe Entry(
      suffixCount: suffixCount, rest: position, value: value, valueCount: valueCount, kind: kind,
      commit: commit)
  }

  @inline(__always)
  private static func varint(_ position: inout UnsafeRawPointer) -> UInt64 {
    let first = unsafe position.load(as: UInt8.self)
    unsafe position += 1
    if _fastPath(first < 128) { return UInt64(first) }
    var value = UInt64(first & 127)
    var shift: UInt64 = 7
    while true {
      let byte = unsafe position.load(as: UInt8.self)
      unsafe position += 1
      value |= UInt64(byte & 127) &<< shift
      if byte < 128 { return value }
      shift &+= 7
    }
  }

  /// The first entry whose (key, commit) is at or behind the one given; newer commits come first.
  @inline(__always)
  func lowerBound(_ key: UnsafeRawBufferPointer, commit: UInt64) -> Int {
    let count = unsafe self.count
    let prefixCount = unsafe self.prefixCount
    guard let keyBase = key.baseAddress else { return 0 }
    if prefixCount > 0 {
      let order = unsafe memcmp(prefix, keyBase, min(prefixCount, key.count))
      if order != 0 { return order > 0 ? 0 : count }
      if key.count < prefixCount { return 0 }
    }
    let suffix = unsafe keyBase + prefixCount
    let suffixCount = key.count &- prefixCount
    let head = unsafe Self.head(of: suffix, count: suffixCount)
    var index = unsafe headBound(head, count: count)
    while index < count, unsafe self.head(index) == head {
      let entry = unsafe self.entry(index)
      let order = unsafe Self.compareSuffixes(entry, suffix, suffixCount)
      if unsafe order > 0 || (order == 0 && (entry.commit) <= commit) { break }
      index &+= 1
    }
    return index
  }

  /// Whether the entry at `index`, which `lowerBound` gave, has exactly this key.
  @inline(__always)
  func holds(_ key: UnsafeRawBufferPointer, at index: Int, _ entry: Entry) -> Bool {
    let prefixCount = unsafe self.prefixCount
    guard unsafe prefixCount &+ entry.suffixCount == key.count,
      let base = key.baseAddress
    else { return false }
    if prefixCount > 0, unsafe memcmp(prefix, base, prefixCount) != 0 { return false }
    let suffix = unsafe base + prefixCount
    if unsafe head(index) != Self.head(of: suffix, count: entry.suffixCount) { return false }
    return unsafe Self.compareSuffixes(entry, suffix, entry.suffixCount) == 0
  }

  /// The first index whose head is not below the one given.
  @inline(__always)
  private func headBound(_ head: UInt32, count: Int) -> Int {
    let heads = unsafe base + headsOffset
    var low = 0
    var length = count
    while length > 0 {
      let half = length &>> 1
      let isBelow = unsafe heads.u32(4 &* (low &+ half)) < head
      low = isBelow ? low &+ half &+ 1 : low
      length = isBelow ? length &- half &- 1 : half
    }
    return low
  }

  /// The four bytes after the common prefix as a big-endian number.
  @inline(__always)
  static func head(of suffix: UnsafeRawPointer, count: Int) -> UInt32 {
    if _fastPath(count >= 4) {
      return unsafe UInt32(bigEndian: suffix.loadUnaligned(as: UInt32.self))
    }
    return UInt32(truncatingIfNeeded: unsafe partialWord(suffix, count)).byteSwapped
  }

  /// Orders an entry's key against another with the same head. Where one of them ends within the
  /// head, equal heads mean that it begins the other: the shorter comes first.
  @inline(__always)
  static func compareSuffixes(
    _ entry: Entry, _ suffix: UnsafeRawPointer, _ suffixCount: Int
  ) -> Int {
    let shared = unsafe min(entry.suffixCount, suffixCount)
    if shared > 4 {
      let order = unsafe memcmp(entry.rest, suffix + 4, shared &- 4)
      if order != 0 { return Int(order) }
    }
    return unsafe entry.suffixCount &- suffixCount
  }

  /// Every entry's key, for checks.
  var keys: [[UInt8]] {
    unsafe (0..<count).map { index in
      let entry = unsafe self.entry(index)
      let head = unsafe self.head(index)
      let headBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: head >> UInt32($0)) }
      let rest = unsafe UnsafeRawBufferPointer(
        start: entry.rest, count: max(0, entry.suffixCount - 4))
      return unsafe Array(UnsafeRawBufferPointer(start: prefix, count: prefixCount))
        + headBytes.prefix(min(4, entry.suffixCount)) + Array(rest)
    }
  }

  /// Whether every length in the block stays inside its `size` bytes. Asked once, when the block was
  /// read: what authenticates was written by a holder of the key, who may still be wrong.
  func isWellFormed(size: Int) -> Bool {
    guard unsafe size >= Self.headerSize, unsafe count > 0 else { return false }
    let offsets = unsafe headsOffset + 4 * count
    let entries = unsafe offsets + 2 * count
    guard unsafe headsOffset >= Self.headerSize + prefixCount, entries <= size,
      unsafe base.u16(6) & ~Self.versioned == 0
    else { return false }
    let end = unsafe base + size
    for index in unsafe 0..<count {
      let offset = Int(unsafe base.u16(offsets + 2 * index))
      guard offset >= entries, offset < size else { return false }
      var position = unsafe base + offset
      guard let suffixCount = unsafe Varint.get(&position, end: end),
        let valueCount = unsafe Varint.get(&position, end: end),
        suffixCount <= UInt64(WriteBatch.keyLimit), valueCount <= UInt64(WriteBatch.valueLimit)
      else { return false }
      if unsafe isVersioned {
        guard unsafe position < end,
          OperationKind(rawValue: unsafe position.load(as: UInt8.self)) != nil
        else { return false }
        unsafe position += 1
        guard unsafe Varint.get(&position, end: end) != nil else { return false }
      }
      let bytes = max(0, Int(suffixCount) - 4) + Int(valueCount)
      guard unsafe prefixCount + Int(suffixCount) > 0, unsafe bytes <= end - position else {
        return false
      }
    }
    return true
  }
}
