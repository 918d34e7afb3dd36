/// What an attribute is besides its type.
public struct AttributeOptions: OptionSet, Sendable, Codable, Hashable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No two objects have the same value (nil aside); saving a new object with the value of a stored
  /// one updates the stored one.
  public static let unique = Self(rawValue: 1)
  /// Queries and sorts by the attribute use an index.
  public static let indexed = Self(rawValue: 2)
  /// Large values belong outside the record. At present they are kept in it all the same.
  public static let externalStorage = Self(rawValue: 4)
  /// Never saved.
  public static let ephemeral = Self(rawValue: 8)
  /// Kept in the history when the object is deleted.
  public static let preserveValueOnDeletion = Self(rawValue: 16)
  /// As `unique`, but saving a second object with the value throws `.uniqueConflict`.
  public static let uniqueOrThrow = Self(rawValue: 32)
}
