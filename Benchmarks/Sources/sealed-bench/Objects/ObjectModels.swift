import Foundation
import SealedModel
import SealedStore

/// A folder of notes.
final class BenchFolder: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let notes = ToMany<BenchNote>("notes", inverse: \.folder)
  }
}

/// A note as the object suites have it.
final class BenchNote: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title")
    let body = Attribute<String>("body")
    let created = Attribute<Date>("created")
    let priority = Attribute<Int>("priority")
    let flag = Attribute<Bool>("flag")
    let folder = ToOne<BenchFolder>("folder")
  }

  static let indexes: [IndexDefinition<Properties>] = [.index(\.priority, \.created)]
}
