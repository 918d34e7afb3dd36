import Foundation
import SealedLog
import SealedModel
import Testing

/// Several contexts of one container, identifiers, and objects that outlive their records.
@Suite struct ContextTests {
  private func club() throws -> TestContainer { try TestContainer([Person.self, Club.self]) }

  @Test func anotherContextsSaveIsSeen() throws {
    let store = try club()
    defer { store.end() }
    let one = store.context
    let ada = Person("Ada")
    let bob = Person("Bob")
    for person in [ada, bob] { one.insert(person) }
    try one.save()
    let two = store.context
    let same = try #require(two.model(for: ada.id, as: Person.self))
    #expect(same !== ada && same.name == "Ada")
    same.name = "Ada L."
    same.tags = ["countess"]
    two.delete(try #require(two.model(for: bob.id, as: Person.self)))
    #expect(ada.name == "Ada", "not before the save")
    try two.save()
    #expect(try one.fetch(Person.all) == [ada])
    #expect(ada.name == "Ada L." && ada.tags == ["countess"])
    #expect(bob.isDeleted && bob.name == "Bob")
  }

  @Test func changesOfOneObjectMergeByProperty() throws {
    let store = try club()
    defer { store.end() }
    let one = store.context
    let ada = Person("Ada")
    one.insert(ada)
    try one.save()
    let two = store.context
    let same = try #require(two.model(for: ada.id, as: Person.self))
    ada.age = 36
    same.name = "Ada L."
    try two.save()
    try one.save()
    let fresh = try #require(store.context.model(for: ada.id, as: Person.self))
    #expect(fresh.age == 36 && fresh.name == "Ada L.")
    #expect(ada.name == "Ada L.")
  }

  @Test func listsOfTwoContextsMerge() throws {
    let store = try club()
    defer { store.end() }
    let one = store.context
    let club = Club()
    one.insert(club)
    club.members = [Person("a"), Person("b")]
    try one.save()
    let two = store.context
    let same = try #require(two.model(for: club.id, as: Club.self))
    club.members.append(Person("c"))
    same.members.append(Person("d"))
    try two.save()
    try one.save()
    let reader = store.context
    let fresh = try #require(reader.model(for: club.id, as: Club.self))
    let names = withExtendedLifetime(reader) { fresh.members.map(\.name) }
    #expect(names.prefix(2) == ["a", "b"] && names.sorted() == ["a", "b", "c", "d"])
  }

  @Test func changingWhatAnotherContextDeleted() throws {
    let store = try club()
    defer { store.end() }
    let one = store.context
    let ada = Person("Ada")
    let club = Club()
    club.members = [ada]
    one.insert(club)
    try one.save()
    let two = store.context
    two.delete(try #require(two.model(for: ada.id, as: Person.self)))
    try two.save()
    ada.name = "late"
    try one.save()
    #expect(ada.isDeleted && ada.name == "late")
    #expect(try store.context.fetchCount(Person.all) == 0)
    #expect(club.members.isEmpty)
  }

  @Test func identifiersStay() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    #expect(ada.persistentModelID.storeIdentifier == nil)
    context.insert(ada)
    let identifier = ada.persistentModelID
    #expect(identifier.storeIdentifier == store.container.storeIdentifier)
    try context.save()
    #expect(ada.persistentModelID == identifier)
    let text = try JSONEncoder().encode([identifier])
    #expect(try JSONDecoder().decode([PersistentIdentifier].self, from: text) == [identifier])
    let bob = Person("Bob")
    context.insert(bob)
    #expect(identifier < bob.persistentModelID, "in order of creation")
    #expect(context.registeredModel(for: identifier) === ada)
    #expect(store.context.registeredModel(for: identifier) == nil)
    context.delete(ada)
    try context.save()
    #expect(context.model(for: identifier) == nil)
    try store.reopen()
    let later = store.context
    let carol = Person("Carol")
    later.insert(carol)
    #expect(carol.persistentModelID != identifier)
    #expect(bob.persistentModelID < carol.persistentModelID)
    #expect(later.model(for: identifier) == nil)
  }

  @Test func anotherStoresIdentifier() throws {
    let one = try club()
    let two = try club()
    defer {
      one.end()
      two.end()
    }
    let context = one.context
    let ada = Person("Ada")
    context.insert(ada)
    try context.save()
    #expect(two.context.model(for: ada.persistentModelID) == nil)
    #expect(two.context.registeredModel(for: ada.persistentModelID) == nil)
  }

  @Test func aDeletedObjectStaysReadable() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    ada.friends = [Person("Bob")]
    let club = Club()
    club.members = [ada]
    context.insert(club)
    try context.save()
    context.delete(ada)
    try context.save()
    #expect(ada.isDeleted && ada.name == "Ada" && ada.tags.isEmpty)
    #expect(club.members.isEmpty)
    // Whatever is done to it has no effect on the store, and nothing stops the program.
    ada.name = "ghost"
    ada.tags.append("x")
    ada.friends.append(Person("Carol"))
    ada.friends = []
    ada.club = club
    context.delete(ada)
    context.insert(ada)
    try context.save()
    #expect(ada.name == "ghost")
    let reader = store.context
    #expect(try reader.fetchCount(Person.where { $0.name == "ghost" }) == 0)
    #expect(try reader.fetchCount(Club.where { $0.members.isEmpty }) == 1)
  }

  @Test func objectsOutliveTheirContext() throws {
    let store = try club()
    defer { store.end() }
    var ada = Person("Ada")
    do {
      let context = store.context
      let club = Club()
      club.members = [ada, Person("Bob")]
      context.insert(club)
      try context.save()
    }
    #expect(ada.name == "Ada" && ada.modelContext == nil)
    _ = ada.club
    _ = ada.friends.count
    ada.name = "alone"
    ada.friends.append(Person("Carol"))
    let identifier = ada.persistentModelID
    ada = try #require(store.context.model(for: identifier, as: Person.self))
    #expect(ada.name == "Ada")
    #expect(ada.club == nil || ada.club?.title.isEmpty == true)
  }

  @Test func aForeignContextsObject() throws {
    let store = try club()
    defer { store.end() }
    let one = store.context
    let two = store.context
    let ada = Person("Ada")
    one.insert(ada)
    try one.save()
    let club = Club()
    two.insert(club)
    two.insert(ada)
    #expect(ada.modelContext === one)
    club.members.append(ada)
    ada.friends.append(ada)
    try two.save()
    try one.save()
    #expect(try store.context.fetchCount(Club.where { $0.members.count > 1 }) == 0)
  }

  @Test func countsOverPendingChanges() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    for index in 0..<10 {
      let person = Person("p\(index)")
      person.badge = index
      context.insert(person)
    }
    try context.save()
    let people = try context.fetch(Person.all.sorted(by: \.badge))
    people[3].badge = 103
    context.delete(people[4])
    context.insert(Person("new"))
    #expect(try context.fetchCount(Person.all) == 10)
    #expect(try context.fetchCount(Person.where { $0.badge == 3 }) == 0)
    #expect(try context.fetch(Person.where { $0.badge == 103 }) == [people[3]])
    #expect(try context.fetchCount(Person.where { $0.badge == 4 }) == 0)
    var stored = FetchDescriptor<Person>()
    stored.includePendingChanges = false
    #expect(try context.fetchCount(stored) == 10)
    #expect(try context.fetchCount(Person.where { $0.badge == nil }) == 1)
  }
}
