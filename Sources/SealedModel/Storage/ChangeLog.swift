/// What saves changed, for the other contexts of a container to catch up with.
struct ChangeLog {
  struct Change {
    let generation: UInt64
    let author: ObjectIdentifier
    let locals: [UInt64]
  }

  private(set) var generation: UInt64 = 0
  private var changes: [Change] = []
  private var total = 0
  /// More than this and contexts that are behind look at everything they hold.
  private static let limit = 100_000

  mutating func append(_ locals: [UInt64], by author: ObjectIdentifier) {
    generation += 1
    changes.append(Change(generation: generation, author: author, locals: locals))
    total += locals.count
    while total > Self.limit, changes.count > 1 { total -= changes.removeFirst().locals.count }
  }

  /// What others changed since; nil where that is no longer known.
  func changes(since generation: UInt64, notBy author: ObjectIdentifier) -> [UInt64]? {
    if generation == self.generation { return [] }
    guard let first = changes.first, first.generation <= generation + 1 else { return nil }
    return changes.filter { $0.generation > generation && $0.author != author }
      .flatMap(\.locals)
  }
}
