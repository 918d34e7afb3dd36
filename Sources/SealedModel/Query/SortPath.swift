import Foundation

/// Finds the column of a sort descriptor's key path, through to-one steps too.
enum SortPath {
  private static let maximumDepth = 4

  /// Nil where the order is another than that of the stored values.
  static func resolve<M: PersistentModel>(_ sort: SortDescriptor<M>) -> QueryNode.Column? {
    guard let path = sort.keyPath, let column = resolve(path) else { return nil }
    #if canImport(Darwin)
      // Strings compare by locale there unless asked for otherwise.
      if let comparator = sort.stringComparator, comparator != .lexical { return nil }
    #endif
    return column
  }

  private static func resolve<M: PersistentModel>(
    _ path: PartialKeyPath<M>
  ) -> QueryNode.Column? {
    let entity = Entity.of(M.self)
    if let slot = entity.byKeyPath[path] {
      let definition = entity.definition(slot)
      guard definition.isOrdered else { return nil }
      return QueryNode.Column(variable: 0, attribute: definition.name)
    }
    let wanted = normalized(path, M.self)
    var front: [(path: AnyKeyPath, entity: Entity, column: QueryNode.Column)] = [
      (\M.self, entity, QueryNode.Column(variable: 0))
    ]
    for depth in 0..<maximumDepth {
      var next: [(path: AnyKeyPath, entity: Entity, column: QueryNode.Column)] = []
      for node in front {
        for property in node.entity.properties {
          let candidate =
            depth == 0
            ? property.keyPaths.path : node.path.appending(path: property.keyPaths.chained)
          guard let candidate else { continue }
          let name = property.definition.name
          if let relationship = property.definition as? RelationshipDefinition {
            guard relationship.cardinality == .one else { continue }
            next.append((candidate, Entity.of(relationship.destination), node.column.step(name)))
          } else if depth > 0, property.definition.isOrdered,
            let partial = candidate as? PartialKeyPath<M>, normalized(partial, M.self) == wanted
          {
            return node.column.attribute(name)
          }
        }
      }
      front = next
    }
    return nil
  }

  private struct Holder<T> { let value: T }

  /// A literal and an appended key path of the same steps differ in a flag that prefixing both
  /// removes.
  private static func normalized<M>(_ path: PartialKeyPath<M>, _: M.Type) -> AnyKeyPath? {
    (\Holder<M>.value as AnyKeyPath).appending(path: path)
  }
}
