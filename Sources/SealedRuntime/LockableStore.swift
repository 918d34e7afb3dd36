public import SealedLog

/// A store that a runtime can lock and unlock.
public protocol LockableStore: AnyObject, Sendable {
  /// Zeroes keys and plaintext; every call throws `.locked` until `unlock`.
  func lock() throws(StoreError)
  /// Unlocks with a credential.
  func unlock(_ credential: Credential) throws(StoreError)
}

extension LogStore: LockableStore {}
