import BenchmarkSupport
import CPeers

/// A key-value store in a table of SQLite or SQLCipher.
class SQLEngine: KeyValueEngine {
  class var library: SQLDatabase.Library { .sqlite }

  private let directory: String
  private let settings: KeyValueSettings
  private let database: SQLDatabase
  private let api: sql_api
  private let statements: Statements
  private var isReading = false

  var version: String { database.version }
  let settingsText: String

  private struct Statements {
    let begin: OpaquePointer
    let commit: OpaquePointer
    let put: OpaquePointer
    let delete: OpaquePointer
    let get: OpaquePointer
    let scan: OpaquePointer
    let scanAll: OpaquePointer
    let scanBackward: OpaquePointer

    init(_ database: SQLDatabase) throws {
      begin = try database.prepare("BEGIN")
      commit = try database.prepare("COMMIT")
      put = try database.prepare("INSERT OR REPLACE INTO kv(k, v) VALUES(?1, ?2)")
      delete = try database.prepare("DELETE FROM kv WHERE k = ?1")
      get = try database.prepare("SELECT v FROM kv WHERE k = ?1")
      scan = try database.prepare("SELECT v FROM kv WHERE k >= ?1 ORDER BY k LIMIT ?2")
      scanAll = try database.prepare("SELECT v FROM kv ORDER BY k LIMIT ?1")
      scanBackward = try database.prepare("SELECT v FROM kv ORDER BY k DESC")
    }

    var all: [OpaquePointer] {
      [begin, commit, put, delete, get, scan, scanAll, scanBackward]
    }
  }

  required init(directory: String, settings: KeyValueSettings) throws {
    self.directory = directory
    self.settings = settings
    database = try SQLDatabase(
      Self.library, file: directory + "/store.db", cache: settings.cache,
      log: settings.writeBuffer)
    api = database.api
    // Rows of more than a quarter of a page overflow a tree of keys, each to a page of its own:
    // large values lie in a table of rows, beside an index.
    let layout = settings.valuesAreLarge ? "" : " WITHOUT ROWID"
    try database.execute("CREATE TABLE IF NOT EXISTS kv(k BLOB PRIMARY KEY, v BLOB)" + layout)
    statements = try Statements(database)
    settingsText = SQLDatabase.settings(cache: settings.cache, log: settings.writeBuffer)
  }

  struct Batch: KeyValueBatch {
    let engine: SQLEngine

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
      try engine.put(key, value)
    }

    func delete(_ key: UnsafeRawBufferPointer) throws { try engine.delete(key) }
  }

  private func bind(_ statement: OpaquePointer, _ bytes: UnsafeRawBufferPointer, at index: CInt) {
    // No destructor: the bytes outlive the statement's run.
    _ = api.bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), nil)
  }

  private func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
    bind(statements.put, key, at: 1)
    bind(statements.put, value, at: 2)
    try database.run(statements.put)
  }

  private func delete(_ key: UnsafeRawBufferPointer) throws {
    bind(statements.delete, key, at: 1)
    try database.run(statements.delete)
  }

  func write(_ body: (inout Batch) throws -> Void) throws {
    try endReading()
    try database.run(statements.begin)
    var batch = Batch(engine: self)
    try body(&batch)
    try database.run(statements.commit)
  }

  func refresh() throws {
    try endReading()
    if settings.readsAreSingle { return }
    try database.run(statements.begin)
    isReading = true
  }

  private func endReading() throws {
    guard isReading else { return }
    try database.run(statements.commit)
    isReading = false
  }

  func get(_ key: UnsafeRawBufferPointer, _ values: inout ValueChecksum) throws -> Bool {
    bind(statements.get, key, at: 1)
    guard try database.row(statements.get) else { return false }
    take(statements.get, &values)
    _ = api.reset(statements.get)
    return true
  }

  private func take(_ statement: OpaquePointer, _ values: inout ValueChecksum) {
    let start = api.column_blob(statement, 0)
    let count = Int(api.column_bytes(statement, 0))
    if let start { values.take(start, count) }
  }

  func scan(
    from key: UnsafeRawBufferPointer?, limit: Int, _ values: inout ValueChecksum
  ) throws {
    let statement: OpaquePointer
    if let key {
      statement = statements.scan
      bind(statement, key, at: 1)
      _ = api.bind_int64(statement, 2, Int64(clamping: limit))
    } else {
      statement = statements.scanAll
      _ = api.bind_int64(statement, 1, Int64(clamping: limit))
    }
    while try database.row(statement) { take(statement, &values) }
  }

  func scanBackward(_ values: inout ValueChecksum) throws {
    while try database.row(statements.scanBackward) { take(statements.scanBackward, &values) }
  }

  /// Rebuilds the file, its pages full and in order.
  func compact() throws {
    try endReading()
    try database.execute("VACUUM")
  }

  func secondHandle() throws -> Self {
    try Self(directory: directory, settings: settings)
  }

  func close() throws {
    try endReading()
    for statement in statements.all { _ = api.finalize(statement) }
    try database.close()
  }

  static func isLog(_ name: String) -> Bool { name.hasSuffix("-wal") || name.hasSuffix("-shm") }
}

/// SQLCipher: SQLite with every page encrypted and authenticated.
final class SQLCipherEngine: SQLEngine {
  override class var library: SQLDatabase.Library { .sqlcipher }
}
