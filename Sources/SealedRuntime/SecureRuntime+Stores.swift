internal import SealedCrypto
public import SealedLog
internal import Synchronization

extension SecureRuntime {
  // MARK: The list of stores

  /// Writes a store's path to the vault; to be called before the store is made, so that a wipe
  /// finds every store there is.
  ///
  /// - Throws: `.notAuthorized`, `.limitExceeded` for a path over 4,096 bytes of UTF-8 or where the
  ///   list is full, the vault's errors.
  public func recordStore(path: String) throws(StoreError) {
    guard path.utf8.count <= VaultState.pathLimit else {
      throw StoreError(
        .limitExceeded,
        "a store's path has at most \(VaultState.pathLimit) bytes, not \(path.utf8.count)")
    }
    try changeState { state in
      guard !state.stores.contains(path) else { return false }
      state.stores.append(path)
      return true
    }
  }

  /// Takes a store's path off the list, once the store was erased.
  ///
  /// - Throws: as `recordStore`.
  public func forgetStore(path: String) throws(StoreError) {
    try changeState { state in
      guard let index = state.stores.firstIndex(of: path) else { return false }
      state.stores.remove(at: index)
      return true
    }
  }

  /// The stores on the vault's list.
  ///
  /// - Throws: `.notAuthorized`, the vault's errors.
  public func recordedStores() throws(StoreError) -> [String] {
    var stores: [String] = []
    try changeState { state in
      stores = state.stores
      return false
    }
    return stores
  }

  /// Reads the vault's state and writes it back where `body` says that it changed it.
  private func changeState(
    _ body: (inout VaultState) -> Bool
  ) throws(StoreError) {
    try inTurn { () throws(StoreError) in
      let (key, _) = try authorizedKeys()
      try withOwnVault { (vault) throws(StoreError) in
        var state = try vault.state(rootKey: key)
        if body(&state) { try vault.replaceState(by: state, rootKey: key) }
      }
    }
  }

  /// Works on the vault that the runtime was authorized with.
  private func withOwnVault(
    _ body: (inout VaultFile) throws(StoreError) -> Void
  ) throws(StoreError) {
    let (_, id) = try authorizedKeys()
    guard let path = session.withLock({ $0.vaultPath }) else { return }
    try withVault(path) { (vault) throws(StoreError) in
      guard vault.id == id else {
        throw StoreError(
          .tampered, "another vault stands where the authorized one was", file: path)
      }
      try body(&vault)
    }
  }

  // MARK: Locking

  /// Has a store locked and unlocked with the runtime; it is held weakly. Where the runtime was
  /// locked since the store was opened, the store is locked at once.
  ///
  /// - Throws: the store's error.
  public func register(_ store: any LockableStore) throws(StoreError) {
    let isAuthorized = session.withLock { session in
      session.stores.removeAll { $0.store == nil }
      session.stores.append(WeakStore(store: store))
      return session.rootKey != nil
    }
    if !isAuthorized { try store.lock() }
  }

  /// Takes a store off the list of those that are locked with the runtime.
  public func unregister(_ store: any LockableStore) {
    session.withLock { session in
      session.stores.removeAll { $0.store == nil || $0.store === store }
    }
  }

  /// Store-locks everything: the root key is forgotten, and every registered store zeroes its keys
  /// and plaintext. `authorize` unlocks them again.
  ///
  /// - Throws: the first error of a store; all others are locked nevertheless.
  public func lock() throws(StoreError) {
    try inTurn { () throws(StoreError) in try lock(.none, "Locked.") }
  }

  /// Locks as `lock` does, and takes all attempts away: only the unlock key opens the vault again.
  ///
  /// - Throws: `.notAuthorized`; `.invalidArgument` where the vault has no unlock key, which would
  ///   make the lock final; the vault's errors.
  public func executeRemoteLock() throws(StoreError) {
    try inTurn { () throws(StoreError) in
      try withOwnVault { (vault) throws(StoreError) in
        guard vault.hasUnlockKey else {
          throw StoreError(
            .invalidArgument, "the vault has no unlock key: nothing could open it again",
            file: vault.path)
        }
        try vault.exhaustAttempts()
      }
      try lock(.remoteLockout, "Locked; the unlock key is needed.")
    }
  }

  private func lock(_ reason: AppResultCode, _ message: String) throws(StoreError) {
    let (stores, wasAuthorized) = session.withLock { session in
      let wasAuthorized = session.rootKey != nil
      session.rootKey = nil
      session.reason = reason
      return (session.stores.compactMap(\.store), wasAuthorized)
    }
    var failure: StoreError?
    for store in stores {
      do { try store.lock() } catch  where error.code == .closed {
      } catch { failure = failure ?? error }
    }
    if wasAuthorized {
      events.post(AppEvent(type: .notAuthorized, code: reason, message: message))
    }
    if let failure { throw failure }
  }

  func unlockStores() throws(StoreError) {
    let stores = session.withLock { $0.stores.compactMap(\.store) }
    var failure: StoreError?
    for store in stores {
      do { try store.unlock(credential) } catch  where error.code == .closed {
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
