import BenchmarkSupport
import Foundation
import SealedCrypto
import SealedLog
import SealedModel
import SealedStore
import Synchronization

/// Saves of one object each that return once they are on the medium.
final class DurableSaves: Sendable {
  private let container: ModelContainer
  private let number = Atomic<Int>(0)

  init(directory: String) throws {
    container = try SecureModelContainer.create(
      SecureModelConfiguration(
        name: "bench", models: [BenchFolder.self, BenchNote.self],
        storeURL: URL(fileURLWithPath: directory + "/store"),
        unlock: .rawKey(SecretBytes([UInt8](repeating: 7, count: 32)))))
  }

  /// One thread's side: its context, and the time of each save.
  final class Saver {
    private let saves: DurableSaves
    private let context: ModelContext
    private var text: NoteText { .shared }
    private(set) var sample = LatencySample()

    init(_ saves: DurableSaves) {
      self.saves = saves
      context = ModelContext(saves.container)
    }

    func save() throws {
      let number = saves.number.add(1, ordering: .relaxed).oldValue
      let begin = nanoseconds()
      let note = BenchNote()
      note.title = text.title(number)
      note.body = text.body(number)
      note.created = Date(timeIntervalSinceReferenceDate: NoteFigures.created(number))
      note.priority = NoteFigures.priority(number)
      note.flag = NoteFigures.flag(number)
      context.insert(note)
      try context.save(durability: .full)
      sample.take(nanoseconds: nanoseconds() - begin)
    }
  }

  /// Bytes that a save adds to the log: what a raw file is to write for comparison.
  func frameSize() throws -> Int {
    let saver = Saver(self)
    for _ in 0..<20 { try saver.save() }
    let before = container.logStore.statistics
    for _ in 0..<100 { try saver.save() }
    let after = container.logStore.statistics
    return Int(after.logBytes - before.logBytes) / 100
  }

  func close() throws { try container.close() }
}
