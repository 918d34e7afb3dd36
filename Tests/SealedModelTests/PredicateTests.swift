import Foundation
import SealedModel
import Testing

/// A predicate must give what the loop gives, whether compiled or not; `compiled` says which is expected.
func same<M: PersistentModel>(
  _ context: ModelContext, _ name: String, _ predicate: Predicate<M>, compiled: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation, _ loop: (M) -> Bool
) throws {
  let descriptor = FetchDescriptor<M>(predicate: predicate)
  let all = try context.fetch(FetchDescriptor<M>())
  let got = Set(try context.fetch(descriptor).map(\.persistentModelID))
  let want = Set(all.filter(loop).map(\.persistentModelID))
  let plain = Set(try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
  check(
    got == want, "\(name): \(got.count) instead of \(want.count)", sourceLocation: sourceLocation)
  check(
    plain == want, "\(name): evaluate gives \(plain.count) instead of \(want.count)",
    sourceLocation: sourceLocation)
  check(
    !want.isEmpty && want.count < all.count, "\(name): \(want.count) of \(all.count) tells nothing",
    sourceLocation: sourceLocation)
  let plan = context.explain(descriptor)
  check(plan.contains("residual") != compiled, "\(name): \(plan)", sourceLocation: sourceLocation)
}
func same<M: PersistentModel>(
  _ context: ModelContext, _ name: String, _ query: Query<M>,
  sourceLocation: SourceLocation = #_sourceLocation, _ loop: (M) -> Bool
) throws {
  let all = try context.fetch(FetchDescriptor<M>())
  let got = Set(try context.fetch(query).map(\.persistentModelID))
  let want = Set(all.filter(loop).map(\.persistentModelID))
  check(
    got == want, "\(name): \(got.count) instead of \(want.count)", sourceLocation: sourceLocation)
  check(
    !want.isEmpty && want.count < all.count, "\(name): \(want.count) of \(all.count) tells nothing",
    sourceLocation: sourceLocation)
  let copy = try JSONDecoder().decode(Query<M>.self, from: JSONEncoder().encode(query))
  check(copy == query, "\(name): Codable", sourceLocation: sourceLocation)
}

@Test("Predicates give what a loop gives, compiled or not") func predicates() throws {
  let box = try TestContainer([
    Note.self, Folder.self, Trip.self, BusinessTrip.self, LongBusinessTrip.self,
  ])
  defer { box.end() }
  let context = box.context
  let (notes, folders) = try sample(context)
  let inbox = folders[1]
  let cutoff = Date(timeIntervalSinceReferenceDate: 30_000)
  let open = Status.open
  let high = Priority.high
  let low = Priority.low
  let ids = [notes[3].persistentModelID, notes[9].persistentModelID]
  let inboxID = inbox.persistentModelID
  let days: Set<Int> = [3, 5, 8]
  let wanted = [Status.open, .done]
  let range = 10..<20
  let noID: PersistentIdentifier? = nil

  try same(context, "compare", #Predicate<Note> { $0.days > 20 && $0.createdAt > cutoff }) {
    $0.days > 20 && $0.createdAt > cutoff
  }
  try same(context, "optional chain", #Predicate<Note> { $0.folder?.name == "Inbox" }) {
    $0.folder?.name == "Inbox"
  }
  try same(context, "optional chain !=", #Predicate<Note> { $0.folder?.name != "Inbox" }) {
    $0.folder?.name != "Inbox"
  }
  try same(context, "chain 2", #Predicate<Note> { $0.folder?.parent?.name == "Root" }) {
    $0.folder?.parent?.name == "Root"
  }
  try same(context, "chain to optional", #Predicate<Note> { $0.folder?.rank == 1 }) {
    $0.folder?.rank == 1
  }
  try same(context, "relation nil", #Predicate<Note> { $0.folder == nil }) { $0.folder == nil }
  try same(context, "relation not nil", #Predicate<Note> { $0.folder != nil }) { $0.folder != nil }
  try same(context, "attribute nil", #Predicate<Note> { $0.rating == nil }) { $0.rating == nil }
  try same(context, "optional value", #Predicate<Note> { $0.rating == 3 }) { $0.rating == 3 }
  try same(context, "coalesce", #Predicate<Note> { ($0.rating ?? 0) > 2 }) { ($0.rating ?? 0) > 2 }
  try same(context, "if let", #Predicate<Note> { if let r = $0.rating { r > 2 } else { false } }) {
    if let r = $0.rating { r > 2 } else { false }
  }
  try same(context, "flatMap", #Predicate<Note> { $0.folder.flatMap { $0.name.isEmpty } == false })
  { $0.folder.flatMap { $0.name.isEmpty } == false }
  try same(context, "enum", #Predicate<Note> { $0.status == open }) { $0.status == open }
  try same(context, "enum optional", #Predicate<Note> { $0.priority == high }) {
    $0.priority == high
  }
  try same(context, "enum raw", #Predicate<Note> { $0.status.rawValue == "open" }) {
    $0.status.rawValue == "open"
  }
  try same(context, "enum order", #Predicate<Note> { ($0.priority ?? low) > low }, compiled: false)
  { ($0.priority ?? .low) > .low }
  try same(context, "captured array", #Predicate<Note> { wanted.contains($0.status) }) {
    wanted.contains($0.status)
  }
  try same(context, "captured set", #Predicate<Note> { days.contains($0.days) }) {
    days.contains($0.days)
  }
  try same(context, "identifier", #Predicate<Note> { ids.contains($0.persistentModelID) }) {
    ids.contains($0.persistentModelID)
  }
  try same(
    context, "relation identifier", #Predicate<Note> { $0.folder?.persistentModelID == inboxID }
  ) { $0.folder?.persistentModelID == inboxID }
  try same(
    context, "relation no identifier", #Predicate<Note> { $0.folder?.persistentModelID == noID }
  ) { $0.folder == nil }
  try same(context, "range literal", #Predicate<Note> { (5...9).contains($0.days) }) {
    (5...9).contains($0.days)
  }
  try same(context, "range captured", #Predicate<Note> { range.contains($0.days) }) {
    range.contains($0.days)
  }
  try same(context, "to-many contains", #Predicate<Folder> { $0.notes.contains { $0.days == 5 } }) {
    $0.notes.contains { $0.days == 5 }
  }
  try same(context, "arithmetic", #Predicate<Note> { $0.days * 2 > 61 && $0.days % 2 == 0 }) {
    $0.days * 2 > 61 && $0.days % 2 == 0
  }
  try same(context, "to-many all", #Predicate<Folder> { $0.notes.allSatisfy { $0.days % 4 == 1 } })
  { $0.notes.allSatisfy { $0.days % 4 == 1 } }
  try same(context, "filter count", #Predicate<Folder> { $0.notes.filter { $0.flag }.count > 3 }) {
    $0.notes.filter { $0.flag }.count > 3
  }
  try same(context, "count", #Predicate<Folder> { $0.children.count == 0 }) {
    $0.children.count == 0
  }
  try same(context, "isEmpty", #Predicate<Folder> { $0.children.isEmpty }) { $0.children.isEmpty }
  try same(
    context, "nested to-many",
    #Predicate<Folder> { $0.children.contains { $0.notes.contains { $0.days == 2 } } }
  ) { $0.children.contains { $0.notes.contains { $0.days == 2 } } }
  try same(context, "list has", #Predicate<Note> { $0.tags.contains("odd") }) {
    $0.tags.contains("odd")
  }
  try same(context, "string contains", #Predicate<Note> { $0.title.contains("amm") }) {
    $0.title.contains("amm")
  }
  try same(context, "starts", #Predicate<Note> { $0.title.starts(with: "al") }) {
    $0.title.starts(with: "al")
  }
  try same(context, "localized", #Predicate<Note> { $0.title.localizedStandardContains("emil") }) {
    $0.title == "Émile"
  }
  let equal = ComparisonResult.orderedSame
  try same(
    context, "case", #Predicate<Note> { $0.title.caseInsensitiveCompare("BETA") == equal },
    compiled: false
  ) { $0.title == "Beta" }
  try same(context, "bool", #Predicate<Note> { $0.flag }) { $0.flag }
  try same(context, "not", #Predicate<Note> { !$0.flag || !($0.days < 50) }) {
    !$0.flag || !($0.days < 50)
  }
  try same(
    context, "arithmetic",
    #Predicate<Note> { $0.days * 2 + 1 > 61 && $0.days % 2 == 0 && -$0.days < -40 }
  ) { $0.days * 2 + 1 > 61 && $0.days % 2 == 0 && $0.days > 40 }
  try same(context, "ternary", #Predicate<Note> { $0.flag ? $0.days > 30 : $0.days < 10 }) {
    $0.flag ? $0.days > 30 : $0.days < 10
  }
  try same(
    context, "codable field", #Predicate<Note> { $0.days > 10 && $0.address.street == "Main" },
    compiled: false
  ) { $0.days > 10 && $0.address.street == "Main" }
  try same(
    context, "items", #Predicate<Note> { $0.days > 10 && $0.tags.contains { $0 == "n20" } },
    compiled: false
  ) { $0.days > 10 && $0.tags.contains("n20") }
  try same(
    context, "computed property", #Predicate<Note> { $0.shout == "BETA" && $0.days > 3 },
    compiled: false
  ) { $0.title == "Beta" && $0.days > 3 }

  let trip = Trip(), business = BusinessTrip(), long = LongBusinessTrip()
  for (i, t) in [trip, business, long].enumerated() {
    t.days = i + 1; t.name = "trip"; context.insert(t)
  }
  business.perDiem = 7
  long.perDiem = 9
  try context.save()
  try same(context, "is", #Predicate<Trip> { $0 is BusinessTrip && $0.days > 2 }) {
    $0 is BusinessTrip && $0.days > 2
  }
  try same(context, "as?", #Predicate<Trip> { ($0 as? BusinessTrip)?.perDiem == 7 }) {
    ($0 as? BusinessTrip)?.perDiem == 7
  }
  try same(context, "inherited", #Predicate<BusinessTrip> { $0.days > 2 && $0.perDiem == 9 }) {
    $0.days > 2 && $0.perDiem == 9
  }
}
extension Note { var shout: String { self.title.uppercased() } }
