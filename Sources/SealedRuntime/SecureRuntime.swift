internal import SealedCrypto
public import SealedFiles
public import SealedLog
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The authorization of an app: a vault that a passphrase opens, and keys for stores out of it.
///
/// A runtime begins unauthorized. `activate` makes a vault, `authorize` opens one; from then on
/// `credential` opens the stores that belong to it. A store's key is wrapped under a key derived
/// from the vault's root key, so that changing the passphrase changes the vault alone. May be used
/// from any thread; opening the vault takes some tenths of a second, on purpose.
///
/// ```swift
/// try SecureRuntime.shared.activate(vault: path, passphrase: passphrase)
/// let store = try LogStore.open(path: storePath, unlock: SecureRuntime.shared.credential)
/// ```
public final class SecureRuntime: Sendable {
  /// The runtime of the app; others are for tests and tools.
  public static let shared = SecureRuntime()

  /// Wrong passphrases in a row before the vault is locked out, unless `activate` is told another.
  public static let defaultAttemptLimit = 10

  let fileSystem: any FileSystem
  /// PBKDF2's count for slots that are made; nil for the usual one.
  private let iterations: Int?
  let session = Mutex(Session())
  /// Held by one operation on the vault or on all stores at a time; keys are given without it.
  private let gate = Mutex<Void>(())
  /// How long an operation waits for another process's to end.
  private let lockPatience: Duration
  let events = EventQueue()

  /// What an authorized runtime holds.
  struct Session {
    var vaultPath: String?
    var vaultID: StoreID?
    var rootKey: SecretBytes?
    var reason = AppResultCode.none
    var stores: [WeakStore] = []
  }

  struct WeakStore {
    weak var store: (any LockableStore)?
  }

  /// A runtime of its own.
  public convenience init(fileSystem: any FileSystem = PosixFileSystem()) {
    self.init(fileSystem: fileSystem, iterations: nil, lockPatience: .seconds(5))
  }

  /// A runtime whose vaults are cheap to open: for tests.
  package init(
    fileSystem: any FileSystem, iterations: Int?, lockPatience: Duration = .zero
  ) {
    self.fileSystem = fileSystem
    self.iterations = iterations
    self.lockPatience = lockPatience
  }

  // MARK: Turns

  /// One operation after the other.
  func inTurn(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try gate.withLock { (_) throws(StoreError) in try body() }
  }

  /// Works on the vault at a path, under its lock.
  func withVault<R>(
    _ path: String, _ body: (inout VaultFile) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    var vault = try openVault(path)
    defer { vault.release() }
    return try body(&vault)
  }

  /// Another process has the vault for no longer than one operation takes.
  private func openVault(_ path: String) throws(StoreError) -> VaultFile {
    let pause = Duration.milliseconds(20)
    var waited = Duration.zero
    while true {
      do throws(StoreError) {
        return try VaultFile(path: path, fileSystem: fileSystem)
      } catch {
        guard error.code == .storeInUse, waited < lockPatience else { throw error }
      }
      usleep(20_000)
      waited += pause
    }
  }

  // MARK: State

  /// Whether the runtime gives keys.
  public var isAuthorized: Bool { session.withLock { $0.rootKey != nil } }

  /// Why it doesn't; `.none` before the first try, and while it does.
  public var reasonNotAuthorized: AppResultCode { session.withLock { $0.reason } }

  /// Hears of authorization given and withdrawn; held weakly.
  public var delegate: (any RuntimeDelegate)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }

  func passphraseCredential(_ passphrase: SecretBytes) -> Credential {
    iterations.map { .passphrase(passphrase, iterations: $0) } ?? .passphrase(passphrase)
  }

  // MARK: Keys for stores

  /// What opens a store of this runtime: a key derived for it while the runtime is authorized.
  ///
  /// Opening or unlocking a store by it throws `.notAuthorized` otherwise.
  public var credential: Credential {
    .runtime { [self] storeID in try key(for: storeID) }
  }

  /// HKDF of the root key, with the vault's id as salt and the store's id in the label.
  private func key(for storeID: StoreID) throws(StoreError) -> SecretBytes {
    let (rootKey, vaultID) = try authorizedKeys()
    return try withCrypto { () throws(CryptoError) in
      let extracted = try HKDF.extract(salt: vaultID.bytes, inputKey: rootKey)
      return try HKDF.expand(
        pseudorandomKey: extracted,
        info: Array("SealedStore/1/runtime store key".utf8) + storeID.bytes, count: 32)
    }
  }

  func authorizedKeys() throws(StoreError) -> (rootKey: SecretBytes, vaultID: StoreID) {
    let keys = session.withLock { session in
      session.rootKey.flatMap { key in session.vaultID.map { (key, $0) } }
    }
    guard let keys else {
      throw StoreError(
        .notAuthorized, "the runtime is not authorized; authorize it with the vault's passphrase")
    }
    return keys
  }
}
