import SealedModel
import Testing

/// A new object with the unique values of a stored one updates it, and whoever referred to the new
/// one refers to the stored one.
@Suite struct UpsertTests {
  @Test(arguments: [true, false])
  func referencesFollow(_ placeFirst: Bool) throws {
    let store = try TestContainer([Place.self, Visit.self])
    defer { store.end() }
    let context = store.context
    let stored = Place("A")
    context.insert(stored)
    try context.save()
    let place = Place("A")
    let visit = Visit()
    if placeFirst {
      context.insert(place)
      context.insert(visit)
    } else {
      context.insert(visit)
      context.insert(place)
    }
    place.note = "new"
    visit.place = place
    visit.origin = place
    visit.stops = [place, stored, Place("B")]
    try context.save()
    #expect(visit.place === stored && visit.origin === stored)
    #expect(visit.stops.map(\.code) == ["A", "B"])
    #expect(Array(stored.visits) == [visit] && stored.note == "new")
    #expect(place.isDeleted && !context.hasChanges)

    let reader = store.context
    #expect(try reader.fetchCount(Place.all) == 2)
    let same = try #require(reader.model(for: visit.id, as: Visit.self))
    let found = try #require(reader.model(for: stored.id, as: Place.self))
    #expect(same.place === found && same.origin === found)
    #expect(same.stops.map(\.code) == ["A", "B"] && Array(found.visits) == [same])
  }

  @Test func oneMergeBringsAnother() throws {
    let store = try TestContainer([Place.self, Visit.self])
    defer { store.end() }
    let context = store.context
    let stored = Place("A")
    let visit = Visit()
    visit.day = 5
    visit.place = stored
    context.insert(visit)
    try context.save()
    // The new visit has another place, until that place turns out to be the stored one.
    let again = Visit()
    again.day = 5
    again.place = Place("A")
    again.stops = [Place("C")]
    context.insert(again)
    try context.save()
    #expect(again.isDeleted)
    let reader = store.context
    let visits = try reader.fetch(Visit.all)
    #expect(visits.map(\.id) == [visit.id])
    #expect(visits.first?.stops.map(\.code) == ["C"])
    #expect(try reader.fetch(Place.all.sorted(by: \.code)).map(\.code) == ["A", "C"])
    #expect(try reader.fetchCount(Place.where { $0.visits.count == 1 }) == 1)
  }

  @Test func manyOfTheSame() throws {
    let store = try TestContainer([Place.self, Visit.self])
    defer { store.end() }
    let context = store.context
    for round in 0..<3 {
      for index in 0..<40 {
        let visit = Visit()
        visit.day = round * 100 + index
        visit.place = Place("P\(index % 4)")
        visit.origin = visit.place
        context.insert(visit)
      }
      try context.save()
    }
    let reader = store.context
    #expect(try reader.fetchCount(Place.all) == 4)
    #expect(try reader.fetchCount(Visit.all) == 120)
    #expect(try reader.fetchCount(Place.where { $0.visits.count == 30 }) == 4)
    #expect(try reader.fetchCount(Visit.where { $0.origin.code == "P1" }) == 30)
    #expect(try reader.fetchCount(Visit.where { $0.place == nil || $0.origin == nil }) == 0)
  }
}
