import Foundation
import SealedModel
import Testing

@Test("Builder queries give what a loop gives") func builder() throws {
  let box = try TestContainer([
    Note.self, Folder.self, Trip.self, BusinessTrip.self, LongBusinessTrip.self,
  ])
  defer { box.end() }
  let context = box.context
  let (notes, folders) = try sample(context)
  let inbox = folders[1]
  let cutoff = Date(timeIntervalSinceReferenceDate: 30_000)
  let ids = [notes[3].persistentModelID, notes[9].persistentModelID]
  try same(context, "compare", Note.where { $0.days > 20 && $0.createdAt > cutoff }) {
    $0.days > 20 && $0.createdAt > cutoff
  }
  try same(context, "path", Note.where { $0.folder.name == "Inbox" }) { $0.folder?.name == "Inbox" }
  try same(context, "path !=", Note.where { $0.folder.name != "Inbox" }) {
    $0.folder?.name != "Inbox"
  }
  try same(context, "path 2", Note.where { $0.folder.parent.name == "Root" }) {
    $0.folder?.parent?.name == "Root"
  }
  try same(context, "relation", Note.where { $0.folder == inbox }) { $0.folder == inbox }
  try same(context, "relation nil", Note.where { $0.folder == nil }) { $0.folder == nil }
  try same(context, "nil", Note.where { $0.rating == nil }) { $0.rating == nil }
  try same(context, "not nil", Note.where { $0.rating != nil && $0.days < 30 }) {
    $0.rating != nil && $0.days < 30
  }
  try same(context, "optional <", Note.where { $0.rating < 3 }) { ($0.rating ?? 9) < 3 }
  try same(context, "not optional <", Note.where { !($0.rating < 3) }) { !(($0.rating ?? 9) < 3) }
  try same(context, "coalesce", Note.where { ($0.rating ?? 0) > 2 }) { ($0.rating ?? 0) > 2 }
  try same(context, "enum", Note.where { $0.status == .open }) { $0.status == .open }
  try same(context, "enum optional", Note.where { $0.priority == .high }) { $0.priority == .high }
  try same(context, "in", Note.where { $0.status.isIn([.open, .done]) }) {
    $0.status == .open || $0.status == .done
  }
  try same(context, "in ids", Note.where { $0.persistentModelID.isIn(ids) }) {
    ids.contains($0.persistentModelID)
  }
  try same(context, "range", Note.where { $0.days.isIn(5...9) }) { (5...9).contains($0.days) }
  try same(
    context, "text",
    Note.where { $0.title.contains("ALPHA", .caseInsensitive) || $0.title.hasPrefix("Be") }
  ) { $0.title.lowercased().contains("alpha") || $0.title.hasPrefix("Be") }
  try same(context, "localized", Note.where { $0.title.localizedStandardContains("emil") }) {
    $0.title == "Émile"
  }
  try same(context, "bool", Note.where { $0.flag && !($0.days == 6) }) { $0.flag && $0.days != 6 }
  try same(context, "arithmetic", Note.where { $0.days * 2 + 1 > 61 }) { $0.days * 2 + 1 > 61 }
  try same(context, "two columns", Note.where { $0.days - 10 < $0.days * 0 }) { $0.days < 10 }
  try same(context, "list", Note.where { $0.tags.contains("odd") }) { $0.tags.contains("odd") }
  try same(context, "any", Folder.where { $0.notes.any { $0.days == 5 } }) {
    $0.notes.contains { $0.days == 5 }
  }
  try same(
    context, "any, outer",
    Folder.where { f in f.notes.any { $0.folder.name == f.name && $0.days == 5 } }
  ) { $0.notes.contains { $0.days == 5 } }
  try same(context, "all", Folder.where { $0.notes.all { $0.days > 1 } }) {
    $0.notes.allSatisfy { $0.days > 1 }
  }
  try same(
    context, "count", Folder.where { $0.notes.count { $0.flag } > 2 && $0.children.count == 0 }
  ) { $0.notes.filter(\.flag).count > 2 && $0.children.count == 0 }
  try same(context, "isEmpty", Folder.where { $0.children.isEmpty }) { $0.children.isEmpty }
  let recent = Filter<Note> { $0.createdAt > cutoff }
  let inInbox = Filter<Folder> { $0.name == "Inbox" || $0.children.any { $0.name == "Inbox" } }
  try same(context, "pieces", Note.where { recent($0) && inInbox($0.folder) }) {
    $0.createdAt > cutoff && ["Inbox", "Root"].contains($0.folder?.name)
  }
  try same(context, "pieces 2", Note.where(recent && !Filter { $0.flag })) {
    $0.createdAt > cutoff && !$0.flag
  }
  var dynamic = Note.all
  for word in ["a", "m"] { dynamic = dynamic.where { $0.title.contains(word) } }
  try same(context, "dynamic", dynamic) { $0.title.contains("a") && $0.title.contains("m") }
  let trip = Trip(), business = BusinessTrip()
  for t in [trip, business] { context.insert(t) }
  for t in [trip, business] { t.days = 1 }
  business.perDiem = 7
  try same(context, "is", Trip.where { $0.is(BusinessTrip.self) }) { $0 is BusinessTrip }
  try same(context, "as", Trip.where { $0.as(BusinessTrip.self).perDiem == 7 }) {
    ($0 as? BusinessTrip)?.perDiem == 7
  }

  // Sorts.
  let sorted = try context.fetch(
    Note.where { $0.days < 10 }.sorted { $0.folder.name }.sorted(by: \.days, .reverse).limit(6)
      .offset(1))
  let want = Array(
    notes.filter { $0.days < 10 }.sorted {
      ($0.folder?.name ?? "", -$0.days) < ($1.folder?.name ?? "", -$1.days)
    }.dropFirst(1).prefix(6))
  check(
    sorted == want,
    "sort: \(sorted.map { "\($0.days) \($0.folder?.name ?? "-")" }) \(want.map { "\($0.days) \($0.folder?.name ?? "-")" })"
  )
  var descriptor = FetchDescriptor<Note>(sortBy: [
    SortDescriptor(\.folder?.name), SortDescriptor(\.days, order: .reverse),
  ])
  descriptor.fetchLimit = 7
  descriptor.relationshipKeyPathsForPrefetching = [\.folder]
  descriptor.propertiesToFetch = [\.title, \.days]
  let byDescriptor = try context.fetch(descriptor)
  let wanted = Array(
    notes.sorted { ($0.folder?.name ?? "", -$0.days) < ($1.folder?.name ?? "", -$1.days) }.prefix(7)
  )
  check(
    byDescriptor == wanted,
    "sort descriptor: \(byDescriptor.map { "\($0.days) \($0.folder?.name ?? "-")" })")
  let plan = context.explain(
    FetchDescriptor<Note>(sortBy: [
      SortDescriptor(\.folder?.name), SortDescriptor(\.folder?.rank),
      SortDescriptor(\.folder?.parent?.name), SortDescriptor(\.rating),
      SortDescriptor(\.createdAt), SortDescriptor(\.shout),
    ]))
  check(
    plan == """
      scan Note
      sort $0.folder.name forward
      sort $0.folder.rank forward
      sort $0.folder.parent.name forward
      sort $0.rating forward
      sort $0.createdAt forward
      sort by comparing objects forward
      """, plan)
}
