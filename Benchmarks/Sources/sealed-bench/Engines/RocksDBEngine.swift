import BenchmarkSupport
import CPeers

/// RocksDB through its C interface.
final class RocksDBEngine: KeyValueEngine {
  private static let api = Result {
    var api = rocksdb_api()
    if let problem = rocksdb_api_load("librocksdb.so.7.8", &api) {
      throw BenchmarkError("RocksDB: \(String(cString: problem)); run Benchmarks/setup")
    }
    return api
  }

  private let api: rocksdb_api
  private let database: OpaquePointer
  private let family: OpaquePointer
  private let readOptions: OpaquePointer
  private let writeOptions: OpaquePointer
  private let batch: OpaquePointer
  private var iterator: OpaquePointer?

  /// RocksDB's C interface doesn't tell it.
  var version: String { Versions.mapped("librocksdb") }
  let settingsText: String

  init(directory: String, settings: KeyValueSettings) throws {
    let api = try Self.api.get()
    self.api = api
    let table = api.block_based_options_create()
    api.block_based_options_set_block_cache(table, api.cache_create_lru(settings.cache))
    api.block_based_options_set_filter_policy(table, api.filterpolicy_create_bloom_full(10))
    // Binary search and a hash in data blocks: faster point reads.
    api.block_based_options_set_data_block_index_type(table, 1)
    let options = api.options_create()
    api.options_set_create_if_missing(options, 1)
    api.options_set_write_buffer_size(options, settings.writeBuffer / 2)
    api.options_set_max_write_buffer_number(options, 2)
    api.options_set_max_background_jobs(options, 2)
    api.options_set_compression(options, 0)
    api.options_set_max_open_files(options, -1)
    api.options_set_block_based_table_factory(options, table)
    var problem: UnsafeMutablePointer<CChar>?
    var families: [OpaquePointer?] = [nil]
    let opened = "default".withCString { name in
      var names: [UnsafePointer<CChar>?] = [name]
      var familyOptions: [OpaquePointer?] = [options]
      return api.open_column_families(
        options, directory + "/store", 1, &names, &familyOptions, &families, &problem)
    }
    try Self.check(problem, api)
    guard let opened, let first = families[0] else {
      throw BenchmarkError("RocksDB didn't open")
    }
    database = opened
    family = first
    readOptions = api.readoptions_create()!
    writeOptions = api.writeoptions_create()!
    batch = api.writebatch_create()!
    settingsText =
      "write buffers 2 × \(Figures.bytes(settings.writeBuffer / 2)), block cache "
      + "\(Figures.bytes(settings.cache)), Bloom filter of 10 bits a key, hash index in blocks, "
      + "2 background jobs, no compression, no sync"
  }

  private static func check(_ problem: UnsafeMutablePointer<CChar>?, _ api: rocksdb_api) throws {
    guard let problem else { return }
    defer { api.free(problem) }
    throw BenchmarkError("RocksDB: \(String(cString: problem))")
  }

  struct Batch: KeyValueBatch {
    let api: rocksdb_api
    let batch: OpaquePointer

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      api.writebatch_put(batch, key.chars, key.count, value.chars, value.count)
    }

    func delete(_ key: UnsafeRawBufferPointer) {
      api.writebatch_delete(batch, key.chars, key.count)
    }
  }

  func write(_ body: (inout Batch) throws -> Void) throws {
    api.writebatch_clear(batch)
    var wrapped = Batch(api: api, batch: batch)
    try body(&wrapped)
    var problem: UnsafeMutablePointer<CChar>?
    api.write(database, writeOptions, batch, &problem)
    try Self.check(problem, api)
  }

  func refresh() throws {
    if let iterator { api.iter_destroy(iterator) }
    iterator = nil
  }

  func get(_ key: UnsafeRawBufferPointer, _ values: inout ValueChecksum) throws -> Bool {
    var problem: UnsafeMutablePointer<CChar>?
    let slice = api.get_pinned(database, readOptions, key.chars, key.count, &problem)
    try Self.check(problem, api)
    guard let slice else { return false }
    take(slice: slice, &values)
    return true
  }

  func multiGet(
    _ keys: UnsafeRawBufferPointer, keySize: Int, _ values: inout ValueChecksum
  ) throws {
    let count = keys.count / keySize
    let starts = (0..<count).map { index in keys.chars.map { $0 + index * keySize } }
    let sizes = [Int](repeating: keySize, count: count)
    var slices = [OpaquePointer?](repeating: nil, count: count)
    var problems = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
    api.batched_multi_get_cf(
      database, readOptions, family, count, starts, sizes, &slices, &problems, false)
    for problem in problems { try Self.check(problem, api) }
    for case let slice? in slices { take(slice: slice, &values) }
  }

  private func take(slice: OpaquePointer, _ values: inout ValueChecksum) {
    var count = 0
    if let value = api.pinnableslice_value(slice, &count) { values.take(value, count) }
    api.pinnableslice_destroy(slice)
  }

  func scan(
    from key: UnsafeRawBufferPointer?, limit: Int, _ values: inout ValueChecksum
  ) throws {
    let iterator = self.iterator ?? api.create_iterator(database, readOptions)!
    self.iterator = iterator
    if let key {
      api.iter_seek(iterator, key.chars, key.count)
    } else {
      api.iter_seek_to_first(iterator)
    }
    var rest = limit
    while rest > 0, api.iter_valid(iterator) != 0 {
      take(iterator, &values)
      rest -= 1
      if rest > 0 { api.iter_next(iterator) }
    }
    try check(iterator)
  }

  func scanBackward(_ values: inout ValueChecksum) throws {
    let iterator = self.iterator ?? api.create_iterator(database, readOptions)!
    self.iterator = iterator
    api.iter_seek_to_last(iterator)
    while api.iter_valid(iterator) != 0 {
      take(iterator, &values)
      api.iter_prev(iterator)
    }
    try check(iterator)
  }

  private func take(_ iterator: OpaquePointer, _ values: inout ValueChecksum) {
    var count = 0
    if let value = api.iter_value(iterator, &count) { values.take(value, count) }
  }

  private func check(_ iterator: OpaquePointer) throws {
    var problem: UnsafeMutablePointer<CChar>?
    api.iter_get_error(iterator, &problem)
    try Self.check(problem, api)
  }

  var isBusy: Bool {
    [
      "rocksdb.num-running-flushes", "rocksdb.num-running-compactions",
      "rocksdb.mem-table-flush-pending", "rocksdb.compaction-pending",
    ].contains { name in
      var value: UInt64 = 0
      return api.property_int(database, name, &value) == 0 && value > 0
    }
  }

  func compact() throws { api.compact_range(database, nil, 0, nil, 0) }

  func close() throws {
    try refresh()
    api.writebatch_destroy(batch)
    api.column_family_handle_destroy(family)
    api.close(database)
  }

  static func isLog(_ name: String) -> Bool { name.hasSuffix(".log") }
}
