internal import Synchronization

/// A memtable: the commits since the one before it, in memory.
///
/// Its storage goes when the store is locked, and is read back from the logs when it is unlocked:
/// snapshots that hold the memtable go on.
final class Memtable: Sendable {
  /// Every commit below this number is in older memtables or tables.
  let firstCommit: UInt64
  /// The log that holds the first commit.
  let firstLog: UInt64
  let capacity: Int
  /// Unmanaged `MemtableStorage`, owned by this object; zero while the store is locked.
  private let storage: Atomic<UInt>

  /// - Throws: `.io` where the system has no memory to give.
  init(firstCommit: UInt64, firstLog: UInt64, capacity: Int) throws(StoreError) {
    self.firstCommit = firstCommit
    self.firstLog = firstLog
    self.capacity = capacity
    let made = unsafe Unmanaged.passRetained(try MemtableStorage(capacity: capacity))
    storage = Atomic(UInt(bitPattern: unsafe made.toOpaque()))
  }

  deinit { unload() }

  /// The storage, retained: the holder decides when it goes.
  func retained() throws(StoreError) -> MemtableStorage {
    try unsafe unretained().takeUnretainedValue()
  }

  /// The storage without a retain: good while the caller is inside the store's reader gate, or is
  /// the writer.
  @inline(__always)
  func unretained() throws(StoreError) -> Unmanaged<MemtableStorage> {
    let pattern = storage.load(ordering: .acquiring)
    guard let address = unsafe UnsafeRawPointer(bitPattern: pattern) else {
      throw StoreError(.locked, "the store is locked; unlock it first")
    }
    return unsafe Unmanaged.fromOpaque(address)
  }

  /// Whether there is anything of a keyspace; yes, while the store is locked.
  func mayHold(_ keyspace: UInt32) -> Bool {
    do throws(StoreError) { return try !retained().runs(in: keyspace).isEmpty } catch {
      return true
    }
  }

  /// Drops the contents: for a store lock, outside all readers.
  func unload() {
    let pattern = storage.exchange(0, ordering: .acquiringAndReleasing)
    if let address = unsafe UnsafeRawPointer(bitPattern: pattern) {
      unsafe Unmanaged<MemtableStorage>.fromOpaque(address).release()
    }
  }

  /// Empty contents again, to be filled from the logs.
  func reload() throws(StoreError) {
    let made = unsafe Unmanaged.passRetained(try MemtableStorage(capacity: capacity))
    storage.store(UInt(bitPattern: unsafe made.toOpaque()), ordering: .releasing)
  }
}
