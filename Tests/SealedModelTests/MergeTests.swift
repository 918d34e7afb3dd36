import Foundation
import SealedLog
import SealedModel
import Testing

final class Author: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .unique)
    let born = Attribute<Int?>("born")
    let books = ToMany<Book>("books", inverse: \.author)
    let favourite = ToOne<Book>("favourite")
    init() {}
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class Book: Model {
  struct Properties: ModelProperties {
    let title = Attribute<String>("title", .uniqueOrThrow)
    let author = ToOne<Author>("author")
    let recommendedBy = ToOne<Author>("recommendedBy")
    init() {}
  }
  convenience init(_ title: String) {
    self.init()
    self.title = title
  }
}

@Suite("What happens to related objects in a save, and between contexts")
struct MergeTests {
  private func library() throws -> TestContainer { try TestContainer([Author.self, Book.self]) }
  private func author(_ context: ModelContext, _ name: String) throws -> Author {
    try #require(try context.fetch(Author.where { $0.name == name }).first)
  }

  @Test("What a new object brought along follows to the one that it updates")
  func relatedObjectsFollow() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    first.insert(Author("Eco"))
    try first.save()

    let second = store.context
    let new = Author("Eco")
    new.born = 1932
    let rose = Book("The Name of the Rose")
    let prague = Book("The Prague Cemetery")
    second.insert(new)
    new.books = [rose, prague]
    prague.recommendedBy = new
    try second.save()

    #expect(try second.fetchCount(FetchDescriptor<Author>()) == 1)
    let eco = try author(second, "Eco")
    #expect(eco.born == 1932)
    #expect(rose.author === eco && prague.author === eco && prague.recommendedBy === eco)
    for context in [second, store.context] {
      let eco = try author(context, "Eco")
      #expect(eco.books.map(\.title).sorted() == ["The Name of the Rose", "The Prague Cemetery"])
      #expect(try context.fetchCount(Book.where { $0.author.name == "Eco" }) == 2)
      #expect(try context.fetchCount(Book.where { $0.recommendedBy.name == "Eco" }) == 1)
    }
  }

  @Test("A save that fails after a merge leaves everything as it was, and can be repeated")
  func failureAfterMerge() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    let stored = Author("Eco")
    stored.books = [Book("Baudolino")]
    first.insert(stored)
    try first.save()

    let second = store.context
    let eco = try author(second, "Eco")
    let new = Author("Eco")
    new.born = 1932
    let rose = Book("The Name of the Rose")
    second.insert(new)
    new.books = [rose]
    // The second book of that title is refused.
    let clash = Book("Baudolino")
    second.insert(clash)
    let inserted = second.insertedObjects
    for _ in 0..<2 {
      #expect(throws: StoreError.self) { try second.save() }
      #expect(second.insertedObjects == inserted)
      #expect(second.changedObjects.isEmpty)
      #expect(!new.isDeleted && new.modelContext === second && new.born == 1932)
      #expect(new.books.map(\.title) == ["The Name of the Rose"] && rose.author === new)
      #expect(eco.born == nil && eco.books.map(\.title) == ["Baudolino"])
      #expect(try store.context.fetchCount(FetchDescriptor<Book>()) == 1)
    }
    try store.container.lock()
    second.delete(clash)
    #expect(throws: StoreError.self) { try second.save() }
    try store.unlock()
    try second.save()
    #expect(new.isDeleted && rose.author === eco && eco.born == 1932)
    let third = store.context
    #expect(
      try author(third, "Eco").books.map(\.title) == ["Baudolino", "The Name of the Rose"])
  }

  @Test("An object inserted again after a rollback is related to nothing")
  func rollbackAndInsert() throws {
    let store = try library()
    defer { store.end() }
    let context = store.context
    let eco = Author("Eco")
    context.insert(eco)
    try context.save()
    let rose = Book("The Name of the Rose")
    rose.author = eco
    context.rollback()
    #expect(eco.books.isEmpty && rose.author == nil && !context.hasChanges)
    context.insert(rose)
    try context.save()
    #expect(try store.context.fetchCount(Book.where { $0.author == nil }) == 1)
    rose.author = eco
    try context.save()
    let other = store.context
    #expect(try author(other, "Eco").books.map(\.title) == ["The Name of the Rose"])
  }

  @Test("Two contexts move one object: the last save's side wins on both sides")
  func movedTwice() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    for name in ["A", "B", "C"] { first.insert(Author(name)) }
    let book = Book("Book")
    book.author = try author(first, "A")
    try first.save()

    let second = store.context
    let same = try #require(try second.fetch(FetchDescriptor<Book>()).first)
    // Loaded, so that what the other context does isn't merely read later.
    #expect(try ["A", "B", "C"].map { try author(second, $0).books.count } == [1, 0, 0])
    same.author = try author(second, "C")
    book.author = try author(first, "B")
    try first.save()
    try second.save()
    for context in [first, second, store.context] {
      #expect(try ["A", "B", "C"].map { try author(context, $0).books.count } == [0, 0, 1])
      #expect(try context.fetchCount(Book.where { $0.author.name == "C" }) == 1)
    }
    #expect(book.author?.name == "C")
  }

  @Test("What another context related to a deleted object meanwhile is led nowhere")
  func relatedWhileDeleted() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    first.insert(Author("A"))
    try first.save()
    let second = store.context
    second.delete(try author(second, "A"))

    let book = Book("Book")
    book.author = try author(first, "A")
    book.recommendedBy = book.author
    try first.save()
    try second.save()
    #expect(try first.fetchCount(Book.where { $0.author == nil && $0.recommendedBy == nil }) == 1)
    #expect(book.author == nil && book.recommendedBy == nil)
    #expect(try store.context.fetchCount(Book.where { $0.author == nil }) == 1)
  }

  @Test("An object led to one that another context deleted is saved with nil")
  func ledToDeleted() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    let book = Book("Book")
    first.insert(Author("A"))
    first.insert(book)
    try first.save()
    let second = store.context
    let same = try #require(try second.fetch(FetchDescriptor<Book>()).first)
    same.author = try author(second, "A")
    first.delete(try author(first, "A"))
    try first.save()
    try second.save()
    #expect(same.author == nil)
    #expect(try store.context.fetchCount(Book.where { $0.author == nil }) == 1)
  }

  @Test("Identifiers and counts make no objects")
  func identifiersMakeNoObjects() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    for index in 0..<20 { first.insert(Author("\(index)")) }
    try first.save()
    let context = store.context
    let query = Author.where { $0.name != "7" }.sorted(by: \.born)
    let ids = try context.fetchIdentifiers(query)
    #expect(ids.count == 19)
    #expect(try context.fetchCount(query) == 19)
    #expect(ids.allSatisfy { context.registeredModel(for: $0) == nil })
  }

  @Test("A locked store's lists read as empty, answer after the unlock, and lose nothing")
  func lockAndUnlock() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    let eco = Author("Eco")
    first.insert(eco)
    eco.books = [Book("a"), Book("b")]
    try first.save()
    let context = store.context
    let same = try author(context, "Eco")
    let counted = try author(store.context, "Eco")
    #expect(counted.name == "Eco")
    let third = store.context
    let known = try author(third, "Eco")
    #expect(known.books.count == 2)
    try store.container.lock()
    for object in [same, known] {
      #expect(object.name == "Eco" && object.favourite == nil)
      #expect(object.books.map(\.title).isEmpty && object.books.isEmpty)
      #expect(object.books.first == nil)
    }
    let new = Book("c")
    same.books.append(new)
    #expect(same.books.map(\.title) == ["c"])
    try store.unlock()
    #expect(known.books.map(\.title) == ["a", "b"])
    #expect(same.books.map(\.title) == ["a", "b", "c"])
    try context.save()
    let last = store.context
    #expect(try author(last, "Eco").books.map(\.title) == ["a", "b", "c"])
  }

  @Test("An object deleted while the store is locked leaves no reference behind")
  func deletedWhileLocked() throws {
    let store = try library()
    defer { store.end() }
    let first = store.context
    let eco = Author("Eco")
    first.insert(eco)
    eco.books = [Book("a"), Book("b")]
    try first.save()
    let context = store.context
    let same = try author(context, "Eco")
    try store.container.lock()
    context.delete(same)
    try store.unlock()
    try context.save()
    #expect(try store.context.fetchCount(Book.where { $0.author == nil }) == 2)
    #expect(try store.context.fetchCount(FetchDescriptor<Author>()) == 0)
  }
}
