public import SealedLog
internal import Synchronization

extension SecureRuntime {
  /// Makes an open store known, so that it is locked and unlocked with the runtime.
  ///
  /// It is held weakly.
  public func register(_ store: any LockableStore) {
    state.withLock { state in
      state.stores.removeAll { $0.store == nil }
      if !state.stores.contains(where: { $0.store === store }) {
        state.stores.append(WeakStore(store: store))
      }
    }
  }

  /// Store lock: forgets the root key and locks every registered store; keys and plaintext are
  /// zeroed, and reading throws `.locked` until `authorize` succeeds again.
  ///
  /// - Throws: the first error of a store; the others are locked all the same.
  public func lockStores() throws(StoreError) {
    state.withLock { $0.rootKey = nil }
    try forEachStore { (store) throws(StoreError) in try store.lock() }
  }

  /// Unlocks the registered stores.
  func unlockStores() throws(StoreError) {
    let credential = credential
    try forEachStore { (store) throws(StoreError) in try store.unlock(credential) }
  }

  private func forEachStore(
    _ body: (any LockableStore) throws(StoreError) -> Void
  ) throws(StoreError) {
    let stores = state.withLock { $0.stores.compactMap(\.store) }
    var failure: StoreError?
    for store in stores {
      do throws(StoreError) { try body(store) } catch {
        // A store that was closed in the meantime has nothing to lock.
        if error.code != .closed { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }
}
