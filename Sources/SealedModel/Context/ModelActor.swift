internal import Dispatch

/// Runs a context's work in turn, on a queue of its own: the cooperative pool never waits for a
/// disk.
public final class ModelExecutor: SerialExecutor {
  private let queue: DispatchQueue
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  /// Touched only by what runs on this executor.
  private nonisolated(unsafe) let context: ModelContext
  /// The container.
  public let container: ModelContainer
  /// An executor with a context of its own.
  public init(_ container: ModelContainer, label: String = "SealedStore.ModelExecutor") {
    queue = DispatchQueue(label: label)
    self.container = container
    unsafe context = ModelContext(container)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    unsafe context.isolation = .executor(self)
  }
  /// Runs a job in its turn.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  /// Stops the program where the caller runs elsewhere.
  public func checkIsolated() {
    precondition(isCurrent, "Used outside its ModelActor")
  }
  /// Whether the caller runs on this executor.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
  var contextForActor: ModelContext { unsafe context }
}

/// An actor with a context of its own. Declare it by hand, no macro:
///
///     actor Importer: ModelActor {
///       let modelExecutor: ModelExecutor
///       init(_ container: ModelContainer) { modelExecutor = ModelExecutor(container) }
///     }
public protocol ModelActor: Actor {
  /// The executor, made by the actor's initialiser.
  nonisolated var modelExecutor: ModelExecutor { get }
}
extension ModelActor {
  /// The executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe modelExecutor.asUnownedSerialExecutor()
  }
  /// The container.
  public nonisolated var modelContainer: ModelContainer { modelExecutor.container }
  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.contextForActor }
  /// The object of an identifier.
  public subscript<M: PersistentModel>(id: PersistentIdentifier, as _: M.Type) -> M? {
    modelContext.model(for: id) as? M
  }
}
