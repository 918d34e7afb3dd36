import BenchmarkSupport
import CPeers

/// LMDB: reads get pointers into its map.
final class LMDBEngine: KeyValueEngine {
  private static let api = Result {
    var api = lmdb_api()
    if let problem = lmdb_api_load("liblmdb.so.0", &api) {
      throw BenchmarkError("LMDB: \(String(cString: problem)); run Benchmarks/setup")
    }
    return api
  }

  /// Address space for the map; the file grows as it is written.
  private static let mapSize = 64 << 30

  private let api: lmdb_api
  private let environment: OpaquePointer
  private let database: MDB_dbi
  private let readsAreSingle: Bool
  private var reader: OpaquePointer?
  private var cursor: OpaquePointer?

  let version: String
  let settingsText = "map of 64 GiB, MDB_NOSYNC; no caches of its own"

  init(directory: String, settings: KeyValueSettings) throws {
    let api = try Self.api.get()
    self.api = api
    readsAreSingle = settings.readsAreSingle
    var parts: (CInt, CInt, CInt) = (0, 0, 0)
    _ = api.version(&parts.0, &parts.1, &parts.2)
    version = "\(parts.0).\(parts.1).\(parts.2)"
    func check(_ code: CInt) throws { try Self.check(code, api) }
    var environment: OpaquePointer?
    try check(api.env_create(&environment))
    try check(api.env_set_mapsize(environment, Self.mapSize))
    try check(
      api.env_open(
        environment, directory + "/store", UInt32(MDB_NOSYNC | MDB_NOSUBDIR | MDB_NOTLS), 0o600))
    var transaction: OpaquePointer?
    try check(api.txn_begin(environment, nil, 0, &transaction))
    var database: MDB_dbi = 0
    try check(api.dbi_open(transaction, nil, 0, &database))
    try check(api.txn_commit(transaction))
    guard let environment else { throw BenchmarkError("LMDB didn't open") }
    self.environment = environment
    self.database = database
  }

  private static func check(_ code: CInt, _ api: lmdb_api) throws {
    guard code != 0 else { return }
    throw BenchmarkError("LMDB: \(String(cString: api.strerror(code)!))")
  }

  private func check(_ code: CInt) throws { if code != 0 { try Self.check(code, api) } }

  struct Batch: KeyValueBatch {
    let engine: LMDBEngine
    let transaction: OpaquePointer

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
      var key = MDB_val(key)
      var value = MDB_val(value)
      try engine.check(engine.api.put(transaction, engine.database, &key, &value, 0))
    }

    func delete(_ key: UnsafeRawBufferPointer) throws {
      var key = MDB_val(key)
      let code = engine.api.del(transaction, engine.database, &key, nil)
      if code != MDB_NOTFOUND { try engine.check(code) }
    }
  }

  func write(_ body: (inout Batch) throws -> Void) throws {
    // A reader that nobody needs any more would keep pages from being used again.
    if readsAreSingle, let reader { api.txn_reset(reader) }
    var transaction: OpaquePointer?
    try check(api.txn_begin(environment, nil, 0, &transaction))
    guard let transaction else { throw BenchmarkError("LMDB gave no transaction") }
    var batch = Batch(engine: self, transaction: transaction)
    try body(&batch)
    try check(api.txn_commit(transaction))
  }

  func refresh() throws {
    if let reader {
      api.txn_reset(reader)
      try check(api.txn_renew(reader))
      if let cursor { try check(api.cursor_renew(reader, cursor)) }
    } else {
      try check(api.txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader))
      try check(api.cursor_open(reader, database, &cursor))
    }
  }

  func get(_ key: UnsafeRawBufferPointer, _ values: inout ValueChecksum) throws -> Bool {
    var key = MDB_val(key)
    var value = MDB_val()
    let code = api.get(reader, database, &key, &value)
    if code == MDB_NOTFOUND { return false }
    try check(code)
    values.take(value.mv_data, value.mv_size)
    return true
  }

  func scan(
    from key: UnsafeRawBufferPointer?, limit: Int, _ values: inout ValueChecksum
  ) throws {
    var found = key.map { MDB_val($0) } ?? MDB_val()
    var value = MDB_val()
    var rest = limit
    var code = api.cursor_get(
      cursor, &found, &value, key == nil ? MDB_FIRST : MDB_SET_RANGE)
    while code == 0, rest > 0 {
      values.take(value.mv_data, value.mv_size)
      rest -= 1
      if rest > 0 { code = api.cursor_get(cursor, &found, &value, MDB_NEXT) }
    }
    if code != MDB_NOTFOUND { try check(code) }
  }

  func scanBackward(_ values: inout ValueChecksum) throws {
    var found = MDB_val()
    var value = MDB_val()
    var code = api.cursor_get(cursor, &found, &value, MDB_LAST)
    while code == 0 {
      values.take(value.mv_data, value.mv_size)
      code = api.cursor_get(cursor, &found, &value, MDB_PREV)
    }
    if code != MDB_NOTFOUND { try check(code) }
  }

  /// A tree has nothing to compact but its free pages, which cost reads nothing.
  func compact() throws {}

  func close() throws {
    if let cursor { api.cursor_close(cursor) }
    if let reader { api.txn_abort(reader) }
    api.env_close(environment)
  }

  /// There is none; the lock file is no part of the data.
  static func isLog(_ name: String) -> Bool { name.hasSuffix("-lock") }
}

extension MDB_val {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}
