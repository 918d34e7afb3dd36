public import Foundation

/// What to fetch: a predicate, an order, a range of the results.
public struct FetchDescriptor<M: PersistentModel>: Sendable {
  /// What must hold; nil for all objects.
  public var predicate: Predicate<M>?
  /// The order; equal ones follow in order of creation.
  public var sortBy: [SortDescriptor<M>]
  /// How many results at most.
  public var fetchLimit: Int?
  /// How many results are left out before the first.
  public var fetchOffset = 0
  /// Whether unsaved changes of the context count.
  public var includePendingChanges = true
  /// The properties that will be read: a hint.
  public var propertiesToFetch: [any PartialKeyPath<M> & Sendable] = []
  /// The relationships that will be followed: a hint.
  public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<M> & Sendable] = []

  /// A descriptor of its parts.
  public init(predicate: Predicate<M>? = nil, sortBy: [SortDescriptor<M>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
