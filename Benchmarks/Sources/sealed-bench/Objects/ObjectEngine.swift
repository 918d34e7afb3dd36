import BenchmarkSupport

/// A store of folders and notes as the workloads drive it.
///
/// Notes and folders are named by number, from 0 in order of insertion.
protocol ObjectEngine: AnyObject {
  /// Loads what every process loads once; before opening is timed.
  static func load() throws

  /// Opens the store in a directory, or makes one.
  init(directory: String, cache: Int) throws

  var version: String { get }
  var settingsText: String { get }

  /// Saves so many folders at once.
  func insertFolders(_ count: Int) throws
  /// Saves notes at once, in folders of the number given.
  func insertNotes(_ notes: Range<Int>, folderCount: Int) throws

  /// What `get`, `update` and `delete` need to find notes by number; not timed.
  func prepareAccess() throws

  /// Reads title and body of notes, in a new context or transaction.
  func get(_ notes: ArraySlice<UInt32>, _ values: inout ValueChecksum) throws
  /// Fetches all notes, in order of insertion, and reads title and creation date.
  func fetchAll(_ values: inout ValueChecksum) throws
  /// Fetches up to 50 notes of a priority, the oldest first, and reads title and creation date.
  func fetchSorted(priority: Int, _ values: inout ValueChecksum) throws
  /// Fetches the notes in whose title a word stands, and reads the titles.
  func fetch(titleContaining word: String, _ values: inout ValueChecksum) throws
  /// Counts the notes with the flag.
  func countFlagged() throws -> Int
  /// Reads the title of every note of a folder; the order is the engine's.
  func children(ofFolder folder: Int, _ title: (String) -> Void) throws
  /// Gives notes the title of a version, in one save.
  func update(_ notes: ArraySlice<UInt32>, version: Int) throws
  /// Deletes notes, in one save.
  func delete(_ notes: ArraySlice<UInt32>) throws
  /// Reads the first note's title.
  func first(_ values: inout ValueChecksum) throws
  /// Goes through all notes without holding them, and reads the titles.
  func enumerate(_ values: inout ValueChecksum) throws

  /// Brings the store into its smallest shape.
  func compact() throws

  func close() throws
  static func isLog(_ name: String) -> Bool
}

extension ObjectEngine {
  static func load() throws {}
}

extension ValueChecksum {
  /// Takes in a text.
  mutating func take(_ text: String) {
    var text = text
    text.withUTF8 { take(UnsafeRawBufferPointer($0)) }
  }

  /// Takes in a number.
  mutating func take(_ number: Double) {
    withUnsafeBytes(of: number) { take($0) }
  }
}
