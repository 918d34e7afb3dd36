import Foundation

/// Whose a context is. A task may go on on another thread after each `await`, so that a thread's
/// identity proves nothing: a context that
/// belongs to nobody is checked for two threads inside it at once.
enum ContextIsolation {
  case main
  case executor(ModelExecutor)
  case unchecked
}
extension ModelContext {
  func checkIsolation() {
    switch isolation {
    case .main where !Thread.isMainThread:
      unsafe ModelContext.isolationFailure(
        "An object of the main context is used off the main actor")
    case .executor(let executor) where !executor.isCurrent:
      unsafe ModelContext.isolationFailure(
        "An object of a model actor's context is used outside that actor")
    default: break
    }
  }
}
extension ModelContainer {
  /// A context for the main actor; its objects are observed.
  @MainActor public func makeMainContext() -> ModelContext {
    let context = ModelContext(self)
    context.isolation = .main
    context.observesObjects = true
    return context
  }
}
