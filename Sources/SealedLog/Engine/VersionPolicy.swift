/// Which versions of a key a flush or compaction keeps.
///
/// A version is kept if it is the newest that some reader may ask for. One that every reader sees
/// (of those that can see the key at all) loses its commit number: it costs no bytes any more,
/// unless the number must tell that the version is newer than a deleted range.
@safe struct VersionPolicy {
  /// Commits at which readers look, ascending; the last is the newest visible.
  let live: [UInt64]
  /// Whether nothing older of a key lies below, so that a removal may go with what it removes.
  let dropsTombstones: (UnsafeRawBufferPointer) -> Bool
  /// The keyspace's deleted ranges.
  let ranges: RangeTombstones?

  private var oldest: UInt64 { live.first ?? 0 }

  /// The number under which to keep a version; nil to drop it.
  ///
  /// - Parameter newer: The commit of the next newer version of the key that was met, if any.
  @inline(__always)
  func keptCommit(_ commit: UInt64, newer: UInt64?, isTombstone: Bool, key: UnsafeRawBufferPointer)
    -> UInt64?
  {
    var newer = newer
    var hasOlderRange = false
    if let ranges {
      let fate = unsafe ranges.fate(of: key, version: commit)
      newer = [newer, fate.hiddenFrom].compactMap(\.self).min()
      hasOlderRange = fate.hasOlder
    }
    if let newer {
      // Between this version and the newer one some reader must look.
      guard live.contains(where: { $0 >= commit && $0 < newer }) else { return nil }
    }
    if commit <= oldest {
      if isTombstone, unsafe dropsTombstones(key) { return nil }
      return hasOlderRange ? commit : 0
    }
    return commit
  }
}
