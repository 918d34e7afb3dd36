import Foundation
import SealedModel

/// What random queries are asked of.
final class Article: Model {
  struct Properties: ModelProperties {
    let number = Attribute<Int>("number", .indexed)
    let small = Attribute<Int8>("small", default: 0)
    let rank = Attribute<Int?>("rank", .indexed)
    let label = Attribute<String>("label", .indexed)
    let remark = Attribute<String?>("remark")
    let amount = Attribute<Double>("amount", .indexed)
    let day = Attribute<Date>("day", .indexed)
    let flag = Attribute<Bool>("flag", default: false)
    let group = ToOne<ArticleGroup>("group")
  }
  static let indexes: [IndexDefinition<Properties>] = [
    .index(\.group, \.number), .index(\.flag, \.label, \.number),
  ]
}

final class ArticleGroup: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .indexed)
    let weight = Attribute<Int?>("weight")
    let items = ToMany<Article>("items", inverse: \.group)
  }
}
