import BenchmarkSupport
import CPeers

/// A connection of SQLite or SQLCipher, which share an interface.
final class SQLDatabase {
  /// The two libraries.
  enum Library: String {
    case sqlite, sqlcipher

    var title: String { self == .sqlite ? "SQLite" : "SQLCipher" }
    private var file: String { self == .sqlite ? "libsqlite3.so.0" : "libsqlcipher.so.0" }

    /// Its functions.
    func load() throws -> sql_api {
      var api = sql_api()
      if let problem = sql_api_load(file, &api) {
        throw BenchmarkError("\(title): \(String(cString: problem)); run Benchmarks/setup")
      }
      return api
    }
  }

  let api: sql_api
  private let library: Library
  private let connection: OpaquePointer

  /// Opens a file with a cache of `cache` bytes, a log of up to `log` bytes, and no syncs.
  init(_ library: Library, file: String, cache: Int, log: Int) throws {
    self.library = library
    api = try library.load()
    var opened: OpaquePointer?
    // Read and write, create; every connection is used by one thread.
    let flags = CInt(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    guard api.open_v2(file, &opened, flags, nil) == SQLITE_OK, let opened else {
      throw BenchmarkError("\(library.title) didn't open \(file)")
    }
    connection = opened
    if library == .sqlcipher {
      // A raw key: no time goes into a passphrase. Version 3's default page has 1,024 bytes.
      let key = String(repeating: "07", count: 32)
      try execute("PRAGMA key = \"x'\(key)'\"")
      try execute("PRAGMA cipher_page_size = 4096")
    } else {
      try execute("PRAGMA page_size = 4096")
    }
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = OFF")
    try execute("PRAGMA cache_size = -\(cache / 1024)")
    try execute("PRAGMA wal_autocheckpoint = \(log / 4096)")
    try execute("PRAGMA busy_timeout = 10000")
    if library == .sqlite { try execute("PRAGMA mmap_size = \(Self.mapSize)") }
    try execute("PRAGMA temp_store = MEMORY")
  }

  private static let mapSize = 0

  static func settings(cache: Int, log: Int) -> String {
    "WAL, synchronous=OFF, pages of 4 KiB, cache \(Figures.bytes(cache)), checkpoint every "
      + "\(Figures.bytes(log)), prepared statements"
  }

  var version: String {
    let sqlite = String(cString: api.libversion()!)
    guard library == .sqlcipher else { return sqlite }
    let own = try? text("PRAGMA cipher_version")
    return "\(own ?? "?") (SQLite \(sqlite))"
  }

  /// Runs statements without results that matter.
  func execute(_ sql: String) throws {
    try check(api.exec(connection, sql, nil, nil, nil), sql)
  }

  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(api.prepare_v2(connection, sql, -1, &statement, nil), sql)
    guard let statement else { throw BenchmarkError("\(library.title): \(sql) is empty") }
    return statement
  }

  /// Runs a statement that gives no rows, and makes it ready for the next time.
  func run(_ statement: OpaquePointer) throws {
    let code = api.step(statement)
    _ = api.reset(statement)
    if code != SQLITE_DONE { try check(code, "step") }
  }

  /// Goes to the next row; false, and the statement is ready again, where there is none.
  func row(_ statement: OpaquePointer) throws -> Bool {
    let code = api.step(statement)
    if code == SQLITE_ROW { return true }
    _ = api.reset(statement)
    if code != SQLITE_DONE { try check(code, "step") }
    return false
  }

  private func text(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    defer { _ = api.finalize(statement) }
    guard try row(statement), let text = api.column_text(statement, 0) else { return nil }
    return String(cString: text)
  }

  func check(_ code: CInt, _ what: String) throws {
    guard code != SQLITE_OK else { return }
    throw BenchmarkError(
      "\(library.title), \(what): \(String(cString: api.errmsg(connection)!))")
  }

  /// Closes the connection; the last one's closing empties the log.
  func close() throws { try check(api.close(connection), "close") }
}
