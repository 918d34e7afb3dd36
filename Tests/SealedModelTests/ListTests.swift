import SealedModel
import TestSupport
import Testing

/// To-many relationships: order, both sides, and what is not loaded.
@Suite struct ListTests {
  private func club() throws -> TestContainer { try TestContainer([Person.self, Club.self]) }

  private func names(_ store: TestContainer, _ club: Club) throws -> [String] {
    let context = store.context
    let found = try #require(context.model(for: club.id, as: Club.self))
    // Objects don't keep their context.
    return withExtendedLifetime(context) { found.members.map(\.name) }
  }

  @Test func theOrderIsKept() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let club = Club()
    context.insert(club)
    for name in ["a", "b", "c", "d", "e"] { club.members.append(Person(name)) }
    try context.save()
    #expect(try names(store, club) == ["a", "b", "c", "d", "e"])
    club.members.swapAt(0, 4)
    try context.save()
    #expect(try names(store, club) == ["e", "b", "c", "d", "a"])
    let moved = club.members.remove(at: 2)
    club.members.insert(moved, at: 0)
    try context.save()
    #expect(try names(store, club) == ["c", "e", "b", "d", "a"])
    club.members.reverse()
    club.members.insert(Person("new"), at: 2)
    try context.save()
    try store.reopen()
    #expect(try names(store, club) == ["a", "d", "new", "b", "e", "c"])
  }

  @Test func bothSidesChangeAtOnce() throws {
    let store = try club()
    defer { store.end() }
    let context = store.context
    let one = Club()
    let two = Club()
    let ada = Person("Ada")
    for object in [one, two] { context.insert(object) }
    ada.club = one
    #expect(ada.modelContext === context && Array(one.members) == [ada])
    two.members.append(ada)
    #expect(ada.club === two && one.members.isEmpty && Array(two.members) == [ada])
    two.members.append(ada)
    #expect(two.members.count == 1, "at most once")
    two.members.remove(ada)
    #expect(ada.club == nil && !ada.isDeleted)
    ada.club = two
    try context.save()
    let other = store.context
    let same = try #require(other.model(for: ada.id, as: Person.self))
    let club = try #require(other.model(for: one.id, as: Club.self))
    same.club = club
    try other.save()
    _ = try context.fetchCount(Person.all)
    #expect(ada.club === one && two.members.isEmpty && Array(one.members) == [ada])
  }

  @Test func appendingLoadsNothing() throws {
    let store = try club()
    defer { store.end() }
    let first = store.context
    let club = Club()
    first.insert(club)
    let people = (0..<100).map { Person("p\($0)") }
    club.members = RelatedObjects(people)
    try first.save()
    let context = store.context
    let same = try #require(context.model(for: club.id, as: Club.self))
    #expect(same.members.count == 100)
    same.members.append(Person("last"))
    #expect(same.members.count == 101)
    try context.save()
    #expect(people.allSatisfy { context.registeredModel(for: $0.persistentModelID) == nil })
    #expect(try names(store, club).last == "last")
    #expect(try names(store, club).count == 101)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomChanges(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try club()
    defer { store.end() }
    var context = store.context
    var clubs = (0..<3).map { _ in Club() }
    for club in clubs { context.insert(club) }
    let identifiers = clubs.map(\.persistentModelID)
    var model: [[String]] = [[], [], []]
    var people: [String: Person] = [:]
    var count = 0

    func person() -> (String, Person) {
      if count < 5 || Int.random(in: 0..<3, using: &random) == 0 {
        count += 1
        let person = Person("p\(count)")
        context.insert(person)
        people["p\(count)"] = person
        return ("p\(count)", person)
      }
      let name = people.keys.sorted().randomElement(using: &random) ?? ""
      return (name, people[name] ?? Person(name))
    }
    func remove(_ name: String) {
      for index in 0..<3 { model[index].removeAll { $0 == name } }
    }
    for step in 0..<400 {
      let at = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1, 2:
        let (name, person) = person()
        if !model[at].contains(name) {
          remove(name)
          model[at].append(name)
        }
        clubs[at].members.append(person)
      case 3:
        let (name, person) = person()
        if !model[at].contains(name) {
          remove(name)
          model[at].append(name)
        }
        person.club = clubs[at]
      case 4:
        let (name, person) = person()
        remove(name)
        person.club = nil
      case 5:
        let (name, person) = person()
        guard !model[at].contains(name) else { continue }
        remove(name)
        let position = Int.random(in: 0...model[at].count, using: &random)
        model[at].insert(name, at: position)
        clubs[at].members.insert(person, at: position)
      case 6:
        model[at].reverse()
        clubs[at].members.reverse()
      case 7:
        guard !model[at].isEmpty else { continue }
        let position = Int.random(in: 0..<model[at].count, using: &random)
        model[at].remove(at: position)
        clubs[at].members.remove(at: position)
      case 8:
        let (name, person) = person()
        remove(name)
        people[name] = nil
        context.delete(person)
      case 9:
        model[at].sort()
        clubs[at].members.sort { $0.name < $1.name }
      case 10: try context.save()
      default:
        try context.save()
        if step % 3 == 0 { try store.reopen() }
        context = store.context
        clubs = try identifiers.map { try #require(context.model(for: $0, as: Club.self)) }
        people = [:]
        for person in try context.fetch(Person.all) { people[person.name] = person }
      }
      if step % 5 == 0 {
        #expect(clubs.map { $0.members.map(\.name) } == model, "seed \(seed) step \(step)")
        for (club, names) in zip(clubs, model) {
          #expect(club.members.count == names.count, "seed \(seed) step \(step)")
          let all = club.members.allSatisfy { $0.club === club }
          #expect(all, "seed \(seed) step \(step)")
        }
      }
    }
  }
}
