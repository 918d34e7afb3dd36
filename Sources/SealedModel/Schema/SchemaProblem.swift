/// One thing that is wrong with a schema.
public struct SchemaProblem: Error, Sendable, CustomStringConvertible {
  /// The entity's name.
  public let entity: String
  /// The property's name, where it is about one.
  public let property: String?
  /// What is wrong.
  public let message: String
  public var description: String { "\(entity)\(property.map { "." + $0 } ?? ""): \(message)" }
}

/// Everything that is wrong with a schema.
public struct SchemaErrors: Error, CustomStringConvertible {
  /// All problems found.
  public let problems: [SchemaProblem]
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
