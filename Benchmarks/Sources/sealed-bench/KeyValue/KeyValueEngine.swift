import BenchmarkSupport

/// An ordered key-value store as the workloads drive it. One thread uses a handle at a time.
protocol KeyValueEngine: AnyObject, SendableMetatype {
  associatedtype Batch: KeyValueBatch

  /// Opens the store in a directory, or makes one.
  init(directory: String, settings: KeyValueSettings) throws

  /// The engine's version.
  var version: String { get }
  /// The settings that were given to it.
  var settingsText: String { get }

  /// Commits what `body` puts into a batch, without waiting for the medium.
  func write(_ body: (inout Batch) throws -> Void) throws

  /// Reads that follow see everything committed so far.
  func refresh() throws

  /// Gives the value of a key to the checksum; whether there is one.
  func get(_ key: UnsafeRawBufferPointer, _ values: inout ValueChecksum) throws -> Bool

  /// Gives the values of keys that lie one behind the other, each of `keySize` bytes.
  func multiGet(
    _ keys: UnsafeRawBufferPointer, keySize: Int, _ values: inout ValueChecksum
  ) throws

  /// Gives the values of up to `limit` keys in order, from a key or the first.
  func scan(
    from key: UnsafeRawBufferPointer?, limit: Int, _ values: inout ValueChecksum
  ) throws

  /// Gives all values, the last key's first.
  func scanBackward(_ values: inout ValueChecksum) throws

  /// Brings the store into its best shape for reading.
  func compact() throws

  /// Whether the engine says that it works behind the calls; false where it doesn't say.
  var isBusy: Bool { get }

  /// A handle on the same store for another thread.
  func secondHandle() throws -> Self

  /// Closes the handle, and with the first one the store.
  func close() throws

  /// Whether a file in the store's directory is a log.
  static func isLog(_ name: String) -> Bool
}

extension KeyValueEngine {
  var isBusy: Bool { false }
  func secondHandle() throws -> Self { self }

  func multiGet(
    _ keys: UnsafeRawBufferPointer, keySize: Int, _ values: inout ValueChecksum
  ) throws {
    for offset in stride(from: 0, to: keys.count, by: keySize) {
      _ = try get(UnsafeRawBufferPointer(rebasing: keys[offset..<offset + keySize]), &values)
    }
  }
}

/// Changes that an engine commits together.
protocol KeyValueBatch {
  func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
  func delete(_ key: UnsafeRawBufferPointer) throws
}

/// What every engine is given alike.
struct KeyValueSettings: Codable {
  /// Bytes in which writes gather before they are sorted into files, all buffers together.
  var writeBuffer = 64 << 20
  /// Bytes of the cache of opened blocks or pages.
  var cache = 256 << 20
  /// Whether each read is on its own, or a thousand share a snapshot or transaction.
  var readsAreSingle = false
  /// Whether values have a thousand bytes rather than a hundred.
  var valuesAreLarge = false
}
