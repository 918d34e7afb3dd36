import BenchmarkSupport
import SealedCrypto
import SealedLog

/// SealedStore's engine: encrypted, always.
final class SealedEngine: KeyValueEngine {
  private let store: LogStore
  private let keyspace: Keyspace
  /// What reads go through; nil until `refresh`, so that a fill keeps no old versions for it.
  private var current: Snapshot?
  private var cursor: Cursor?

  let version = Versions.product
  let settingsText: String

  init(directory: String, settings: KeyValueSettings) throws {
    var options = OpenOptions()
    options.cacheLimit = settings.cache
    // Two memtables: one fills while the other is flushed.
    options.memtableSize = settings.writeBuffer / 2
    store = try LogStore.open(
      path: directory + "/store", unlock: .rawKey(SecretBytes([UInt8](repeating: 7, count: 32))),
      options: options)
    keyspace = try store.keyspace("bench")
    settingsText =
      "AES-256-GCM (\(CryptoModule.status.kernel)), raw key, memtables 2 × "
      + "\(Figures.bytes(options.memtableSize)), cache \(Figures.bytes(settings.cache)), "
      + "commits deferred within 1 s"
  }

  struct Batch: KeyValueBatch {
    /// A batch can't be copied, which the workloads' protocol can't say: it is pointed to.
    let batch: UnsafeMutablePointer<WriteBatch>
    let keyspace: Keyspace

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
      try batch.pointee.put(key, value, in: keyspace)
    }

    func delete(_ key: UnsafeRawBufferPointer) throws {
      try batch.pointee.delete(key, in: keyspace)
    }
  }

  func write(_ body: (inout Batch) throws -> Void) throws {
    let place = UnsafeMutablePointer<WriteBatch>.allocate(capacity: 1)
    defer { place.deallocate() }
    place.initialize(to: WriteBatch())
    var batch = Batch(batch: place, keyspace: keyspace)
    do { try body(&batch) } catch {
      place.deinitialize(count: 1)
      throw error
    }
    try store.commit(place.move(), durability: .deferred(within: .seconds(1)))
  }

  func refresh() throws {
    cursor = nil
    current = try store.snapshot()
  }

  private var snapshot: Snapshot {
    get throws {
      if let current { return current }
      throw BenchmarkError("read before refresh")
    }
  }

  func get(_ key: UnsafeRawBufferPointer, _ values: inout ValueChecksum) throws -> Bool {
    try snapshot.withValue(for: key, in: keyspace) { value in
      guard let value else { return false }
      values.take(value)
      return true
    }
  }

  func multiGet(
    _ keys: UnsafeRawBufferPointer, keySize: Int, _ values: inout ValueChecksum
  ) throws {
    let wanted = stride(from: 0, to: keys.count, by: keySize).map {
      Array(keys[$0..<$0 + keySize])
    }
    for value in try snapshot.values(for: wanted, in: keyspace) {
      value?.withUnsafeBytes { values.take($0) }
    }
  }

  func scan(
    from key: UnsafeRawBufferPointer?, limit: Int, _ values: inout ValueChecksum
  ) throws {
    let cursor: Cursor
    if let key {
      // Seeks of one snapshot share a cursor, as the peers' share an iterator.
      if let present = self.cursor {
        cursor = present
      } else {
        cursor = try snapshot.cursor(in: keyspace)
        self.cursor = cursor
      }
      guard limit > 0, try cursor.seek(to: key) else { return }
      values.take(cursor.value)
    } else {
      cursor = try snapshot.cursor(in: keyspace)
      guard limit > 0, try cursor.next() else { return }
      values.take(cursor.value)
    }
    var rest = limit - 1
    while rest > 0, try cursor.next() {
      values.take(cursor.value)
      rest -= 1
    }
  }

  func scanBackward(_ values: inout ValueChecksum) throws {
    let cursor = try snapshot.cursor(in: keyspace)
    while try cursor.previous() { values.take(cursor.value) }
  }

  func compact() throws {
    cursor = nil
    current = nil
    try store.compact()
  }

  func close() throws {
    cursor = nil
    current = nil
    try store.close()
  }

  static func isLog(_ name: String) -> Bool { name.hasPrefix("l-") }
}
