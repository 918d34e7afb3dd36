#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The first key of every block of a table, for finding the block that may hold a key.
///
/// The eight bytes behind the prefix that all first keys share stand in one array, so that a search
/// touches few cache lines; whole keys are compared only where those are equal.
@safe final class TableIndex: @unchecked Sendable {
  // Immutable after init; raw memory so that a look-up retains nothing.
  let count: Int
  private let prefixCount: Int
  private let words: UnsafeMutablePointer<UInt64>
  private let keyEnds: UnsafeMutablePointer<UInt32>
  private let keys: UnsafeMutableRawBufferPointer
  private let blocks: UnsafeMutablePointer<BlockPlace>

  /// No block is larger: one full of entries, and one more of the largest.
  private static let plainLimit = UInt32(WriteBatch.valueLimit + WriteBatch.keyLimit + (1 << 20))

  struct BlockPlace {
    var offset: UInt64
    var storedCount: UInt32
    var plainCount: UInt32

    var isCompressed: Bool { plainCount != storedCount - UInt32(FileCipher.tagSize) }
  }

  /// Reads an index unit; nil where its lengths make no sense for a file of `fileSize` bytes.
  init?(parsing bytes: [UInt8], blockCount: Int, fileSize: UInt64) {
    var reader = ByteReader(bytes)
    var places: [BlockPlace] = []
    var firstKeys: [[UInt8]] = []
    var offset = UInt64(FileHeader.byteCount)
    do {
      guard blockCount > 0, blockCount <= bytes.count / 10 else { return nil }
      places.reserveCapacity(blockCount)
      firstKeys.reserveCapacity(blockCount)
      for _ in 0..<blockCount {
        let stored = try reader.integer(UInt32.self)
        let plain = try reader.integer(UInt32.self)
        let length = Int(try reader.integer(UInt16.self))
        let key = try reader.bytes(length)
        guard stored > UInt32(FileCipher.tagSize), offset + UInt64(stored) <= fileSize,
          plain >= stored - UInt32(FileCipher.tagSize), plain <= Self.plainLimit, length > 0
        else { return nil }
        if let last = firstKeys.last, compareKeys(last, key) > 0 { return nil }
        places.append(BlockPlace(offset: offset, storedCount: stored, plainCount: plain))
        firstKeys.append(key)
        offset += UInt64(stored)
      }
      guard reader.remaining == 0 else { return nil }
    } catch { return nil }
    count = blockCount
    prefixCount = Self.sharedPrefix(firstKeys[0], firstKeys[blockCount - 1])
    unsafe words = .allocate(capacity: blockCount)
    unsafe keyEnds = .allocate(capacity: blockCount)
    unsafe blocks = .allocate(capacity: blockCount)
    unsafe keys = .allocate(
      byteCount: firstKeys.reduce(0) { $0 + $1.count }, alignment: 16)
    var end = 0
    for (position, key) in firstKeys.enumerated() {
      unsafe UnsafeMutableRawBufferPointer(rebasing: keys[end...]).copyBytes(from: key)
      end += key.count
      unsafe keyEnds[position] = UInt32(end)
      unsafe blocks[position] = places[position]
      unsafe words[position] = key.withRaw { raw in
        guard let base = raw.baseAddress else { return 0 }
        return unsafe keyPrefix(base + prefixCount, key.count - prefixCount)
      }
    }
  }

  deinit {
    unsafe memset(words, 0, count * 8)
    unsafe words.deallocate()
    unsafe keyEnds.deallocate()
    unsafe blocks.deallocate()
    if let base = unsafe keys.baseAddress { unsafe memset(base, 0, keys.count) }
    unsafe keys.deallocate()
  }

  /// Bytes of memory.
  var byteCount: Int { unsafe count * 28 + keys.count }

  func place(_ block: Int) -> BlockPlace { unsafe blocks[block] }

  func firstKey(_ block: Int) -> UnsafeRawBufferPointer {
    let start = block == 0 ? 0 : Int(unsafe keyEnds[block - 1])
    let end = Int(unsafe keyEnds[block])
    return unsafe UnsafeRawBufferPointer(rebasing: keys[start..<end])
  }

  private static func sharedPrefix(_ first: [UInt8], _ last: [UInt8]) -> Int {
    zip(first, last).prefix { $0 == $1 }.count
  }

  /// The first block whose first key is not below `key`; the key itself, if it is there, lies in the
  /// block before or begins at this one.
  @inline(__always)
  func lowerBound(_ key: UnsafeRawBufferPointer) -> Int {
    guard let base = key.baseAddress else { return 0 }
    if prefixCount > 0 {
      guard let first = unsafe keys.baseAddress else { return 0 }
      let order = unsafe memcmp(first, base, min(prefixCount, key.count))
      if order != 0 { return order > 0 ? 0 : count }
      if key.count < prefixCount { return 0 }
    }
    let word = unsafe keyPrefix(base + prefixCount, key.count &- prefixCount)
    var low = 0
    var length = count
    while length > 0 {
      let half = length &>> 1
      let isBelow = unsafe words[low &+ half] < word
      low = isBelow ? low &+ half &+ 1 : low
      length = isBelow ? length &- half &- 1 : half
    }
    if low < count, unsafe words[low] == word { return unsafe slowLowerBound(key, word, from: low) }
    return low
  }

  /// Goes on by whole keys among those with equal words.
  @inline(never)
  private func slowLowerBound(_ key: UnsafeRawBufferPointer, _ word: UInt64, from: Int) -> Int {
    var low = from
    var high = from
    var step = 1
    while high < count, unsafe words[high] == word {
      high = min(count, high + step)
      step *= 2
    }
    while low < high {
      let middle = (low + high) / 2
      if unsafe compareKeys(firstKey(middle), key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
