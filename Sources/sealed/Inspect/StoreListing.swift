internal import Foundation

/// The files of a store with their sizes: the root, and what lies in the directories beside it.
struct StoreListing {
  struct Entry {
    let name: String
    let size: UInt64
  }

  let entries: [Entry]

  init(path: String) throws {
    let files = FileManager.default
    let root = URL(fileURLWithPath: path)
    var urls = [root]
    for ending in ["-log", "-blobs"] where files.fileExists(atPath: path + ending) {
      urls += try files.contentsOfDirectory(
        at: URL(fileURLWithPath: path + ending), includingPropertiesForKeys: nil
      ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
    let parent = root.deletingLastPathComponent().path
    entries = try urls.map { url in
      let size = try files.attributesOfItem(atPath: url.path)[.size] as? UInt64
      return Entry(name: String(url.path.dropFirst(parent.count + 1)), size: size ?? 0)
    }
  }

  var total: UInt64 { entries.reduce(0) { $0 + $1.size } }

  func print() {
    for entry in entries {
      Console.print("  \(Format.padded(entry.name, 36)) \(Format.bytes(entry.size))")
    }
    Console.print("  \(Format.padded("\(entries.count) files", 36)) \(Format.bytes(total))")
  }
}
