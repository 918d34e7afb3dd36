import Foundation
import SealedLog
import SealedModel
import Testing

struct SavingTests {
  @Test("A required value that was never set refuses the save, by name")
  func required() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let author = Writer()
    context.insert(author)
    let card = Slip()
    context.insert(card)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .validationFailed)
    #expect(error?.message.contains("Writer.name") == true)
    author.name = ""
    #expect(errorCode { try context.save() } == .validationFailed)
    card.author = author
    try context.save()
    #expect(!context.hasChanges)
  }

  @Test("A second object under uniqueOrThrow is refused; context and store stay as they were")
  func refuses() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let first = Writer("a")
    context.insert(first)
    try context.save()
    let second = Writer("a")
    context.insert(second)
    let book = Volume("1")
    context.insert(book)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .uniqueConflict && error?.message.contains("Writer.name") == true)
    #expect(context.insertedObjects.count == 2)
    #expect(try box.context.fetchCount(Volume.all) == 0)
    second.name = "b"
    try context.save()
    // Values may be exchanged in one save.
    (first.name, second.name) = ("b", "a")
    try context.save()
    #expect(try box.context.fetch(Writer.where { $0.name == "b" }).first?.id == first.id)
    first.name = "a"
    #expect(errorCode { try context.save() } == .uniqueConflict)
    context.delete(second)
    try context.save()
  }

  @Test("A new object with a stored one's unique value updates the stored one")
  func upsert() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let stored = Volume("1", pages: 10)
    context.insert(stored)
    try context.save()
    let again = Volume("1", pages: 20)
    let author = Writer("a")
    context.insert(author)
    author.books.append(again)
    try context.save()
    #expect(stored.pages == 20 && again.isDeleted && again.pages == 20)
    #expect(author.books.map(\.persistentModelID) == [stored.persistentModelID])
    #expect(stored.authors.first === author)
    // Among new ones: the first survives.
    let twins = [Volume("2", pages: 1), Volume("2", pages: 2)]
    twins.forEach { context.insert($0) }
    try context.save()
    try box.reopen()
    let reopened = box.context
    let found = try reopened.fetch(Volume.all.sorted(by: \.isbn))
    #expect(found.map(\.isbn) == ["1", "2"] && found.map(\.pages) == [20, 2])
    #expect(found[0].authors.map(\.name) == ["a"])
  }

  @Test("Rollback forgets what wasn't saved and revives the same instances")
  func rollback() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let author = Writer("a")
    let book = Volume("1", pages: 1)
    author.books = [book]
    context.insert(author)
    try context.save()
    let new = Writer("n")
    context.insert(new)
    new.books.append(book)
    author.name = "changed"
    author.books = []
    book.pages += 1
    context.delete(book)
    #expect(context.hasChanges && book.isDeleted)
    #expect(try context.fetchCount(Volume.all) == 0)
    context.rollback()
    #expect(!context.hasChanges && !book.isDeleted)
    #expect(author.name == "a" && book.pages == 1 && author.books.first === book)
    #expect(book.authors.map(\.name) == ["a"] && new.modelContext == nil)
    #expect(try context.fetch(Volume.all).first === book)
    try context.save()
    #expect(try box.context.fetchCount(Writer.all) == 1)
  }

  @Test("Identifiers are permanent from insert on, equal after a round trip, never reused")
  func identifiers() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let author = Writer("a")
    #expect(author.persistentModelID.storeIdentifier == nil)
    context.insert(author)
    let id = author.persistentModelID
    try context.save()
    #expect(author.persistentModelID == id)
    let data = try JSONEncoder().encode(id)
    #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: data) == id)
    #expect(context.registeredModel(for: id) === author)
    context.delete(author)
    try context.save()
    #expect(context.model(for: id) == nil)
    try box.reopen()
    let next = Writer("b")
    let again = box.context
    again.insert(next)
    try again.save()
    #expect(next.persistentModelID > id)
    #expect(again.model(for: id) == nil)
    let other = try TestContainer(publishing)
    defer { other.end() }
    #expect(other.context.model(for: next.persistentModelID) == nil)
  }

  @Test("Two contexts: clean objects follow, changed ones merge by property")
  func contexts() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let one = box.context
    let two = box.context
    let book = Volume("1", pages: 1)
    one.insert(book)
    try one.save()
    let same = try #require(two.model(for: book.persistentModelID, as: Volume.self))
    same.pages = 7
    book.isbn = "x"
    try one.save()
    #expect(same.isbn == "1")
    _ = try two.fetchCount(Volume.all)
    #expect(same.isbn == "x" && same.pages == 7)
    try two.save()
    _ = try one.fetchCount(Volume.all)
    #expect(book.pages == 7 && book.isbn == "x")
    one.delete(book)
    try one.save()
    same.pages = 9
    try two.save()
    #expect(same.isDeleted && same.pages == 9)
    #expect(try two.fetchCount(Volume.all) == 0)
    same.pages = 10
    same.authors.append(Writer("late"))
    try two.save()
  }

  @Test("A locked container refuses and answers again once unlocked")
  func locked() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let book = Volume("1", pages: 1)
    context.insert(book)
    try context.save()
    try box.container.lock()
    #expect(errorCode { _ = try context.fetch(Volume.all) } == .locked)
    book.pages = 2
    #expect(errorCode { try context.save() } == .locked)
    #expect(book.authors.isEmpty)
    try box.unlock()
    try context.save()
    #expect(try box.context.fetch(Volume.all).map(\.pages) == [2])
  }

  @Test("A store of other models is refused with the differences; additions are taken")
  func schemaMatch() throws {
    let box = try TestContainer(SchemaV1.models)
    defer { box.end() }
    let context = box.context
    let note = SchemaV1.Note()
    note.title = "t"
    note.priority = "p"
    context.insert(note)
    try context.save()
    let error = #expect(throws: StoreError.self) { try box.reopen(SchemaV2.models) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("Note.priority") == true)
    #expect(error?.message.contains("Note.headline") == true)
  }
}
