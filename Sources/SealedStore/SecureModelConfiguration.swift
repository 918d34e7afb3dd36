public import Foundation
public import SealedLog
public import SealedModel
internal import Synchronization

/// What a container is made from: the models, the store's place, and what unlocks it.
///
/// A configuration serves one `SecureModelContainer.create`. Everything that is wrong with the
/// models is found when it is made, before any file is touched.
public final class SecureModelConfiguration: Sendable {
  private struct Options {
    var isUsed = false
    var prefetchDepth = 0
    var cacheLimit = OpenOptions().cacheLimit
    var createsStore = true
  }

  /// The configuration's name, for people and logs; nothing on disk has it.
  public let configurationName: String
  /// The checked models.
  public let schema: Schema
  /// The store's root file; its directories lie beside it, with endings `-log` and `-blobs`.
  public let storeURL: URL
  /// What unlocks the store.
  public let unlock: StoreUnlocking
  private let options = Mutex(Options())

  /// - Parameters:
  ///   - models: Every model that the store holds, and every one that these are related to.
  ///   - storeURL: A file URL in a directory that exists.
  ///   - unlock: What unlocks the store; by default the app's runtime.
  /// - Throws: `StoreError` `.invalidSchema`, whose message lists all that is wrong, entity and
  ///   property named.
  public init(
    name: String, models: [any PersistentModel.Type], storeURL: URL,
    unlock: StoreUnlocking = .runtime
  ) throws(StoreError) {
    configurationName = name
    self.storeURL = storeURL
    self.unlock = unlock
    do {
      schema = try Schema(models)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.invalidSchema, "\(error)", cause: error)
    }
  }

  /// How many steps of to-one relationships are read along with fetched objects. A hint: this
  /// version reads related objects when they are first used, whatever the depth.
  public var relationshipPrefetchDepth: Int {
    get { options.withLock { $0.prefetchDepth } }
    set { options.withLock { $0.prefetchDepth = max(0, newValue) } }
  }

  /// Bytes of decrypted blocks kept in memory.
  public var cacheLimit: Int {
    get { options.withLock { $0.cacheLimit } }
    set { options.withLock { $0.cacheLimit = newValue } }
  }

  /// Whether a store is made where there is none; otherwise `create` throws `.notAStore`.
  public var createsStore: Bool {
    get { options.withLock { $0.createsStore } }
    set { options.withLock { $0.createsStore = newValue } }
  }

  /// Takes the configuration's one use.
  ///
  /// - Throws: `.configurationAlreadyUsed`.
  func claim() throws(StoreError) {
    let wasUsed = options.withLock { options in
      defer { options.isUsed = true }
      return options.isUsed
    }
    if wasUsed {
      throw StoreError(
        .configurationAlreadyUsed,
        "the configuration \"\(configurationName)\" made a container already; make a new "
          + "configuration for another one")
    }
  }

  /// Gives the use back: no container came of it.
  func release() { options.withLock { $0.isUsed = false } }

  var openOptions: OpenOptions {
    var result = OpenOptions()
    result.cacheLimit = cacheLimit
    result.creation = createsStore ? .ifMissing : .never
    return result
  }
}
