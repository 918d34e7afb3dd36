import SealedLog
import SealedModel
import Testing

/// What a save writes, what it refuses, and that a refused one leaves everything as it was.
@Suite struct SaveTests {
  private func club() throws -> TestContainer { try TestContainer([Person.self, Club.self]) }

  private func names(_ store: TestContainer) throws -> [String] {
    try store.context.fetch(Person.all.sorted(by: \.name)).map(\.name)
  }

  @Test func aRequiredValueNeverSet() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let person = Person()
    let other = Person("Ada")
    context.insert(person)
    context.insert(other)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .validationFailed)
    #expect(error?.message.contains("Person.name") == true)
    #expect(context.hasChanges && person.hasChanges && other.hasChanges)
    #expect(context.insertedObjects.count == 2)
    #expect(try names(store) == [])
    person.name = ""
    try context.save()
    #expect(!context.hasChanges && !person.hasChanges)
    #expect(try names(store) == ["", "Ada"])
  }

  @Test func aClashThatIsRefused() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    ada.email = "a@example.org"
    context.insert(ada)
    try context.save()
    let bob = Person("Bob")
    bob.email = "a@example.org"
    context.insert(bob)
    ada.age = 36
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .uniqueConflict)
    #expect(error?.message.contains("Person.email") == true, "\(error?.message ?? "-")")
    #expect(ada.age == 36 && ada.hasChanges && bob.hasChanges)
    #expect(try names(store) == ["Ada"])
    #expect(try store.context.fetch(Person.all).map(\.age) == [0])
    bob.email = "b@example.org"
    try context.save()
    #expect(try names(store) == ["Ada", "Bob"])
    // Two that swap their values don't clash.
    (ada.email, bob.email) = (bob.email, ada.email)
    try context.save()
    let found = try store.context.fetch(Person.where { $0.email == "a@example.org" })
    #expect(found.map(\.name) == ["Bob"])
  }

  @Test func aClashOfChangedObjects() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let people = ["Ada", "Bob"].map { Person($0) }
    for (index, person) in people.enumerated() {
      context.insert(person)
      person.badge = index
    }
    try context.save()
    people[1].badge = 0
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .uniqueConflict)
    #expect(people[1].badge == 0 && context.hasChanges)
    // The one in the way is deleted in the same save.
    context.delete(people[0])
    try context.save()
    #expect(try names(store) == ["Bob"])
  }

  @Test func aNewObjectUpdatesTheStoredOne() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    ada.badge = 1
    ada.age = 36
    context.insert(ada)
    try context.save()
    let identifier = ada.persistentModelID

    let other = store.context
    let newer = Person("Ada Lovelace")
    newer.badge = 1
    let club = Club()
    club.members = [newer]
    other.insert(club)
    try other.save()
    #expect(newer.isDeleted)

    let reader = store.context
    let found = try reader.fetch(Person.all)
    #expect(found.count == 1)
    #expect(found.first?.persistentModelID == identifier)
    #expect(found.first?.name == "Ada Lovelace")
    #expect(found.first?.age == 36, "what the new object never set stays")
    #expect(try reader.fetchCount(Person.where { $0.club != nil }) == 1)
    #expect(club.members.map(\.persistentModelID) == [identifier])
  }

  @Test func twoNewObjectsBecomeOne() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    for name in ["first", "second", "third"] {
      let person = Person(name)
      person.badge = 9
      context.insert(person)
    }
    try context.save()
    #expect(try names(store) == ["third"])
    #expect(!context.hasChanges)
  }

  @Test func nilNeverClashes() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    for name in ["a", "b", "c"] { context.insert(Person(name)) }
    try context.save()
    #expect(try names(store) == ["a", "b", "c"])
  }

  @Test func aRollback() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    let bob = Person("Bob")
    let club = Club()
    club.members = [ada, bob]
    context.insert(club)
    try context.save()
    let carol = Person("Carol")
    club.members.append(carol)
    ada.name = "changed"
    ada.tags.append("x")
    context.delete(bob)
    #expect(context.hasChanges && club.members.count == 2 && bob.isDeleted)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(ada.name == "Ada" && ada.tags.isEmpty && !bob.isDeleted && bob.name == "Bob")
    #expect(Array(club.members) == [ada, bob], "the same instances")
    #expect(bob.club === club)
    #expect(carol.modelContext == nil)
    #expect(try context.fetchCount(Person.all) == 2)
    bob.age = 4
    try context.save()
    #expect(try names(store) == ["Ada", "Bob"])
    // What left the context can come back.
    context.insert(carol)
    try context.save()
    #expect(try names(store) == ["Ada", "Bob", "Carol"])
  }

  @Test func aTransactionThatThrows() throws {
    struct Stop: Error {}
    let store = try club()
    defer { store.end() }
    let context = store.context
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Person("Ada"))
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    try context.transaction { context.insert(Person("Bob")) }
    #expect(try names(store) == ["Bob"])
  }

  @Test func anEqualValueIsNoChange() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    context.insert(ada)
    try context.save()
    ada.name = "Ada"
    ada.club = nil
    ada.friends = []
    #expect(!context.hasChanges)
  }

  @Test func aStoreThatCannotBeWritten() throws {
    let store = try club()
    let context = store.context
    let ada = Person("Ada")
    context.insert(ada)
    try context.save()
    ada.age = 1
    let bob = Person("Bob")
    context.insert(bob)
    try store.container.lock()
    let locked = #expect(throws: StoreError.self) { try context.save() }
    #expect(locked?.code == .locked)
    let fetch = #expect(throws: (any Error).self) { try context.fetch(Person.all) }
    #expect((fetch as? StoreError)?.code == .locked)
    #expect(ada.age == 1 && context.hasChanges && context.insertedObjects == [bob])
    try store.unlock()
    try context.save()
    #expect(try names(store) == ["Ada", "Bob"])
    ada.age = 2
    try store.container.close()
    let closed = #expect(throws: StoreError.self) { try context.save() }
    #expect(closed?.code == .closed)
    #expect(ada.age == 2 && context.hasChanges)
  }

  @Test func aRefusedSaveKeepsWhatItWouldHaveMerged() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let ada = Person("Ada")
    ada.badge = 1
    ada.email = "a@example.org"
    context.insert(ada)
    try context.save()
    let twin = Person("Twin")
    twin.badge = 1
    context.insert(twin)
    let clash = Person("Clash")
    clash.email = "a@example.org"
    context.insert(clash)
    #expect(throws: StoreError.self) { try context.save() }
    #expect(!twin.isDeleted && twin.name == "Twin" && ada.name == "Ada")
    #expect(context.insertedObjects == [twin, clash])
    clash.email = nil
    try context.save()
    #expect(try names(store) == ["Clash", "Twin"])
  }

  @Test func aModelOutsideTheSchema() throws {
    let store = try TestContainer([Trip.self])
    defer { store.end() }
    let context = store.context
    context.insert(Person("Ada"))
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .unknownEntity)
    #expect(error?.message.contains("Person") == true)
    #expect(throws: (any Error).self) { try context.fetch(Person.all) }
  }
}
