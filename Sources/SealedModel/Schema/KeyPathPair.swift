/// The key paths that a client writes for one property, and how observers are told of it.
struct KeyPathPair: @unchecked Sendable {
  // Sendable: key paths of literals, which capture nothing.

  /// `\M.title`.
  let path: AnyKeyPath
  /// `\M?.?.title`: what is appended to a to-one step.
  let chained: AnyKeyPath
  let hooks: ObservationHooks

  init<M: PersistentModel, V>(path: KeyPath<M, V>, chained: AnyKeyPath) {
    self.path = path
    self.chained = chained
    hooks = TypedObservationHooks(path)
  }

  /// The pair of a field of `Properties` (level 0), `OwnProperties` (1), `OwnProperties2` (2).
  static func plain<M: PersistentModel, R, D: PropertyDescriptor>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int, _: D.Type
  ) -> KeyPathPair? {
    if level == 0, let key = field as? KeyPath<M.Properties, D> {
      return KeyPathPair(
        path: \M[dynamicMember: key] as KeyPath<M, D.Value>,
        chained: \M?.?[dynamicMember: key] as KeyPath<M?, D.Value?>)
    }
    guard let type = M.self as? any ModelSubclass.Type else { return nil }
    func own<S: ModelSubclass>(_: S.Type) -> KeyPathPair? {
      if level == 1, let key = field as? KeyPath<S.OwnProperties, D> {
        return KeyPathPair(
          path: \S[dynamicMember: key] as KeyPath<S, D.Value>,
          chained: \S?.?[dynamicMember: key] as KeyPath<S?, D.Value?>)
      }
      guard let type = S.self as? any ModelSubclass2.Type else { return nil }
      func own2<S2: ModelSubclass2>(_: S2.Type) -> KeyPathPair? {
        guard let key = field as? KeyPath<S2.OwnProperties2, D> else { return nil }
        return KeyPathPair(
          path: \S2[dynamicMember: key] as KeyPath<S2, D.Value>,
          chained: \S2?.?[dynamicMember: key] as KeyPath<S2?, D.Value?>)
      }
      return own2(type)
    }
    return own(type)
  }

  /// The same for a property that reads as an optional: the chain doesn't add another.
  static func optional<M: PersistentModel, R, D: PropertyDescriptor, W>(
    _: M.Type, _ field: PartialKeyPath<R>, _ level: Int, _: D.Type
  ) -> KeyPathPair? where D.Value == W? {
    if level == 0, let key = field as? KeyPath<M.Properties, D> {
      return KeyPathPair(
        path: \M[dynamicMember: key] as KeyPath<M, D.Value>,
        chained: \M?.?[dynamicMember: key] as KeyPath<M?, W?>)
    }
    guard let type = M.self as? any ModelSubclass.Type else { return nil }
    func own<S: ModelSubclass>(_: S.Type) -> KeyPathPair? {
      if level == 1, let key = field as? KeyPath<S.OwnProperties, D> {
        return KeyPathPair(
          path: \S[dynamicMember: key] as KeyPath<S, D.Value>,
          chained: \S?.?[dynamicMember: key] as KeyPath<S?, W?>)
      }
      guard let type = S.self as? any ModelSubclass2.Type else { return nil }
      func own2<S2: ModelSubclass2>(_: S2.Type) -> KeyPathPair? {
        guard let key = field as? KeyPath<S2.OwnProperties2, D> else { return nil }
        return KeyPathPair(
          path: \S2[dynamicMember: key] as KeyPath<S2, D.Value>,
          chained: \S2?.?[dynamicMember: key] as KeyPath<S2?, W?>)
      }
      return own2(type)
    }
    return own(type)
  }
}
