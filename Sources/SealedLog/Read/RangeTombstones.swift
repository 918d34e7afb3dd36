/// The ranges of one keyspace that were deleted, and are not yet applied to every table.
///
/// A range hides every version with a lower commit number from readers at or behind its own commit.
/// Ranges are cut into fragments that don't overlap, so that a look-up is one binary search.
final class RangeTombstones: Sendable {
  /// One deleted range: from `lower` to before `upper`, or to the end where `upper` is empty.
  struct Range: Equatable, Sendable {
    var lower: [UInt8]
    var upper: [UInt8]
    var commit: UInt64

    /// Whether any key from `smallest` to `largest` lies in the range.
    func meets(_ smallest: [UInt8], _ largest: [UInt8]) -> Bool {
      compareKeys(lower, largest) <= 0 && (upper.isEmpty || compareKeys(smallest, upper) < 0)
    }

    /// Whether all keys from `smallest` to `largest` lie in the range.
    func covers(_ smallest: [UInt8], _ largest: [UInt8]) -> Bool {
      compareKeys(lower, smallest) <= 0 && (upper.isEmpty || compareKeys(largest, upper) < 0)
    }
  }

  private struct Fragment {
    var lower: [UInt8]
    /// Commits of the ranges that cover the fragment, ascending; empty between ranges.
    var commits: [UInt64]
  }

  /// In the order of their commits.
  let ranges: [Range]
  private let fragments: [Fragment]

  init(_ ranges: [Range]) {
    self.ranges = ranges.sorted { $0.commit < $1.commit }
    var bounds = ranges.map(\.lower) + ranges.map(\.upper).filter { !$0.isEmpty }
    bounds.sort { compareKeys($0, $1) < 0 }
    var fragments: [Fragment] = []
    for bound in bounds where fragments.last?.lower != bound {
      let commits = self.ranges.filter { $0.covers(bound, bound) }.map(\.commit)
      fragments.append(Fragment(lower: bound, commits: commits))
    }
    self.fragments = fragments
  }

  /// The ranges together with one more.
  func adding(_ more: [Range]) -> RangeTombstones { RangeTombstones(ranges + more) }

  /// Commits of the ranges that cover a key, ascending.
  @inline(__always)
  private func commits(covering key: UnsafeRawBufferPointer) -> [UInt64] {
    var low = 0
    var high = fragments.count
    while low < high {
      let middle = (low + high) / 2
      let isAfter = unsafe fragments[middle].lower.withRaw { unsafe compareKeys($0, key) > 0 }
      if isAfter { high = middle } else { low = middle + 1 }
    }
    return low == 0 ? [] : fragments[low - 1].commits
  }

  /// Whether a version of a key is hidden from a reader at `reader`.
  func hides(_ key: UnsafeRawBufferPointer, version commit: UInt64, from reader: UInt64) -> Bool {
    guard let newest = unsafe commits(covering: key).last(where: { $0 <= reader }) else {
      return false
    }
    return newest > commit
  }

  /// The first deletion of a version of a key, and whether another covers the key that doesn't hide
  /// the version: an older one, or one of the same commit, which put the version behind it.
  func fate(
    of key: UnsafeRawBufferPointer, version commit: UInt64
  ) -> (hiddenFrom: UInt64?, hasOlder: Bool) {
    let all = unsafe commits(covering: key)
    return (all.first { $0 > commit }, (all.first ?? .max) <= commit)
  }
}
