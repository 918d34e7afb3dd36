import Foundation
import SealedModel
import Testing

@Test("Every kind of value comes back from a reopened store") func attributes() throws {
  let box = try TestContainer([AllTypes.self, Wide.self])
  defer { box.end() }
  let context = box.context
  let a = AllTypes()
  check(
    a.optionalString == "preset" && a.status == .open && a.int == 0 && a.strings.isEmpty, "defaults"
  )
  a.bool = true
  (a.int, a.int8, a.int16, a.int32, a.int64) = (.min, -8, -16, -32, .max)
  (a.uint, a.uint8, a.uint64) = (.max, 8, .max)
  (a.float, a.double, a.decimal) = (1.5, .pi, Decimal(string: "12345678901234567890.123")!)
  a.string = "Zoë"
  a.data = Data(repeating: 7, count: 200_000)
  a.date = Date(timeIntervalSinceReferenceDate: 1.25)
  a.uuid = UUID()
  a.url = URL(string: "https://swift.org/x?y=1")!
  a.optionalInt = 4
  a.optionalString = nil
  a.optionalUUID = UUID()
  a.optionalDecimal = 7
  a.optionalURL = a.url
  a.status = .done
  a.priority = .high
  a.shape = .circle(2)
  a.optionalShape = .circle(3)
  a.address.zip = 8000
  a.addresses = [Address(street: "a"), Address(street: "b", zip: 1)]
  a.addresses[1].street += "!"
  a.strings = ["x"]
  a.statuses = [.open, .draft]
  a.counts["k", default: 1] += 4
  a.set.insert(9)
  a.color = Color(r: 1, g: 2, b: 3)
  a.color.g = 20
  a.renamed = "h"
  a.transient = 6
  let w = Wide()
  w.p0 = 10
  w.p63 = 63
  w.p64 = 64
  w.p69 = 69
  w.text = "seventy"
  w.text += "!"
  context.insert(a)
  context.insert(w)
  try context.save()
  try box.reopen()
  let second = box.context
  let b = try #require(second.model(for: a.persistentModelID, as: AllTypes.self)),
    v = try #require(second.model(for: w.persistentModelID, as: Wide.self))
  check(
    b.bool && b.int == .min && b.int8 == -8 && b.int16 == -16 && b.int32 == -32 && b.int64 == .max,
    "ints")
  check(
    b.uint == .max && b.uint8 == 8 && b.uint64 == .max && b.float == 1.5 && b.double == .pi,
    "numbers")
  check(
    b.decimal == a.decimal && b.string == "Zoë" && b.data == a.data && b.date == a.date
      && b.uuid == a.uuid && b.url == a.url, "values")
  check(
    b.optionalInt == 4 && b.optionalString == nil && b.optionalUUID == a.optionalUUID
      && b.optionalDecimal == 7, "optionals")
  check(
    b.optionalURL == a.url && b.optionalDate == nil && b.status == .done && b.priority == .high,
    "optionals 2")
  check(b.shape == .circle(2) && b.optionalShape == .circle(3) && b.address.zip == 8000, "codable")
  check(
    b.addresses == [Address(street: "a"), Address(street: "b!", zip: 1)] && b.strings == ["x"]
      && b.statuses == [.open, .draft], "lists")
  check(
    b.counts == ["k": 5] && b.set == [9] && b.color == Color(r: 1, g: 20, b: 3) && b.renamed == "h"
      && b.transient == 5, "rest")
  check(
    v.p0 == 10 && v.p63 == 63 && v.p64 == 64 && v.p69 == 69 && v.text == "seventy!" && v.p1 == 0,
    "71 properties")
  check(
    try second.fetch(Wide.where { $0.p69 == 69 && $0.text.hasPrefix("sev") }).count == 1,
    "query beyond 64")
  let names = box.container.schema.entities[0].properties.map(\.definition.name)
  check(names.contains("headline") && names.count == 36, "\(names.count) names")
}
