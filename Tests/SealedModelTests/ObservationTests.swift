import Foundation
import Observation
import SealedModel
import Testing

final class Counter: @unchecked Sendable { var count = 0 }

@MainActor @Test("Observation tells of changes of what was read") func observing() throws {
  let box = try TestContainer([Note.self, Folder.self])
  defer { box.end() }
  let context = box.container.makeMainContext()
  let note = Note(title: "a"), folder = Folder(name: "f")
  context.insert(note)
  context.insert(folder)
  let counter = Counter()
  func track(_ body: () -> Void) -> Counter {
    let counter = Counter()
    withObservationTracking(body) { counter.count += 1 }
    return counter
  }
  let title = track { _ = note.title }
  note.days = 5
  check(title.count == 0, "another property")
  note.title = "b"
  check(title.count == 1, "title \(title.count)")
  let again = track { _ = note.title }
  note.title = "b"
  check(again.count == 0, "an equal value")
  note.title += "c"
  check(again.count == 1, "in place")
  let tags = track { _ = note.tags.count }
  note.tags.append("x")
  check(tags.count == 1, "append")
  let owner = track { _ = note.folder }
  note.folder = folder
  check(owner.count == 1, "to-one")
  let relation = track { _ = note.folder?.name }
  folder.name = "g"
  check(relation.count == 1, "through a relation")
  let list = track { _ = folder.notes.count }
  let second = Note(title: "z")
  second.folder = folder
  check(list.count == 1, "inverse side")
  let loop = track { for note in folder.notes { _ = note.title } }
  folder.notes.remove(at: 0)
  check(loop.count == 1, "to-many")
  let other = Counter()
  withObservationTracking {
    _ = second.title
  } onChange: {
    other.count += 1
  }
  note.title = "only the first"
  check(other.count == 0, "another object")
  _ = counter
}
