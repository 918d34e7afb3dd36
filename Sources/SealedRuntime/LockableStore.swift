public import SealedLog

/// An open store, or a container over one, that a runtime locks and unlocks.
///
/// A runtime holds it weakly. Both calls may come from any thread.
public protocol LockableStore: AnyObject, Sendable {
  /// Zeroes keys and plaintext; later uses throw `.locked`.
  func lock() throws(StoreError)
  /// Makes the store usable again.
  func unlock(_ credential: Credential) throws(StoreError)
}

extension LogStore: LockableStore {}
