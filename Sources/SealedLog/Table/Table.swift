internal import Synchronization

/// A table of the store: what the manifest says of it, and its contents once they are needed.
final class Table: Sendable {
  let entry: TableEntry
  private let smallestWord: UInt64
  private let largestWord: UInt64
  private let files: StoreFiles
  /// Unmanaged `TableContents`, owned by this object; zero while not loaded.
  private let contents = Atomic<UInt>(0)
  private let loading = Mutex<Void>(())

  init(entry: TableEntry, files: StoreFiles) {
    self.entry = entry
    self.files = files
    smallestWord = Self.word(entry.smallestKey)
    largestWord = Self.word(entry.largestKey)
  }

  deinit { unload() }

  private static func word(_ key: [UInt8]) -> UInt64 {
    unsafe key.withRaw { raw in
      guard let base = raw.baseAddress else { return 0 }
      return unsafe keyPrefix(base, raw.count)
    }
  }

  /// The contents, read in if need be, without a retain: good while the caller is inside the
  /// store's reader gate.
  @inline(__always)
  func loaded() throws(StoreError) -> Unmanaged<TableContents> {
    let pattern = contents.load(ordering: .acquiring)
    if _fastPath(pattern != 0), let address = unsafe UnsafeRawPointer(bitPattern: pattern) {
      return unsafe Unmanaged.fromOpaque(address)
    }
    return try unsafe load()
  }

  @inline(never)
  private func load() throws(StoreError) -> Unmanaged<TableContents> {
    let result = unsafe loading.withLock { _ -> Result<Unmanaged<TableContents>, StoreError> in
      let pattern = contents.load(ordering: .acquiring)
      if pattern != 0, let address = unsafe UnsafeRawPointer(bitPattern: pattern) {
        return unsafe .success(Unmanaged.fromOpaque(address))
      }
      do throws(StoreError) {
        let made = unsafe Unmanaged.passRetained(try files.openTable(entry))
        unsafe contents.store(UInt(bitPattern: made.toOpaque()), ordering: .releasing)
        return unsafe .success(made)
      } catch { return unsafe .failure(error) }
    }
    return try unsafe result.get()
  }

  /// Drops the contents: for a store lock, outside all readers.
  func unload() {
    let pattern = contents.exchange(0, ordering: .acquiringAndReleasing)
    if pattern != 0, let address = unsafe UnsafeRawPointer(bitPattern: pattern) {
      unsafe Unmanaged<TableContents>.fromOpaque(address).release()
    }
  }

  /// Whether the key lies within the table's range; `word` is its first eight bytes.
  @inline(__always)
  func covers(_ key: UnsafeRawBufferPointer, word: UInt64) -> Bool {
    if word < smallestWord || word > largestWord { return false }
    if word > smallestWord, word < largestWord { return true }
    return unsafe slowCovers(key)
  }

  @inline(never)
  private func slowCovers(_ key: UnsafeRawBufferPointer) -> Bool {
    unsafe entry.smallestKey.withRaw { unsafe compareKeys($0, key) <= 0 }
      && entry.largestKey.withRaw { unsafe compareKeys($0, key) >= 0 }
  }

  /// Whether the key is behind the table's last.
  @inline(__always)
  func endsBefore(_ key: UnsafeRawBufferPointer, word: UInt64) -> Bool {
    if word != largestWord { return word > largestWord }
    return unsafe entry.largestKey.withRaw { unsafe compareKeys($0, key) < 0 }
  }
}
