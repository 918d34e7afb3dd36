#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Changes that are committed together or not at all, over any number of keyspaces.
///
/// Later operations of a batch override earlier ones on the same key. Not thread-safe.
public struct WriteBatch: ~Copyable {
  /// The longest key, in bytes.
  public static let keyLimit = 65_535
  /// The longest value, in bytes.
  public static let valueLimit = 64 << 20
  /// The most bytes that a batch holds, its encoding included.
  public static let byteLimit = 512 << 20

  let buffer = BatchBuffer()

  /// An empty batch.
  public init() {}

  /// How many operations were added.
  public var count: Int { buffer.operationCount }
  /// How many bytes they take in the log.
  public var byteCount: Int { buffer.count }

  /// Sets `key` to `value`.
  ///
  /// - Throws: `.limitExceeded` past a limit above; the batch is as before.
  public mutating func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in keyspace: Keyspace
  ) throws(StoreError) {
    try unsafe buffer.append(.put, key: key, value: value, keyspace: keyspace.id)
  }

  /// Removes `key`, if it is there.
  ///
  /// - Throws: `.limitExceeded` past a limit above; the batch is as before.
  public mutating func delete(
    _ key: UnsafeRawBufferPointer, in keyspace: Keyspace
  ) throws(StoreError) {
    try unsafe buffer.append(
      .delete, key: key, value: UnsafeRawBufferPointer(start: nil, count: 0),
      keyspace: keyspace.id)
  }

  /// Removes every key from `lower` (or the first) to before `upper` (or the last), without looking
  /// at them: the cost doesn't grow with their number, and their space is reclaimed in the
  /// background.
  ///
  /// What the batch put into the range before is removed too; what it puts there later stays.
  /// - Throws: `.limitExceeded` for a bound over the key limit; the batch is as before.
  public mutating func deleteRange(
    from lower: [UInt8]? = nil, to upper: [UInt8]? = nil, in keyspace: Keyspace
  ) throws(StoreError) {
    // No key is empty: the first one possible is a zero byte.
    let lower = lower.flatMap { $0.isEmpty ? nil : $0 } ?? [0]
    if let upper, compareKeys(lower, upper) >= 0 { return }
    try buffer.appendRange(from: lower, to: upper ?? [], keyspace: keyspace.id)
  }

  /// Sets `key` to `value`.
  public mutating func put(
    _ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace
  ) throws(StoreError) {
    unsafe try key.withRaw { (key) throws(StoreError) in
      unsafe try value.withRaw { (value) throws(StoreError) in
        try unsafe buffer.append(.put, key: key, value: value, keyspace: keyspace.id)
      }
    }
  }

  /// Removes `key`, if it is there.
  public mutating func delete(_ key: [UInt8], in keyspace: Keyspace) throws(StoreError) {
    unsafe try key.withRaw { (key) throws(StoreError) in
      try unsafe buffer.append(
        .delete, key: key, value: UnsafeRawBufferPointer(start: nil, count: 0),
        keyspace: keyspace.id)
    }
  }
}

/// What an operation does; the kind byte in batches, memtables and tables.
enum OperationKind: UInt8 {
  case put = 1
  case delete = 2
  /// In batches alone: the key is the lower bound, the value the upper one, or empty for none.
  case deleteRange = 3
}

/// The encoded operations of a batch, which are also the payload of its commit's frames:
/// FORMAT.md, "Batches".
///
///     kind 1 · keyspace varint · key length varint · value length varint · key · value
@safe final class BatchBuffer: @unchecked Sendable {
  // Owned by one batch, then handed to the committing thread: never used by two at once.
  private(set) var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  private(set) var operationCount = 0
  /// Bytes of keys and values: what a memtable will need, headers apart.
  private(set) var payloadCount = 0
  /// The ranges that the batch deletes, by keyspace.
  private(set) var ranges: [(keyspace: UInt32, lower: [UInt8], upper: [UInt8])] = []
  /// Blobs that the commit takes over.
  private(set) var blobs: [PendingBlob] = []
  /// Blobs to remove, until the leader of the commit looks up where they are.
  private(set) var blobRemovals: [BlobID] = []

  init() {
    capacity = 1024
    unsafe base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    unsafe memset(base, 0, count)
    unsafe base.deallocate()
  }

  /// The bytes written so far.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  func append(
    _ kind: OperationKind, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer,
    keyspace: UInt32
  ) throws(StoreError) {
    guard key.count > 0, key.count <= WriteBatch.keyLimit else {
      throw StoreError(
        .limitExceeded, "a key has 1 to \(WriteBatch.keyLimit) bytes, not \(key.count)")
    }
    guard value.count <= WriteBatch.valueLimit else {
      throw StoreError(
        .limitExceeded,
        "a value has at most \(WriteBatch.valueLimit) bytes, not \(value.count)")
    }
    let needed = count + 16 + key.count + value.count
    guard needed <= WriteBatch.byteLimit else {
      throw StoreError(
        .limitExceeded, "a batch holds at most \(WriteBatch.byteLimit) bytes; split it")
    }
    if _slowPath(needed > capacity) { grow(to: needed) }
    var end = unsafe base + count
    unsafe end.storeBytes(of: kind.rawValue, as: UInt8.self)
    unsafe end += 1
    unsafe Varint.put(UInt64(keyspace), &end)
    unsafe Varint.put(UInt64(key.count), &end)
    unsafe Varint.put(UInt64(value.count), &end)
    if let source = key.baseAddress {
      unsafe memcpy(end, source, key.count)
      unsafe end += key.count
    }
    if value.count > 0, let source = value.baseAddress {
      unsafe memcpy(end, source, value.count)
      unsafe end += value.count
    }
    count = unsafe end - base
    operationCount &+= 1
    payloadCount &+= key.count &+ value.count
  }

  func append(
    _ kind: OperationKind, _ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace
  ) throws(StoreError) {
    try unsafe key.withRaw { (key) throws(StoreError) in
      try unsafe value.withRaw { (value) throws(StoreError) in
        try unsafe append(kind, key: key, value: value, keyspace: keyspace.id)
      }
    }
  }

  func attach(_ blob: PendingBlob) { blobs.append(blob) }
  func removeBlob(_ id: BlobID) { blobRemovals.append(id) }
  func takeBlobRemovals() -> [BlobID] {
    defer { blobRemovals = [] }
    return blobRemovals
  }

  func appendRange(
    from lower: [UInt8], to upper: [UInt8], keyspace: UInt32
  ) throws(StoreError) {
    guard upper.count <= WriteBatch.keyLimit else {
      throw StoreError(
        .limitExceeded, "a bound has at most \(WriteBatch.keyLimit) bytes, not \(upper.count)")
    }
    try unsafe lower.withRaw { (lower) throws(StoreError) in
      try unsafe upper.withRaw { (upper) throws(StoreError) in
        try unsafe append(.deleteRange, key: lower, value: upper, keyspace: keyspace)
      }
    }
    let range = RangeTombstones.Range(lower: lower, upper: upper, commit: 0)
    removePuts(in: range, keyspace: keyspace)
    ranges.append((keyspace, lower, upper))
  }

  /// Takes out what the batch put into a range before it deleted it: all of a commit's operations
  /// have one number, which doesn't tell their order.
  private func removePuts(in range: RangeTombstones.Range, keyspace: UInt32) {
    var position = unsafe UnsafeRawPointer(base)
    let end = unsafe position + count
    var kept = unsafe base
    while unsafe position < end {
      let start = unsafe position
      guard let operation = unsafe BatchOperation.next(&position, end: end) else { break }
      let size = unsafe position - start
      let key = unsafe Array(operation.key)
      let goes =
        unsafe operation.kind != .deleteRange && operation.keyspace == keyspace
        && range.covers(key, key)
      if goes {
        operationCount &-= 1
        unsafe payloadCount &-= operation.key.count &+ operation.value.count
      } else {
        unsafe memmove(kept, start, size)
        unsafe kept += size
      }
    }
    count = unsafe kept - base
  }

  private func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    unsafe memcpy(moved, base, count)
    unsafe memset(base, 0, count)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}

/// Numbers in seven-bit groups, the lowest first; the top bit says that more follow (LEB128).
enum Varint {
  @inline(__always)
  static func put(_ value: UInt64, _ end: inout UnsafeMutableRawPointer) {
    var rest = value
    while _slowPath(rest >= 128) {
      unsafe end.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 128, as: UInt8.self)
      unsafe end += 1
      rest &>>= 7
    }
    unsafe end.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    unsafe end += 1
  }

  /// Reads a number from memory that the store itself wrote or authenticated; nil past `end`, or
  /// where it has more than ten groups.
  @inline(__always)
  static func get(_ position: inout UnsafeRawPointer, end: UnsafeRawPointer) -> UInt64? {
    guard unsafe position < end else { return nil }
    let first = unsafe position.load(as: UInt8.self)
    unsafe position += 1
    if _fastPath(first < 128) { return UInt64(first) }
    var value = UInt64(first & 127)
    var shift: UInt64 = 7
    while unsafe position < end, shift < 64 {
      let byte = unsafe position.load(as: UInt8.self)
      unsafe position += 1
      value |= UInt64(byte & 127) &<< shift
      if byte < 128 { return value }
      shift &+= 7
    }
    return nil
  }
}

/// One operation in a batch's bytes.
@unsafe struct BatchOperation {
  var kind: OperationKind
  var keyspace: UInt32
  var key: UnsafeRawBufferPointer
  var value: UnsafeRawBufferPointer

  /// Reads the operation at `position`; nil where the bytes make no sense.
  @inline(__always)
  static func next(
    _ position: inout UnsafeRawPointer, end: UnsafeRawPointer
  ) -> BatchOperation? {
    guard unsafe position < end,
      let kind = OperationKind(rawValue: unsafe position.load(as: UInt8.self))
    else { return nil }
    unsafe position += 1
    guard let keyspace = unsafe Varint.get(&position, end: end), keyspace <= UInt64(UInt32.max),
      let keyCount = unsafe Varint.get(&position, end: end),
      let valueCount = unsafe Varint.get(&position, end: end),
      keyCount > 0, keyCount <= UInt64(WriteBatch.keyLimit),
      valueCount <= UInt64(WriteBatch.valueLimit),
      unsafe Int(keyCount) &+ Int(valueCount) <= end - position
    else { return nil }
    let key = unsafe UnsafeRawBufferPointer(start: position, count: Int(keyCount))
    unsafe position += Int(keyCount)
    let value = unsafe UnsafeRawBufferPointer(start: position, count: Int(valueCount))
    unsafe position += Int(valueCount)
    return unsafe BatchOperation(
      kind: kind, keyspace: UInt32(truncatingIfNeeded: keyspace), key: key, value: value)
  }
}
