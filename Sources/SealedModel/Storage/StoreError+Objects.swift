public import SealedLog

// What the object layer adds to the store's errors. Messages name entity, property and object.
extension StoreError.Code {
  /// The container's runtime isn't authorized yet.
  public static let containerLocked = Self(rawValue: "containerLocked")
  /// The configuration served another container.
  public static let configurationAlreadyUsed = Self(rawValue: "configurationAlreadyUsed")
  /// The models make no schema: the message lists everything that is wrong.
  public static let invalidSchema = Self(rawValue: "invalidSchema")
  /// The models differ from what the store holds; the message lists the differences.
  public static let schemaMismatch = Self(rawValue: "schemaMismatch")
  /// The store's URL can't be used; the message has the path and the reason.
  public static let invalidStoreURL = Self(rawValue: "invalidStoreURL")
  /// An object lacks a required value.
  public static let validationFailed = Self(rawValue: "validationFailed")
  /// Two objects would have the same values under a constraint.
  public static let uniqueConflict = Self(rawValue: "uniqueConflict")
  /// A delete rule forbids the deletion.
  public static let deleteDenied = Self(rawValue: "deleteDenied")
  /// An object's model isn't in the container's schema.
  public static let unknownEntity = Self(rawValue: "unknownEntity")
  /// A query can't be answered: the message says which part.
  public static let invalidQuery = Self(rawValue: "invalidQuery")
}
