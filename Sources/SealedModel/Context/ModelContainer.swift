public import SealedLog
internal import Synchronization

/// A store opened for a list of models. Shared by any number of contexts, on any thread.
public final class ModelContainer: Sendable {
  /// The models.
  public let schema: Schema
  let store: ObjectStore
  /// Saves come one after the other.
  let saveLock = Mutex<Void>(())

  /// A container over an open store, which it takes over.
  ///
  /// - Throws: `SchemaErrors`; `StoreError` `.schemaMismatch` where the models differ from what the
  ///   store holds.
  public init(_ models: [any PersistentModel.Type], store: LogStore) throws {
    schema = try Schema(models)
    self.store = try ObjectStore(log: store, schema: schema)
  }

  /// A container over an open store, for a checked schema.
  ///
  /// - Throws: `StoreError` `.schemaMismatch`.
  public init(schema: Schema, store: LogStore) throws(StoreError) {
    self.schema = schema
    self.store = try ObjectStore(log: store, schema: schema)
  }

  /// The store's identity.
  public var storeIdentifier: StoreID { store.log.id }
  /// The engine's store, for its statistics, `verify` and `compact`.
  public var logStore: LogStore { store.log }
  /// Whether the store's keys are zeroed.
  public var isLocked: Bool { store.log.isLocked }

  /// Zeroes the store's keys and cached plaintext: until `unlock` every fetch and save throws
  /// `.locked`. Objects already fetched keep the values that they hold.
  ///
  /// - Throws: `StoreError`.
  public func lock() throws(StoreError) { try store.log.lock() }

  /// Ends a lock.
  ///
  /// - Throws: `.wrongKey`, `.damaged`, `.io`.
  public func unlock(_ credential: Credential) throws(StoreError) {
    try store.log.unlock(credential)
  }

  /// Closes the store; every later fetch and save throws `.closed`.
  ///
  /// - Throws: `StoreError`.
  public func close() throws(StoreError) { try store.log.close() }
}
