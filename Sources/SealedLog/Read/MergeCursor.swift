/// Merges ordered sources into one order, in either direction.
///
/// Of entries with the same key the earlier source's comes first: sources are listed newest first,
/// and all versions of a key in one are newer than those in the next. (Commit numbers can't tell:
/// flushes and compactions take them away where every reader sees the version.)
@safe final class MergeCursor {
  private let sources: [SourceCursor]
  private let unmanaged: UnsafeMutablePointer<Unmanaged<SourceCursor>>
  private let count: Int
  /// The source whose entry is current; -1 where there is none.
  private var winner = -1
  /// Going forward, the source that comes next after the winner; -1 where unknown or none.
  private var runnerUp = -1
  /// Going forward, whether the entry behind the current one may have the same key: an older version
  /// in the same source, or one in the runner-up.
  private(set) var mayRepeat = true

  init(_ sources: [SourceCursor]) {
    self.sources = sources
    count = sources.count
    // Calls through these retain nothing; `sources` owns them.
    unsafe unmanaged = .allocate(capacity: max(1, sources.count))
    for (index, source) in sources.enumerated() {
      unsafe (unmanaged + index).initialize(to: .passUnretained(source))
    }
  }

  deinit { unsafe unmanaged.deallocate() }

  @inline(__always)
  private func source(_ index: Int) -> SourceCursor {
    unsafe unmanaged[index].borrow { $0 }
  }

  var isValid: Bool { winner >= 0 }
  /// The current source; asked only while `isValid`.
  @inline(__always)
  func withCurrent<R>(_ body: (SourceCursor) -> R) -> R {
    unsafe unmanaged[winner].borrow { body($0) }
  }

  // MARK: Placing

  func seek(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {
    for source in sources { try unsafe source.seek(key, commit: commit) }
    pickFirst()
  }

  func seekBefore(_ key: UnsafeRawBufferPointer, commit: UInt64) throws(StoreError) {
    for source in sources { try unsafe source.seekBefore(key, commit: commit) }
    pickLast()
  }

  func seekToEnd(first: Bool) throws(StoreError) {
    for source in sources { try source.seekToEnd(first: first) }
    if first { pickFirst() } else { pickLast() }
  }

  // MARK: Moving

  /// Goes on; the last placing or move was forward.
  @inline(__always)
  func next() throws(StoreError) {
    let current = winner
    do throws(StoreError) {
      try unsafe unmanaged[current].borrow { (source) throws(StoreError) in try source.next() }
    } catch {
      winner = -1
      throw error
    }
    if _fastPath(unsafe unmanaged[current].borrow { $0.isValid }) {
      let isVersioned = unsafe unmanaged[current].borrow { $0.commit != 0 }
      if runnerUp < 0 {
        mayRepeat = isVersioned
        return
      }
      // Most of the time one source gives several entries in a row.
      let order = unsafe unmanaged[current].borrow { mine in
        unsafe unmanaged[runnerUp].borrow { theirs in mine.compare(to: theirs) }
      }
      if order < 0 || (order == 0 && current < runnerUp) {
        mayRepeat = isVersioned || order == 0
        return
      }
    }
    pickFirst()
  }

  /// Goes back; the last placing or move was backward.
  func previous() throws(StoreError) {
    do throws(StoreError) {
      try source(winner).previous()
    } catch {
      winner = -1
      throw error
    }
    pickLast()
  }

  private func pickFirst() {
    var best = -1
    var second = -1
    for index in 0..<count where source(index).isValid {
      if best < 0 {
        best = index
      } else if source(index).compare(to: source(best)) < 0 {
        second = best
        best = index
      } else if second < 0 || source(index).compare(to: source(second)) < 0 {
        second = index
      }
    }
    winner = best
    runnerUp = second
    mayRepeat =
      best >= 0
      && (source(best).commit != 0
        || (second >= 0 && source(best).compare(to: source(second)) == 0))
  }

  private func pickLast() {
    var best = -1
    for index in 0..<count where source(index).isValid {
      if best < 0 || source(index).compare(to: source(best)) >= 0 { best = index }
    }
    winner = best
  }
}
