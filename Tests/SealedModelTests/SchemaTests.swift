import Foundation
import SealedModel
import Testing

// MARK: - Two versions of one entity in one process

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = SchemaVersion(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Folder.self] }
  final class Folder: Model {
    struct Properties: ModelProperties {
      let name = Attribute<String>("name")
      let notes = ToMany<Note>("notes", inverse: \.folder)
    }
  }
  final class Note: Model {
    struct Properties: ModelProperties {
      let title = Attribute<String>("title")
      let priority = Attribute<String>("priority")
      let folder = ToOne<Folder>("folder")
    }
  }
}
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = SchemaVersion(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Folder.self] }
  final class Folder: Model {
    struct Properties: ModelProperties {
      let name = Attribute<String>("name")
      let notes = ToMany<Note>("notes", inverse: \.folder)
    }
  }
  final class Note: Model {
    struct Properties: ModelProperties {
      let headline = Attribute<String>("headline", originalName: "title")
      let priority = Attribute<Int>("priority")
      let folder = ToOne<Folder>("folder")
    }
  }
}
// The app's current names.
typealias CurrentNote = SchemaV2.Note

@Test("Two versions of a model live side by side") func versions() throws {
  let first = try TestContainer(SchemaV1.models)
  let second = try TestContainer(SchemaV2.models)
  defer {
    first.end()
    second.end()
  }
  let old = first.context
  let new = second.context
  check(SchemaV1.Note.entityName == "Note" && SchemaV2.Note.entityName == "Note", "entity names")
  let a = SchemaV1.Note()
  a.title = "t"
  a.priority = "3"
  a.folder = SchemaV1.Folder()
  old.insert(a)
  let b = CurrentNote()
  b.headline = a.title
  b.priority = Int(a.priority) ?? 0
  new.insert(b)
  check(
    try old.fetch(SchemaV1.Note.where { $0.title == "t" && $0.priority == "3" }).count == 1, "old")
  check(
    try new.fetch(
      FetchDescriptor<CurrentNote>(predicate: #Predicate { $0.headline == "t" && $0.priority == 3 })
    ).count == 1, "new")
  check(a.folder?.notes.first == a, "relation")
}

// MARK: - What a schema refuses, all at once

final class Stranger: Model {
  struct Properties: ModelProperties { let name = Attribute<String>("name") }
}
final class BothA: Model {
  struct Properties: ModelProperties { let bs: ToMany<BothB> = ToMany("bs", inverse: \.a) }
}
final class BothB: Model {
  struct Properties: ModelProperties { let a: ToOne<BothA> = ToOne("a", inverse: \.bs) }
}
final class WrongInverse: Model {
  struct Properties: ModelProperties {
    let other = ToMany<Other>("other", inverse: \.stranger)
    let again = Attribute<Int>("other")
    let id = Attribute<UUID>("id")
    let version = 3
    let count = Attribute<Int>("count")
  }
}
final class Other: Model {
  struct Properties: ModelProperties { let stranger = ToOne<Stranger>("stranger") }
}
enum Twin {
  final class Other: Model {
    struct Properties: ModelProperties { let name = Attribute<String>("name") }
  }
}
final class VarModel: Model {
  struct Properties: ModelProperties { var name = Attribute<String>("name") }
}

@Test("A schema reports everything that is wrong at once") func refusals() {
  do {
    _ = try Schema([BothA.self, BothB.self, WrongInverse.self, Other.self, Twin.Other.self])
    check(false, "no error")
  } catch let error as SchemaErrors {
    let text = error.description
    for part in [
      "BothA.bs: both sides declare the inverse",
      "Other.stranger: its destination Stranger is not in the list of models",
      "WrongInverse.other: its inverse Other.stranger leads to Stranger",
      "WrongInverse.other: two properties have this name",
      "WrongInverse.id: is hidden", "WrongInverse.version: is no property descriptor",
      "Other: two models have this entity name",
    ] { check(text.contains(part), "missing: \(part) in\n\(text)") }
  } catch { check(false, "\(error)") }
  check((try? Schema([])) == nil, "empty")
  let model = WrongInverse()
  model.count = 7
  check(model.count == 7, "a field after one that is no descriptor")
}

/// A `var` descriptor: everything works, but predicates on it are evaluated on objects.
@Test("A descriptor that is a var works without index") func variableDescriptor() throws {
  let box = try TestContainer([VarModel.self])
  defer { box.end() }
  let context = box.context
  let model = VarModel()
  model.name = "x"
  context.insert(model)
  let descriptor = FetchDescriptor<VarModel>(predicate: #Predicate { $0.name == "x" })
  check(
    try context.fetch(descriptor).count == 1
      && context.explain(descriptor).contains("must be a `let`"), context.explain(descriptor))
  check(try context.fetch(VarModel.where { $0.name == "x" }).count == 1, "builder")
}

// MARK: - Generic code

func values<M: PersistentModel, V>(_ objects: [M], _ path: KeyPath<M, V>) -> [V] {
  objects.map { $0[keyPath: path] }
}
func sum<M: PersistentModel>(_ objects: [M], _ field: KeyPath<M.Properties, Attribute<Int>>) -> Int
{
  objects.reduce(0) { $0 + $1[dynamicMember: field] }
}
func identifiers<T: Identifiable>(_ things: [T]) -> Set<T.ID> { Set(things.map(\.id)) }
func create<M: PersistentModel>(_: M.Type) -> M { M() }

@Test("Models work in generic code and own each other no longer than needed") func generics() throws
{
  let notes = (1...3).map { i in
    let note = Note(title: "t\(i)")
    note.days = i
    return note
  }
  check(values(notes, \.title) == ["t1", "t2", "t3"], "key path")
  check(sum(notes, \.days) == 6, "field")
  check(identifiers(notes).count == 3 && Set(notes + notes).count == 3, "identity")
  let types: [any PersistentModel.Type] = [Note.self, Folder.self, LongBusinessTrip.self]
  let made: [any PersistentModel] = types.map { create($0) }
  check(
    made.map { String(describing: type(of: $0)) } == ["Note", "Folder", "LongBusinessTrip"],
    "any PersistentModel.Type")
  let array = [notes[0], Note(title: "other")] as [any PersistentModel]
  check(array[0].persistentModelID == notes[0].id, "any PersistentModel")
  let writable: ReferenceWritableKeyPath<Note, String> = \.title
  notes[0][keyPath: writable] = "written"
  check(notes[0].title == "written", "writable key path")
  // Closed under access control, `is` and casts.
  let trips: [Trip] = [Trip(), BusinessTrip(), LongBusinessTrip()]
  check(trips.compactMap { $0 as? BusinessTrip }.count == 2, "casts")
  check(trips.map(\.days) == [0, 0, 0], "inherited key path")
  // Ownership: no cycle outlives its last user, inserted or not.
  weak var gone: Folder?
  weak var goneToo: Note?
  do {
    let folder = Folder(name: "f"), note = Note(title: "n")
    note.folder = folder
    folder.notes = [note, Note(title: "m")]
    folder.notes.remove(at: 1)
    gone = folder
    goneToo = note
    check(folder.notes.count == 1 && note.folder == folder, "new graph")
  }
  check(gone == nil && goneToo == nil, "a new graph leaks")
  do {
    let box = try TestContainer([Note.self, Folder.self])
    defer { box.end() }
    let context = box.context
    let folder = Folder(name: "f"), note = Note(title: "n")
    context.insert(folder)
    note.folder = folder
    check(note.modelContext === context, "relating inserts")
    folder.notes = [note]
    gone = folder
    goneToo = note
  }
  check(gone == nil && goneToo == nil, "a context leaks")
  // In place, no overlap.
  let note = notes[1]
  note.tags = ["b", "a"]
  note.tags.sort()
  note.tags[0] += "!"
  swap(&note.title, &note.body)
  check(
    note.tags == ["a!", "b"] && note.body == "t2" && note.title.isEmpty,
    "in place \(note.tags) \(note.body)")
  func throwing(_ value: inout [String]) throws { value.append("c"); throw CancellationError() }
  try? throwing(&note.tags)
  check(note.tags == ["a!", "b", "c"], "a throw in place")
}
