/// A position in one ordered source of entries: a memtable's run, or a level of tables.
///
/// Entries come by key, and of one key the newer commit first. The current entry's key and value
/// stay where they are until the next move.
@safe class SourceCursor {
  final var isValid = false
  final var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// The key's first eight bytes.
  final var word: UInt64 = 0
  /// The eight behind them.
  final var middle: UInt64 = 0
  final var commit: UInt64 = 0
  final var kind: UInt8 = 0
  final var value = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  /// Goes to the first entry at or behind (key, commit).
  func seek(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {}
  /// Goes to the first or last entry.
  func seekToEnd(first: Bool) throws(StoreError) {}
  /// Goes to the last entry before (key, commit).
  func seekBefore(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {}
  func next() throws(StoreError) {}
  func previous() throws(StoreError) {}

  /// Orders this source's key against another's; both are valid.
  @inline(__always)
  final func compare(to other: SourceCursor) -> Int {
    if word != other.word { return word < other.word ? -1 : 1 }
    if _fastPath(middle != other.middle) { return middle < other.middle ? -1 : 1 }
    return unsafe compareKeys(key, other.key)
  }
}

/// A cursor over one run of a memtable.
final class RunCursor: SourceCursor {
  // Holding both keeps the plaintext until the cursor goes.
  private let storage: MemtableStorage
  private let run: MemtableRun
  private var position = 0

  init(storage: MemtableStorage, run: MemtableRun) {
    self.storage = storage
    self.run = run
  }

  override func seek(_ key: UnsafeRawBufferPointer, commit: UInt64) {
    position = unsafe lowerBound(key, commit: commit)
    settle()
  }

  override func seekToEnd(first: Bool) {
    position = first ? 0 : run.count - 1
    settle()
  }

  override func seekBefore(_ key: UnsafeRawBufferPointer, commit: UInt64) {
    position = unsafe lowerBound(key, commit: commit) - 1
    settle()
  }

  override func next() {
    position &+= 1
    settle()
  }

  override func previous() {
    position &-= 1
    settle()
  }

  private func lowerBound(_ key: UnsafeRawBufferPointer, commit: UInt64) -> Int {
    guard let base = key.baseAddress else { return 0 }
    let word = unsafe keyPrefix(base, key.count)
    let middleWord = unsafe keyMiddle(base, key.count)
    let elements = unsafe run.buffer.elements
    var low = 0
    var high = run.count
    while low < high {
      let middle = (low + high) / 2
      let element = unsafe elements[middle]
      let isBefore: Bool
      if element.prefix != word {
        isBefore = element.prefix < word
      } else if element.middle != middleWord {
        isBefore = element.middle < middleWord
      } else {
        let entry = unsafe entry(element)
        let order = unsafe compareKeys(entry.key, key)
        isBefore = unsafe order != 0 ? order < 0 : entry.commit > commit
      }
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inline(__always)
  private func entry(_ element: RunElement) -> MemtableEntry {
    unsafe MemtableEntry(address: storage.base + Int(element.entry) &<< 3)
  }

  @inline(__always)
  private func settle() {
    guard position >= 0, position < run.count else {
      isValid = false
      return
    }
    let element = unsafe run.buffer.elements[position]
    let entry = unsafe entry(element)
    unsafe key = entry.key
    unsafe value = entry.value
    commit = unsafe entry.commit
    kind = unsafe entry.kind
    word = element.prefix
    middle = element.middle
    isValid = true
  }
}
