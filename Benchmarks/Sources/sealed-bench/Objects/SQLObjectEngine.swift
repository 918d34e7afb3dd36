import BenchmarkSupport
import CPeers

/// Folders and notes in SQLite or SQLCipher: rows mapped to Swift structs by hand, through the C
/// interface with prepared statements.
class SQLObjectEngine: ObjectEngine {
  class var library: SQLDatabase.Library { .sqlite }

  private let database: SQLDatabase
  private let api: sql_api
  private var text: NoteText { .shared }
  private let statements: Statements

  var version: String { database.version }
  let settingsText: String

  /// A note with title and body.
  private struct Note {
    let title: String
    let body: String
  }
  /// A note as lists show it.
  private struct NoteLine {
    let title: String
    let created: Double
  }

  private struct Statements {
    let begin, commit, insertFolder, insertNote, get, all, sorted, contains, count, children,
      update,
      delete, first, titles: OpaquePointer

    init(_ database: SQLDatabase) throws {
      begin = try database.prepare("BEGIN")
      commit = try database.prepare("COMMIT")
      insertFolder = try database.prepare("INSERT INTO folder(id, name) VALUES(?1, ?2)")
      insertNote = try database.prepare(
        "INSERT INTO note(id, title, body, created, priority, flag, folder) "
          + "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      get = try database.prepare("SELECT title, body FROM note WHERE id = ?1")
      all = try database.prepare("SELECT title, created FROM note ORDER BY id")
      sorted = try database.prepare(
        "SELECT title, created FROM note WHERE priority = ?1 ORDER BY created LIMIT 50")
      contains = try database.prepare(
        "SELECT title FROM note WHERE instr(title, ?1) > 0 ORDER BY id")
      count = try database.prepare("SELECT count(*) FROM note WHERE flag = 1")
      children = try database.prepare("SELECT title FROM note WHERE folder = ?1")
      update = try database.prepare("UPDATE note SET title = ?2 WHERE id = ?1")
      delete = try database.prepare("DELETE FROM note WHERE id = ?1")
      first = try database.prepare("SELECT title FROM note ORDER BY id LIMIT 1")
      titles = try database.prepare("SELECT title FROM note ORDER BY id")
    }

    var everyOne: [OpaquePointer] {
      [
        begin, commit, insertFolder, insertNote, get, all, sorted, contains, count, children,
        update,
        delete, first, titles,
      ]
    }
  }

  static func load() throws { _ = try library.load() }

  required init(directory: String, cache: Int) throws {
    let log = KeyValueSettings().writeBuffer
    database = try SQLDatabase(
      Self.library, file: directory + "/store.db", cache: cache, log: log)
    api = database.api
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS folder(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS note(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, created REAL NOT NULL,
        priority INTEGER NOT NULL, flag INTEGER NOT NULL, folder INTEGER REFERENCES folder(id));
      CREATE INDEX IF NOT EXISTS note_priority ON note(priority, created);
      CREATE INDEX IF NOT EXISTS note_folder ON note(folder);
      """)
    statements = try Statements(database)
    settingsText = SQLDatabase.settings(cache: cache, log: log)
  }

  // MARK: Binding and reading

  private func bind(_ statement: OpaquePointer, _ index: CInt, _ number: Int) {
    _ = api.bind_int64(statement, index, Int64(number))
  }

  /// Binds a text; SQLite copies it.
  private func bind(_ statement: OpaquePointer, _ index: CInt, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // -1 as a destructor: make a copy.
        _ = api.bind_text(
          statement, index, characters.baseAddress, CInt(characters.count),
          unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self))
      }
    }
  }

  private func string(_ statement: OpaquePointer, _ column: CInt) -> String {
    let start = api.column_text(statement, column)
    let count = Int(api.column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func inTransaction(_ body: () throws -> Void) throws {
    try database.run(statements.begin)
    try body()
    try database.run(statements.commit)
  }

  // MARK: Workloads

  func insertFolders(_ count: Int) throws {
    try inTransaction {
      for number in 0..<count {
        bind(statements.insertFolder, 1, number + 1)
        bind(statements.insertFolder, 2, "Folder \(number)")
        try database.run(statements.insertFolder)
      }
    }
  }

  func insertNotes(_ notes: Range<Int>, folderCount: Int) throws {
    let statement = statements.insertNote
    try inTransaction {
      for number in notes {
        bind(statement, 1, number + 1)
        bind(statement, 2, text.title(number))
        bind(statement, 3, text.body(number))
        _ = api.bind_double(statement, 4, NoteFigures.created(number))
        bind(statement, 5, NoteFigures.priority(number))
        bind(statement, 6, NoteFigures.flag(number) ? 1 : 0)
        bind(statement, 7, NoteFigures.folder(number, of: folderCount) + 1)
        try database.run(statement)
      }
    }
  }

  func prepareAccess() throws {}

  func get(_ notes: ArraySlice<UInt32>, _ values: inout ValueChecksum) throws {
    let statement = statements.get
    try database.run(statements.begin)
    for number in notes {
      bind(statement, 1, Int(number) + 1)
      guard try database.row(statement) else { throw BenchmarkError("no note \(number)") }
      let note = Note(title: string(statement, 0), body: string(statement, 1))
      _ = api.reset(statement)
      values.take(note.title)
      values.take(note.body)
    }
    try database.run(statements.commit)
  }

  private func lines(_ statement: OpaquePointer) throws -> [NoteLine] {
    var lines: [NoteLine] = []
    while try database.row(statement) {
      lines.append(
        NoteLine(title: string(statement, 0), created: api.column_double(statement, 1)))
    }
    return lines
  }

  func fetchAll(_ values: inout ValueChecksum) throws {
    for line in try lines(statements.all) {
      values.take(line.title)
      values.take(line.created)
    }
  }

  func fetchSorted(priority: Int, _ values: inout ValueChecksum) throws {
    bind(statements.sorted, 1, priority)
    for line in try lines(statements.sorted) {
      values.take(line.title)
      values.take(line.created)
    }
  }

  private func titles(_ statement: OpaquePointer, _ body: (String) -> Void) throws {
    while try database.row(statement) { body(string(statement, 0)) }
  }

  func fetch(titleContaining word: String, _ values: inout ValueChecksum) throws {
    bind(statements.contains, 1, word)
    try titles(statements.contains) { values.take($0) }
  }

  func countFlagged() throws -> Int {
    guard try database.row(statements.count) else { return 0 }
    let count = Int(api.column_int64(statements.count, 0))
    _ = api.reset(statements.count)
    return count
  }

  func children(ofFolder folder: Int, _ title: (String) -> Void) throws {
    bind(statements.children, 1, folder + 1)
    try titles(statements.children, title)
  }

  func update(_ notes: ArraySlice<UInt32>, version: Int) throws {
    try inTransaction {
      for number in notes {
        bind(statements.update, 1, Int(number) + 1)
        bind(statements.update, 2, text.title(Int(number), version: version))
        try database.run(statements.update)
      }
    }
  }

  func delete(_ notes: ArraySlice<UInt32>) throws {
    try inTransaction {
      for number in notes {
        bind(statements.delete, 1, Int(number) + 1)
        try database.run(statements.delete)
      }
    }
  }

  func first(_ values: inout ValueChecksum) throws {
    try titles(statements.first) { values.take($0) }
  }

  func enumerate(_ values: inout ValueChecksum) throws {
    try titles(statements.titles) { values.take($0) }
  }

  func compact() throws { try database.execute("VACUUM") }

  func close() throws {
    for statement in statements.everyOne { _ = api.finalize(statement) }
    try database.close()
  }

  static func isLog(_ name: String) -> Bool { SQLEngine.isLog(name) }
}

/// The same in SQLCipher.
final class SQLCipherObjectEngine: SQLObjectEngine {
  override class var library: SQLDatabase.Library { .sqlcipher }
}
