import Foundation
import SealedModel

enum Status: String, AttributeValue, CaseIterable { case draft, open, done }
enum Priority: Int, AttributeValue, Comparable {
  case low, normal, high
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
struct Address: AttributeValue {
  var street = ""
  var zip: Int?
  init(street: String = "", zip: Int? = nil) { self.street = street; self.zip = zip }
}
struct Item: AttributeValue {
  var x: Int
  init(x: Int) { self.x = x }
}

final class Folder: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .unique)
    let rank = Attribute<Int?>("rank")
    let parent = ToOne<Folder>("parent")
    let children = ToMany<Folder>("children", inverse: \.parent)
    let notes = ToMany<Note>("notes", inverse: \.folder, deleteRule: .cascade)
    init() {}
  }
  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

final class Note: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title")
    let body = Attribute<String>("body", default: "")
    let days = Attribute<Int>("days", .indexed)
    let createdAt = Attribute<Date>("createdAt", .indexed)
    let rating = Attribute<Int?>("rating")
    let scan = Attribute<Data?>("scan", .externalStorage)
    let price = Attribute<Decimal>("price", default: 0)
    let token = Attribute<UUID?>("token")
    let link = Attribute<URL?>("link")
    let status = Attribute<Status>("status", default: .draft)
    let priority = Attribute<Priority?>("priority")
    let address = Attribute<Address>("address", default: Address())
    let tags = Attribute<[String]>("tags")
    let items = Attribute<[Item]>("items")
    let flag = Attribute<Bool>("flag", default: false)
    let folder = ToOne<Folder>("folder")
    init() {}
  }
  static let indexes: [IndexDefinition<Properties>] = [
    .index(\.folder, \.createdAt), .index(\.folder, \.title),
  ]
  convenience init(title: String, createdAt: Date = .now) {
    self.init()
    self.title = title
    self.createdAt = createdAt
  }
}

class Trip: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let days = Attribute<Int>("days")
    init() {}
  }
}
class BusinessTrip: Trip, ModelSubclass {
  struct OwnProperties: ModelProperties {
    let perDiem = Attribute<Int>("perDiem")
    let client = Attribute<String?>("client")
    init() {}
  }
}
final class LongBusinessTrip: BusinessTrip, ModelSubclass2 {
  struct OwnProperties2: ModelProperties {
    let visa = Attribute<String>("visa", default: "none")
    init() {}
  }
}

enum Shape: AttributeValue { case circle(Double), square }
struct Color: AttributeValue { var r = 0, g = 0, b = 0 }
struct HexTransformer: AttributeTransformer {
  func stored(_ value: Color) -> String { "\(value.r),\(value.g),\(value.b)" }
  func value(_ stored: String) -> Color? {
    let parts = stored.split(separator: ",").compactMap { Int($0) }
    return parts.count == 3 ? Color(r: parts[0], g: parts[1], b: parts[2]) : nil
  }
}
