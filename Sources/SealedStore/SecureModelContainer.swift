public import Foundation
public import SealedLog
public import SealedModel
internal import SealedRuntime

/// Makes containers.
public enum SecureModelContainer {
  /// Opens a configuration's store, or makes it, and brings models and store together.
  ///
  /// A configuration that failed may be tried again, once what was missing is there.
  /// - Throws: `StoreError`: `.containerLocked` before authorization, `.configurationAlreadyUsed`,
  ///   `.invalidStoreURL`, `.wrongKey`, `.damaged`, `.tampered`, `.notAStore`, `.newerFormat`,
  ///   `.storeInUse` with the holder's process id, `.schemaMismatch`, `.diskFull`, `.io`.
  public static func create(
    _ configuration: SecureModelConfiguration
  ) throws(StoreError) -> ModelContainer {
    try configuration.claim()
    do throws(StoreError) {
      return try open(configuration)
    } catch {
      configuration.release()
      throw error
    }
  }

  /// Destroys a store that no container holds: first its keys, then its files.
  ///
  /// Needs no key. Does nothing where there is no store.
  /// - Throws: `StoreError` `.storeInUse`, `.notAStore`, `.invalidStoreURL`, `.io`.
  public static func eraseStore(at url: URL) throws(StoreError) {
    try LogStore.erase(path: StoreLocation(url).path())
  }

  private static func open(
    _ configuration: SecureModelConfiguration
  ) throws(StoreError) -> ModelContainer {
    let location = StoreLocation(configuration.storeURL)
    let path = try location.checkedPath()
    let runtime = configuration.unlock.runtime
    try runtime.map { (runtime) throws(StoreError) in try record(path, configuration, runtime) }
    let store: LogStore
    do throws(StoreError) {
      store = try open(path, credential(configuration), configuration.openOptions)
    } catch { throw location.explained(error) }
    do throws(StoreError) {
      let container = try ModelContainer(schema: configuration.schema, store: store)
      try runtime?.register(store)
      return container
    } catch {
      // The first error is the one to hear of; the store is given back in any case.
      try? store.close()
      throw error
    }
  }

  /// A wipe must find every store: the vault knows of it before it exists.
  private static func record(
    _ path: String, _ configuration: SecureModelConfiguration, _ runtime: SecureRuntime
  ) throws(StoreError) {
    guard configuration.createsStore || FileManager.default.fileExists(atPath: path) else {
      return
    }
    do throws(StoreError) { try runtime.recordStore(path: path) } catch {
      throw error.code == .notAuthorized ? locked(error) : error
    }
  }

  private static func credential(
    _ configuration: SecureModelConfiguration
  ) throws(StoreError) -> Credential {
    do { return try configuration.unlock.credential() } catch { throw locked(error) }
  }

  private static func open(
    _ path: String, _ credential: Credential, _ options: OpenOptions
  ) throws(StoreError) -> LogStore {
    do throws(StoreError) {
      return try LogStore.open(path: path, unlock: credential, options: options)
    } catch  where error.code == .locked || error.code == .notAuthorized {
      // A runtime that isn't authorized refused its key.
      throw locked(error)
    }
  }

  private static func locked(_ cause: any Error) -> StoreError {
    StoreError(
      .containerLocked, "the container is locked; authorize first, then create it", cause: cause)
  }
}
