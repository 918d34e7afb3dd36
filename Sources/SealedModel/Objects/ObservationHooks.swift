internal import Observation

/// Tells an object's registrar of one property, by the key path that a client writes.
class ObservationHooks {
  func access(_ registrar: ObservationRegistrar, _ object: ModelObject) {}
  func willSet(_ registrar: ObservationRegistrar, _ object: ModelObject) {}
  func didSet(_ registrar: ObservationRegistrar, _ object: ModelObject) {}
}

final class TypedObservationHooks<M: PersistentModel, V>: ObservationHooks {
  private let path: KeyPath<M, V>
  init(_ path: KeyPath<M, V>) { self.path = path }
  override func access(_ registrar: ObservationRegistrar, _ object: ModelObject) {
    registrar.access(unsafe unsafeDowncast(object, to: M.self), keyPath: path)
  }
  override func willSet(_ registrar: ObservationRegistrar, _ object: ModelObject) {
    registrar.willSet(unsafe unsafeDowncast(object, to: M.self), keyPath: path)
  }
  override func didSet(_ registrar: ObservationRegistrar, _ object: ModelObject) {
    registrar.didSet(unsafe unsafeDowncast(object, to: M.self), keyPath: path)
  }
}

final class ObservationBox { let registrar = ObservationRegistrar() }

extension ModelObject {
  final func noteRead(_ slot: Int) {
    if let box = _observation {
      unsafe _entity.hooks[slot]._withUnsafeGuaranteedRef { $0.access(box.registrar, self) }
    }
  }

  /// Turns observation of this object on: every access takes the slow path from here on.
  public final func enableObservation() {
    if _observation == nil { _observation = ObservationBox() }
    forgetFastPaths(written: false)
  }
}
