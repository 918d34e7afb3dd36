internal import Foundation
internal import SealedCrypto
package import SealedFiles
public import SealedLog
internal import Synchronization

/// The authorization of a person, on which the keys of stores depend.
///
/// A vault, one file, holds a random root key, wrapped under a key derived from the person's
/// passphrase. Once that was given, the runtime vends the key of each store: `HKDF(root key, store
/// id)`. So a change of passphrase rewraps the root key and touches no store.
///
/// All calls may be made from any thread. Those that read or write the vault run one after another,
/// take some tenths of a second (the passphrase's key is derived slowly on purpose) and hold a lock
/// against other processes on the file `VAULT-lock`.
public final class SecureRuntime: Sendable {
  /// The runtime of an app that needs one only.
  public static let shared = SecureRuntime()
  /// How many wrong passphrases in a row a vault made here takes.
  public static let attemptLimit = 10

  struct State {
    var vaultPath: String?
    var rootKey: SecretBytes?
    var stores: [WeakStore] = []
  }

  struct WeakStore {
    weak var store: (any LockableStore)?
  }

  let fileSystem: any FileSystem
  let iterations: Int
  let state = Mutex(State())
  /// Held while the vault is read or written. No `Mutex`: what is done meanwhile throws and returns.
  let workLock = NSLock()

  /// A runtime of its own, not authorized.
  public convenience init() {
    self.init(fileSystem: PosixFileSystem(), iterations: KeySlot.defaultIterations)
  }

  /// A runtime over another medium, or with fewer rounds for passphrases: for tests.
  package init(fileSystem: any FileSystem, iterations: Int) {
    self.fileSystem = fileSystem
    self.iterations = iterations
  }

  // MARK: State

  /// Whether a passphrase was accepted, and stores may be opened.
  public var isAuthorized: Bool { state.withLock { $0.rootKey != nil } }

  /// What opens the stores of this runtime.
  ///
  /// It may be had at any time; while nobody is authorized, opening a store with it throws
  /// `.locked`.
  public var credential: Credential {
    .runtime { [weak self] storeID in
      guard let self else {
        throw StoreError(.notAuthorized, "the runtime is gone")
      }
      return try self.storeKey(for: storeID)
    }
  }

  private static let storeLabel = Array("SealedStore/1/runtime store".utf8)

  private func storeKey(for storeID: StoreID) throws(StoreError) -> SecretBytes {
    guard let rootKey = state.withLock({ $0.rootKey }) else {
      throw StoreError(.locked, "nobody is authorized; authorize first")
    }
    return try withCrypto { () throws(CryptoError) in
      let extracted = try HKDF.extract(salt: storeID.bytes, inputKey: rootKey)
      return try HKDF.expand(pseudorandomKey: extracted, info: Self.storeLabel, count: 32)
    }
  }

  func rootKey() throws(StoreError) -> SecretBytes {
    guard let rootKey = state.withLock({ $0.rootKey }) else {
      throw StoreError(.notAuthorized, "nobody is authorized; authorize first")
    }
    return rootKey
  }
}
