public import SealedLog
internal import Synchronization

extension ModelContext {
  /// Writes everything that was inserted, changed and deleted, as one commit.
  ///
  /// Validation comes first; where it or the commit fails, context and store are as they were.
  /// - Parameter durability: `.full` returns once the commit is on the medium.
  /// - Throws: `StoreError`: `.validationFailed`, `.uniqueConflict`, `.deleteDenied`,
  ///   `.unknownEntity`, with entity, property and object in the message; `.locked`, `.closed`,
  ///   `.readOnly`, `.diskFull`, `.io`, `.limitExceeded`.
  public func save(durability: Durability = .full) throws(StoreError) {
    do {
      try container.saveLock.withLock { _ in
        try catchUp()
        guard hasChanges else { return }
        var save = ContextSave(context: self, snapshot: try currentSnapshot())
        defer { save.end() }
        let savepoint = Savepoint()
        self.savepoint = savepoint
        defer { self.savepoint = nil }
        do {
          try save.prepare()
          try save.commit(durability)
        } catch {
          self.savepoint = nil
          savepoint.restore(self)
          throw error
        }
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.validationFailed, "\(error)", cause: error)
    }
  }
}
