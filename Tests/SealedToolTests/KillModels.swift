import SealedStore

// The same as in Tests/KillWriter: opening refuses models that differ from the store's.

/// What one save writes: a parcel and its items.
final class Parcel: Model {
  struct Properties: ModelProperties {
    let batch = Attribute<Int>("batch", .unique)
    let items = ToMany<Item>("items", inverse: \.parcel, deleteRule: .cascade)
  }
}

final class Item: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .unique)
    let text = Attribute<String>("text")
    let parcel = ToOne<Parcel>("parcel")
  }
}
