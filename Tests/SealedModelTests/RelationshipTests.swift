import Foundation
import SealedLog
import SealedModel
import Testing

final class Writer: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name", .uniqueOrThrow)
    let books = ToMany<Volume>("books", inverse: \.authors)
    let house = ToOne<Publisher>("house")
    let rival = ToOne<Writer>("rival")
    let favourites = ToMany<Volume>("favourites")
    let cards = ToMany<Slip>("cards", inverse: \.author, deleteRule: .cascade)
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
final class Volume: Model {
  struct Properties: ModelProperties {
    let isbn = Attribute<String>("isbn", .unique)
    let pages = Attribute<Int>("pages", default: 0)
    let authors = ToMany<Writer>("authors")
  }
  convenience init(_ isbn: String, pages: Int = 0) {
    self.init()
    self.isbn = isbn
    self.pages = pages
  }
}
final class Publisher: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let authors = ToMany<Writer>("authors", inverse: \.house, deleteRule: .deny)
  }
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
final class Slip: Model {
  struct Properties: ModelProperties {
    let text = Attribute<String>("text", default: "")
    let author = ToOne<Writer>("author", required: true)
    let next = ToOne<Slip>("next", deleteRule: .cascade)
  }
}
let publishing: [any PersistentModel.Type] = [Writer.self, Volume.self, Publisher.self, Slip.self]

func errorCode(_ body: () throws -> Void) -> StoreError.Code? {
  do {
    try body()
    return nil
  } catch { return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)") }
}

struct RelationshipTests {
  @Test("A many-to-many relationship keeps both orders through moves, saves and reopening")
  func order() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let author = Writer("a")
    let books = (0..<10).map { Volume("b\($0)") }
    context.insert(author)
    author.books = RelatedObjects(books)
    try context.save()
    author.books.remove(at: 3)
    author.books.insert(books[3], at: 0)
    author.books.append(Volume("late"))
    author.books.swapAt(1, 2)
    let expected = author.books.map(\.isbn)
    #expect(expected == ["b3", "b1", "b0", "b2", "b4", "b5", "b6", "b7", "b8", "b9", "late"])
    try context.save()
    #expect(author.books.map(\.isbn) == expected)
    try box.reopen()
    let again = box.context
    let found = try #require(try again.fetch(Writer.all).first)
    #expect(found.books.count == 11)
    #expect(found.books.map(\.isbn) == expected)
    #expect(found.books.allSatisfy { $0.authors.map(\.name) == ["a"] })
    found.books.removeAll { $0.isbn == "b5" }
    try again.save()
    try box.reopen()
    let third = box.context
    let lonely = try #require(try third.fetch(Volume.where { $0.isbn == "b5" }).first)
    #expect(lonely.authors.isEmpty)
    #expect(try third.fetchCount(Volume.where { $0.authors.any { $0.name == "a" } }) == 10)
  }

  @Test("Appending to a stored list and counting it doesn't load it")
  func unloaded() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let author = Writer("a")
    context.insert(author)
    for i in 0..<100 { author.books.append(Volume("b\(i)")) }
    try context.save()
    let second = box.context
    let same = try #require(second.model(for: author.persistentModelID, as: Writer.self))
    let book = Volume("new")
    same.books.append(book)
    same.books.append(book)
    #expect(same.books.count == 101)
    let stored = try #require(try second.fetch(Volume.where { $0.isbn == "b7" }).first)
    same.books.append(stored)
    #expect(same.books.count == 101)
    stored.authors.remove(same)
    #expect(same.books.count == 100)
    try second.save()
    #expect(same.books.count == 100)
    #expect(same.books.last === book)
    #expect(author.books.last?.isbn == "b99")
    _ = try context.fetchCount(Writer.all)
    #expect(author.books.count == 100)
    #expect(!author.books.contains { $0.isbn == "b7" })
  }

  @Test("Setting a to-one moves the object between the lists of the other side")
  func moves() throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let houses = ["x", "y"].map { Publisher($0) }
    let author = Writer("a")
    houses.forEach { context.insert($0) }
    author.house = houses[0]
    #expect(houses[0].authors.map(\.name) == ["a"])
    try context.save()
    houses[1].authors.append(author)
    #expect(houses[0].authors.isEmpty && author.house === houses[1])
    try context.save()
    try box.reopen()
    let again = box.context
    let count = try again.fetch(Publisher.all.sorted(by: \.name)).map(\.authors.count)
    #expect(count == [0, 1])
    #expect(try again.fetchCount(Publisher.where { $0.authors.isEmpty }) == 1)
  }

  @Test("Delete rules: nullify, cascade around a cycle, deny", arguments: [false, true])
  func deleteRules(savedFirst: Bool) throws {
    let box = try TestContainer(publishing)
    defer { box.end() }
    let context = box.context
    let house = Publisher("h")
    let author = Writer("a")
    let other = Writer("b")
    let book = Volume("1")
    context.insert(house)
    author.house = house
    author.books = [book]
    other.rival = author
    other.favourites = [book]
    context.insert(other)
    let cards = [Slip(), Slip(), Slip()]
    for card in cards { card.author = author }
    cards[0].next = cards[1]
    cards[1].next = cards[2]
    cards[2].next = cards[0]
    if savedFirst { try context.save() }

    context.delete(house)
    #expect(errorCode { try context.save() } == (savedFirst ? .deleteDenied : nil))
    if savedFirst {
      #expect(context.hasChanges)
      author.house = nil
    }
    context.delete(author)
    #expect(cards.allSatisfy(\.isDeleted) && author.isDeleted)
    #expect(author.name == "a" && book.authors.isEmpty && other.rival == nil)
    context.delete(book)
    #expect(other.favourites.isEmpty)
    try context.save()
    try box.reopen()
    let again = box.context
    #expect(try again.fetchCount(Slip.all) == 0)
    #expect(try again.fetchCount(Volume.all) == 0)
    let rest = try again.fetch(Writer.all)
    #expect(rest.map(\.name) == ["b"] && rest.first?.rival == nil)
    #expect(try again.fetchCount(Writer.where { $0.rival == nil }) == 1)
    #expect(rest.first?.favourites.count == 0)
    #expect(try again.fetchCount(Publisher.all) == 0)
  }
}
