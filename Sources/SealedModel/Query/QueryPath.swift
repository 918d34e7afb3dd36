/// A model in a query: the fetched object, or what a to-one path leads to.
@dynamicMemberLookup public struct QueryPath<M: PersistentModel>: Sendable {
  let column: QueryNode.Column
  init(_ column: QueryNode.Column) { self.column = column }
  private func name(_ field: PartialKeyPath<M.Properties>) -> String {
    guard let slot = M._slotNumber(field),
      let p = Entity.of(M.self).properties.first(where: { $0.slot == slot })
    else { return "" }
    return p.definition.name
  }
  /// A property: an attribute is a `Term`, a to-one a longer path, a to-many a `QueryList`.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<M.Properties, D>)
    -> D.QueryValue
  { D._query(column, name(field)) }
  /// Never chosen: for the compiler's message about a misspelt property, as in `PersistentModel`.
  @available(*, unavailable, message: "")
  @_disfavoredOverload
  public subscript<V>(dynamicMember field: KeyPath<M.Properties, Attribute<V>>) -> Term<V> {
    preconditionFailure("unavailable")
  }

  /// The identifier; nil where the path is broken.
  public var persistentModelID: Term<PersistentIdentifier> { Term(.column(column)) }
  /// Whether it is this object; with nil, whether the path is broken.
  public static func == (path: QueryPath, object: M?) -> Term<Bool> {
    Term(
      .compare(
        .column(path.column), .equal,
        .constant(object.map { .object($0.persistentModelID) } ?? .null)))
  }
  /// Whether it is another object, or none.
  public static func != (path: QueryPath, object: M?) -> Term<Bool> {
    Term(
      .compare(
        .column(path.column), .notEqual,
        .constant(object.map { .object($0.persistentModelID) } ?? .null)))
  }
  /// Whether it is of a subclass.
  public func `is`<S: PersistentModel>(_: S.Type) -> Term<Bool> {
    Term(.isKind(column, S.entityName))
  }
  /// The same object as one of a subclass; a broken path where it is none.
  public func `as`<S: PersistentModel>(_: S.Type) -> QueryPath<S> {
    QueryPath<S>(column.cast(S.entityName))
  }
}
extension QueryPath where M: ModelSubclass {
  /// A property that the subclass adds.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<M.OwnProperties, D>)
    -> D.QueryValue
  {
    let slot = M._slot(field)
    return D._query(
      column, Entity.of(M.self).properties.first { $0.slot == slot }?.definition.name ?? "")
  }
}

extension QueryPath where M: ModelSubclass2 {
  /// A property that the subclass adds.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<M.OwnProperties2, D>)
    -> D.QueryValue
  {
    let slot = M._slot(field)
    return D._query(
      column, Entity.of(M.self).properties.first { $0.slot == slot }?.definition.name ?? "")
  }
}

/// The objects of a to-many relationship in a query.
public struct QueryList<M: PersistentModel>: Sendable {
  let column: QueryNode.Column
  private func inner(_ body: (QueryPath<M>) -> Term<Bool>) -> (Int, QueryNode) {
    let variable = column.variable + 1
    return (variable, body(QueryPath(QueryNode.Column(variable: variable))).node)
  }
  /// Whether one of the objects meets a condition.
  public func any(_ body: (QueryPath<M>) -> Term<Bool>) -> Term<Bool> {
    let (variable, node) = inner(body)
    return Term(.any(column, variable: variable, node))
  }
  /// Whether all of them meet a condition; true of none.
  public func all(_ body: (QueryPath<M>) -> Term<Bool>) -> Term<Bool> {
    let (variable, node) = inner(body)
    return Term(.all(column, variable: variable, node))
  }
  /// How many of them meet a condition.
  public func count(_ body: (QueryPath<M>) -> Term<Bool>) -> Term<Int> {
    let (variable, node) = inner(body)
    return Term(.count(column, variable: variable, node))
  }
  /// How many there are.
  public var count: Term<Int> { Term(.count(column, variable: column.variable + 1, nil)) }
  /// Whether there are none.
  public var isEmpty: Term<Bool> { Term(.compare(count.node, .equal, .constant(.int(0)))) }
  /// Whether an object is among them.
  public func contains(_ object: M) -> Term<Bool> { any { $0 == object } }
}
