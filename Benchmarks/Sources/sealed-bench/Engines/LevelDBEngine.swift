import BenchmarkSupport
import CPeers

/// LevelDB through its C interface.
final class LevelDBEngine: KeyValueEngine {
  private static let api = Result {
    var api = leveldb_api()
    if let problem = leveldb_api_load("libleveldb.so.1d", &api) {
      throw BenchmarkError("LevelDB: \(String(cString: problem)); run Benchmarks/setup")
    }
    return api
  }

  private let api: leveldb_api
  private let database: OpaquePointer
  private let readOptions: OpaquePointer
  private let writeOptions: OpaquePointer
  private let batch: OpaquePointer
  private var iterator: OpaquePointer?

  var version: String { "\(api.major_version()).\(api.minor_version())" }
  let settingsText: String

  init(directory: String, settings: KeyValueSettings) throws {
    let api = try Self.api.get()
    self.api = api
    let options = api.options_create()!
    api.options_set_create_if_missing(options, 1)
    // A memtable fills while another is flushed.
    api.options_set_write_buffer_size(options, settings.writeBuffer / 2)
    api.options_set_cache(options, api.cache_create_lru(settings.cache))
    api.options_set_compression(options, 0)
    api.options_set_filter_policy(options, api.filterpolicy_create_bloom(10))
    var problem: UnsafeMutablePointer<CChar>?
    let opened = api.open(options, directory + "/store", &problem)
    try Self.check(problem, api)
    guard let opened else { throw BenchmarkError("LevelDB didn't open") }
    database = opened
    readOptions = api.readoptions_create()!
    writeOptions = api.writeoptions_create()!
    batch = api.writebatch_create()!
    settingsText =
      "write buffers 2 × \(Figures.bytes(settings.writeBuffer / 2)), block cache "
      + "\(Figures.bytes(settings.cache)), Bloom filter of 10 bits a key, no compression, no sync"
  }

  private static func check(_ problem: UnsafeMutablePointer<CChar>?, _ api: leveldb_api) throws {
    guard let problem else { return }
    defer { api.free(problem) }
    throw BenchmarkError("LevelDB: \(String(cString: problem))")
  }

  struct Batch: KeyValueBatch {
    let api: leveldb_api
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
    var count = 0
    let value = api.get(database, readOptions, key.chars, key.count, &count, &problem)
    try Self.check(problem, api)
    guard let value else { return false }
    values.take(value, count)
    api.free(value)
    return true
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

  func compact() throws { api.compact_range(database, nil, 0, nil, 0) }

  func close() throws {
    try refresh()
    api.writebatch_destroy(batch)
    api.close(database)
  }

  static func isLog(_ name: String) -> Bool { name.hasSuffix(".log") }
}
