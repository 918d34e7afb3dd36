internal import Synchronization

extension Engine {
  /// The keyspaces of the given names; missing ones are made, durably, by one edit.
  func makeKeyspaces(_ names: [String]) throws(StoreError) -> [Keyspace] {
    for name in names {
      guard !name.isEmpty, name.utf8.first != 0, name.utf8.count <= Keyspace.nameLimit else {
        throw StoreError(
          .limitExceeded,
          "a keyspace's name has 1 to \(Keyspace.nameLimit) bytes of UTF-8, the first not zero")
      }
    }
    return try exclusively { () throws(StoreError) in
      try checkReadable()
      let present = manifest.state.keyspaces
      var ids = Dictionary(
        present.map { (String(decoding: $0.value, as: UTF8.self), $0.key) },
        uniquingKeysWith: { first, _ in first })
      var records: [ManifestRecord] = []
      for name in names where ids[name] == nil {
        // File numbers and keyspace ids come from one counter: neither is ever given out twice.
        guard let id = UInt32(exactly: files.takeNumber()) else {
          throw StoreError(.limitExceeded, "the store has given out all keyspace numbers")
        }
        ids[name] = id
        records.append(.keyspace(id: id, name: Array(name.utf8)))
      }
      guard ids.count <= Keyspace.countLimit else {
        throw StoreError(
          .limitExceeded, "a store has at most \(Keyspace.countLimit) keyspaces")
      }
      if !records.isEmpty {
        try checkWritable()
        records.append(.nextNumber(files.nextNumber))
        try manifest.editOrRewrite(records, engine: self)
      }
      return names.compactMap { ids[$0].map { Keyspace(id: $0) } }
    }
  }

  /// How the keyspace's last level is stored from now on.
  func setCompression(_ compression: Compression, of keyspace: Keyspace) {
    state.withLock { $0.compressed[keyspace.id] = compression }
  }

  func compression(of keyspace: UInt32) -> Compression {
    state.withLock { $0.compressed[keyspace] ?? .none }
  }

  func dropKeyspace(_ keyspace: Keyspace) throws(StoreError) {
    try exclusively { () throws(StoreError) in
      try checkWritable()
      guard manifest.state.keyspaces[keyspace.id] != nil else {
        throw StoreError(.invalidArgument, "the keyspace is not there, or was dropped")
      }
      // No crash may show the drop without the commits before it.
      do throws(StoreError) { try syncLog() } catch { throw recover(from: error) }
      try manifest.editOrRewrite([.dropKeyspace(id: keyspace.id)], engine: self)
      forget(keyspace)
    }
    compactor.wake()
    runInline()
  }

  /// Puts one keyspace in another's place: it takes the other's name, and the other is dropped, by
  /// one edit.
  func replaceKeyspace(_ old: Keyspace, by new: Keyspace) throws(StoreError) {
    try exclusively { () throws(StoreError) in
      try checkWritable()
      let names = manifest.state.keyspaces
      guard old != new, let name = names[old.id], names[new.id] != nil else {
        throw StoreError(.invalidArgument, "a keyspace is not there, or was dropped")
      }
      // What the new one holds must be durable before the old one goes.
      do throws(StoreError) { try syncLog() } catch { throw recover(from: error) }
      try manifest.editOrRewrite(
        [.dropKeyspace(id: old.id), .renameKeyspace(id: new.id, name: name)], engine: self)
      forget(old)
    }
    compactor.wake()
    runInline()
  }

  private func forget(_ keyspace: Keyspace) {
    state.withLock { state in
      var trees = state.view.trees
      if let tree = trees.removeValue(forKey: keyspace.id) {
        state.obsolete += tree.levels.joined()
      }
      var ranges = state.view.ranges
      ranges[keyspace.id] = nil
      state.show(trees: trees, ranges: ranges)
    }
  }
}
