import Foundation
import SealedStore

final class Note: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title", .indexed)
  }
  convenience init(title: String) {
    self.init()
    self.title = title
  }
}

let configuration = try SecureModelConfiguration(
  name: "Notes", models: [Note.self], storeURL: URL(fileURLWithPath: CommandLine.arguments[1]),
  unlock: .rawKey(SecretBytes.random(count: 32)))
let container = try SecureModelContainer.create(configuration)
let context = ModelContext(container)
for title in ["Second", "First"] { context.insert(Note(title: title)) }
try context.save()
let notes = try context.fetch(Note.all.sorted(by: \.title))
print(notes.map(\.title).joined(separator: ", "))
try container.close()
