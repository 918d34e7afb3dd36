internal import SealedStore

/// `sealed info`: what a store holds.
enum InfoCommand {
  static func run(_ access: StoreAccess) throws -> Tool.Exit {
    let store = try access.open()
    let figures = store.statistics
    Console.print("store      \(access.path)")
    Console.print("identity   \(store.id)")
    Console.print("openings   \(store.openEpoch) for writing, its creation among them")
    Console.print("commits    \(figures.lastCommit)")
    Console.print("logs       \(figures.logCount)")
    let recovery = store.recovery
    let end =
      recovery.unclean ? "not closed; \(recovery.replayedCommits) commits replayed" : "closed"
    Console.print("last end   \(end)")
    if recovery.discardedTail > 0 {
      Console.print("           \(recovery.discardedTail) bytes of unsynced remains left out")
    }
    Console.print("keyspaces")
    for keyspace in figures.keyspaces { print(keyspace) }
    Console.print("files")
    try StoreListing(path: access.path).print()
    try store.close()
    return .success
  }

  private static func print(_ figures: StoreStatistics.KeyspaceFigures) {
    let bytes = figures.bytes.reduce(0, +)
    let levels = zip(figures.tables, figures.bytes).enumerated().filter { $0.element.0 > 0 }
      .map { "L\($0.offset): \($0.element.0) (\(Format.bytes($0.element.1)))" }
    let tables = levels.isEmpty ? "no tables" : levels.joined(separator: ", ")
    Console.print(
      "  \(Format.padded(figures.name, 20)) \(Format.padded(Format.bytes(bytes), 12)) "
        + "\(figures.entries) entries in \(tables)")
  }
}
