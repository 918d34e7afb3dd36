#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One key of a sorted run: its first sixteen bytes as two numbers, and the entry.
///
/// With eight bytes alone, keys that begin alike (numbers with leading zeros) were compared in the
/// arena, at a cache miss each: a sixth of all time of a random fill.
struct RunElement {
  var prefix: UInt64
  var middle: UInt64
  var entry: UInt32
  var keyspace: UInt32
}

/// The memory of a sorted run; elements once published are never changed.
@safe final class RunBuffer: @unchecked Sendable {
  // Written by the memtable's writer only behind what any reader was given.
  let elements: UnsafeMutablePointer<RunElement>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    unsafe elements = .allocate(capacity: capacity)
  }

  deinit {
    unsafe memset(elements, 0, capacity * MemoryLayout<RunElement>.stride)
    unsafe elements.deallocate()
  }
}

/// The part of a run that a reader may look at.
struct MemtableRun {
  var buffer: RunBuffer
  var count: Int
}

/// Orders and merges runs by (keyspace, key, newest first).
@unsafe struct RunOrder {
  let base: UnsafeRawPointer

  /// Whether `left` comes before `right`. Of two versions of one key the newer one, which lies
  /// further up in the arena, comes first.
  @inline(__always)
  func precedes(_ left: RunElement, _ right: RunElement) -> Bool {
    if _fastPath(left.keyspace == right.keyspace) {
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      if left.middle != right.middle { return left.middle < right.middle }
    }
    return unsafe slowPrecedes(left, right)
  }

  @inline(never)
  private func slowPrecedes(_ left: RunElement, _ right: RunElement) -> Bool {
    if left.keyspace != right.keyspace { return left.keyspace < right.keyspace }
    let a = unsafe MemtableEntry(address: base + Int(left.entry) &<< 3)
    let b = unsafe MemtableEntry(address: base + Int(right.entry) &<< 3)
    let order = unsafe compareKeys(a.key, b.key)
    return order != 0 ? order < 0 : left.entry > right.entry
  }

  /// Sorts `count` elements, with room for as many in `scratch`; the result is in one of the two.
  func sort(
    _ elements: UnsafeMutablePointer<RunElement>, scratch: UnsafeMutablePointer<RunElement>,
    count: Int
  ) -> UnsafeMutablePointer<RunElement> {
    if unsafe isSorted(elements, count: count) { return unsafe elements }
    let block = 8
    var start = 0
    while start < count {
      let end = min(start &+ block, count)
      unsafe insertionSort(elements, start, end)
      start = end
    }
    var source = unsafe elements
    var target = unsafe scratch
    var width = block
    while width < count {
      start = 0
      while start < count {
        let middle = min(start &+ width, count)
        let end = min(start &+ 2 &* width, count)
        unsafe merge(
          source + start, middle &- start, source + middle, end &- middle, into: target + start)
        start = end
      }
      unsafe swap(&source, &target)
      width &*= 2
    }
    return unsafe source
  }

  private func isSorted(_ elements: UnsafeMutablePointer<RunElement>, count: Int) -> Bool {
    var index = 1
    while index < count {
      if unsafe precedes(elements[index], elements[index &- 1]) { return false }
      index &+= 1
    }
    return true
  }

  private func insertionSort(
    _ elements: UnsafeMutablePointer<RunElement>, _ start: Int, _ end: Int
  ) {
    var index = start &+ 1
    while index < end {
      let element = unsafe elements[index]
      var hole = index
      while hole > start, unsafe precedes(element, elements[hole &- 1]) {
        unsafe elements[hole] = elements[hole &- 1]
        hole &-= 1
      }
      unsafe elements[hole] = element
      index &+= 1
    }
  }

  /// Merges two sorted stretches.
  func merge(
    _ left: UnsafeMutablePointer<RunElement>, _ leftCount: Int,
    _ right: UnsafeMutablePointer<RunElement>, _ rightCount: Int,
    into target: UnsafeMutablePointer<RunElement>
  ) {
    let stride = MemoryLayout<RunElement>.stride
    var i = 0
    var j = 0
    var out = 0
    if leftCount > 0, rightCount > 0, unsafe precedes(left[leftCount &- 1], right[0]) {
      unsafe memcpy(target, left, leftCount &* stride)
      unsafe memcpy(target + leftCount, right, rightCount &* stride)
      return
    }
    while i < leftCount, j < rightCount {
      let takesRight = unsafe precedes(right[j], left[i])
      unsafe target[out] = takesRight ? right[j] : left[i]
      j &+= takesRight ? 1 : 0
      i &+= takesRight ? 0 : 1
      out &+= 1
    }
    if i < leftCount { unsafe memcpy(target + out, left + i, (leftCount &- i) &* stride) }
    if j < rightCount { unsafe memcpy(target + out, right + j, (rightCount &- j) &* stride) }
  }
}
