/// The version of a schema.
public struct SchemaVersion: Sendable, Hashable, Codable {
  /// The parts, the most significant first.
  public let major: Int, minor: Int, patch: Int
  /// A version of three parts.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }
}

/// The models of one version of an app.
public protocol VersionedSchema: SendableMetatype {
  /// The version.
  static var versionIdentifier: SchemaVersion { get }
  /// Its models.
  static var models: [any PersistentModel.Type] { get }
}

extension Schema {
  /// The schema of a version.
  ///
  /// - Throws: `SchemaErrors`.
  public init(versionedSchema: any VersionedSchema.Type) throws {
    try self.init(versionedSchema.models)
  }
}
