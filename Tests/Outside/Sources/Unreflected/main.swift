import Foundation
import SealedStore

// Built without reflection metadata, which models need: the configuration must say so.

final class Note: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title")
  }
}

do {
  _ = try SecureModelConfiguration(
    name: "Notes", models: [Note.self], storeURL: URL(fileURLWithPath: "/none"),
    unlock: .rawKey(SecretBytes.random(count: 32)))
  print("accepted")
} catch {
  print(error)
}
