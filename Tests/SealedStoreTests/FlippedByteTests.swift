import Foundation
import SealedStore
import TestSupport
import Testing

@Suite struct FlippedByteTests {
  /// A changed byte anywhere on disk gives a typed error or the right objects: never wrong ones.
  @Test func noFlippedByteGivesWrongObjects() throws {
    let directory = try TemporaryDirectory()
    let expected = try fill(directory)
    let original = try contents(of: directory.url)
    var generator = SeededGenerator(seed: 0x5ea1)
    var refusals = 0
    // The root file has two copies of little, the other files hold the objects.
    let places =
      Self.places(10, in: original.filter { $0.key == "Test.store" })
      + Self.places(30, in: original.filter { $0.key != "Test.store" })
    for (path, offset) in places {
      var changed = try #require(original[path])
      let mask = UInt8.random(in: 1...255, using: &generator)
      changed[changed.startIndex + offset] ^= mask
      try Self.restore(original, in: directory.url)
      try changed.write(to: directory.url.appendingPathComponent(path))
      do {
        let found = try read(directory)
        #expect(found == expected, "\(path) at \(offset), changed by \(mask)")
        // What was read didn't need the byte: looking at every byte finds it.
        if path.contains("/t-"), try !isSound(directory) { refusals += 1 }
      } catch let error as StoreError {
        refusals += 1
        #expect(
          [.damaged, .tampered, .notAStore, .newerFormat, .rootMissing, .wrongKey, .erased]
            .contains(error.code), "\(path) at \(offset): \(error)")
      }
    }
    #expect(refusals > places.count / 2)
    try Self.restore(original, in: directory.url)
    #expect(try read(directory) == expected)
  }

  private func fill(_ directory: TemporaryDirectory) throws -> [String] {
    let container = try openContainer(directory, [Folder.self, Note.self])
    let context = ModelContext(container)
    for number in 0..<40 {
      let folder = Folder(name: "Folder \(number)")
      context.insert(folder)
      for note in 0..<5 {
        folder.notes.append(
          Note(
            title: "Note \(note) of \(number)",
            createdAt: Date(timeIntervalSinceReferenceDate: Double(note))))
      }
      if number == 20 {
        try context.save()
        try container.logStore.flush()
      }
    }
    try context.save()
    try container.close()
    return try read(directory)
  }

  private func read(_ directory: TemporaryDirectory) throws -> [String] {
    let container = try openContainer(directory, [Folder.self, Note.self])
    let context = ModelContext(container)
    var lines: [String] = []
    for folder in try context.fetch(Folder.all.sorted(by: \.name)) {
      let name = folder.name
      let notes = try context.fetch(
        Note.where { $0.folder.name == name }.sorted(by: \.createdAt))
      lines.append("\(name): \(notes.map(\.title))")
    }
    try container.close()
    return lines
  }

  private func isSound(_ directory: TemporaryDirectory) throws -> Bool {
    let container = try openContainer(directory, [Folder.self, Note.self])
    let isSound = try container.logStore.verify().isSound
    try container.close()
    return isSound
  }

  /// Files and offsets, evenly over all bytes.
  private static func places(_ count: Int, in files: [String: Data]) -> [(String, Int)] {
    let total = files.values.reduce(0) { $0 + $1.count }
    return (0..<count).compactMap { index in
      var rest = index * total / count + index % 5
      for (path, data) in files.sorted(by: { $0.key < $1.key }) {
        if rest < data.count { return (path, rest) }
        rest -= data.count
      }
      return nil
    }
  }

  private static func restore(_ files: [String: Data], in directory: URL) throws {
    for path in try contents(of: directory).keys where files[path] == nil {
      try FileManager.default.removeItem(at: directory.appendingPathComponent(path))
    }
    for (path, data) in files { try data.write(to: directory.appendingPathComponent(path)) }
  }
}
