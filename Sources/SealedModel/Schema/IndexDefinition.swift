/// A compound index or constraint of a model, listed in its `indexes`.
public struct IndexDefinition<Properties>: Sendable {
  /// Index or constraint.
  public enum Kind: Sendable {
    /// For queries and sorts.
    case index
    /// No two objects have the same values; a new object updates the stored one.
    case unique
    /// No two objects have the same values; saving a second one throws.
    case uniqueOrThrow
  }

  /// Index or constraint.
  public let kind: Kind
  /// The fields, the leading one first.
  public let fields: [any PartialKeyPath<Properties> & Sendable]

  /// An index over the fields in this order.
  public static func index(_ fields: (any PartialKeyPath<Properties> & Sendable)...) -> Self {
    Self(kind: .index, fields: fields)
  }
  /// A constraint over the fields together; one of them nil, it doesn't apply.
  public static func unique(_ fields: (any PartialKeyPath<Properties> & Sendable)...) -> Self {
    Self(kind: .unique, fields: fields)
  }
  /// As `unique`, but a second object is refused.
  public static func uniqueOrThrow(
    _ fields: (any PartialKeyPath<Properties> & Sendable)...
  ) -> Self {
    Self(kind: .uniqueOrThrow, fields: fields)
  }
}
