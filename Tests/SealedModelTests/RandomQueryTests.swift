import Foundation
import SealedModel
import TestSupport
import Testing

/// Random filters, sorts, offsets and limits give what plain Swift gives over all objects.
@Suite struct RandomQueryTests {
  private static let labels = ["", "a", "B", "b", "Émile", "e\u{301}", "zz", "Z", "日本", "a\u{0}b"]

  /// A condition twice: for the store and for a loop.
  private struct Condition {
    let filter: Filter<Article>
    let holds: (Article) -> Bool
  }

  /// An order twice.
  private struct Order {
    let apply: (Query<Article>) -> Query<Article>
    let compare: (Article, Article) -> Int
  }

  private static func three<T: Comparable>(_ left: T, _ right: T) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }
  /// Nil comes first.
  private static func three<T: Comparable>(_ left: T?, _ right: T?) -> Int {
    switch (left, right) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let left?, let right?): three(left, right)
    }
  }

  private static func leaf(_ random: inout SeededGenerator, _ groups: [ArticleGroup]) -> Condition {
    let number = Int.random(in: -3...12, using: &random)
    let label = labels.randomElement(using: &random) ?? ""
    let group = groups.randomElement(using: &random) ?? ArticleGroup()
    let day = Date(timeIntervalSinceReferenceDate: Double(number) * 500)
    let amount = Double(number) / 4
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return Condition(filter: Filter { $0.number == number }) { $0.number == number }
    case 1: return Condition(filter: Filter { $0.number < number }) { $0.number < number }
    case 2: return Condition(filter: Filter { $0.number >= number }) { $0.number >= number }
    case 3:
      let range = number...(number + 3)
      return Condition(filter: Filter { $0.number.isIn(range) }) { range.contains($0.number) }
    case 4: return Condition(filter: Filter { $0.rank == nil }) { $0.rank == nil }
    case 5: return Condition(filter: Filter { $0.rank == number }) { $0.rank == number }
    case 6: return Condition(filter: Filter { $0.rank != number }) { $0.rank != number }
    case 7:
      return Condition(filter: Filter { $0.rank < number }) { $0.rank.map { $0 < number } ?? false }
    case 8: return Condition(filter: Filter { $0.label == label }) { $0.label == label }
    case 9: return Condition(filter: Filter { $0.label > label }) { $0.label > label }
    case 10: return Condition(filter: Filter { $0.label <= label }) { $0.label <= label }
    case 11:
      return Condition(filter: Filter { $0.label.hasPrefix(label) }) { $0.label.hasPrefix(label) }
    case 12: return Condition(filter: Filter { $0.remark == label }) { $0.remark == label }
    case 13: return Condition(filter: Filter { $0.remark == nil }) { $0.remark == nil }
    case 14: return Condition(filter: Filter { $0.amount > amount }) { $0.amount > amount }
    case 15: return Condition(filter: Filter { $0.day <= day }) { $0.day <= day }
    case 16: return Condition(filter: Filter { $0.flag }) { $0.flag }
    case 17: return Condition(filter: Filter { $0.group == nil }) { $0.group == nil }
    case 18: return Condition(filter: Filter { $0.group == group }) { $0.group == group }
    case 19:
      let name = group.name
      return Condition(filter: Filter { $0.group.name == name }) { $0.group?.name == name }
    case 20:
      return Condition(filter: Filter { ($0.group.weight ?? 1) > number }) {
        ($0.group?.weight ?? 1) > number
      }
    case 21:
      let few = [number, number + 2, 7]
      return Condition(filter: Filter { $0.number.isIn(few) }) { few.contains($0.number) }
    case 22:
      return Condition(filter: Filter { $0.number * 2 + 1 > $0.number + number }) {
        $0.number * 2 + 1 > $0.number + number
      }
    default:
      let small = Int8(truncatingIfNeeded: number)
      return Condition(filter: Filter { $0.small != small }) { $0.small != small }
    }
  }

  private static func condition(
    _ random: inout SeededGenerator, _ groups: [ArticleGroup], depth: Int
  ) -> Condition {
    guard depth > 0 else { return leaf(&random, groups) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1, 2:
      let left = condition(&random, groups, depth: depth - 1)
      let right = condition(&random, groups, depth: depth - 1)
      return Condition(filter: left.filter && right.filter) { left.holds($0) && right.holds($0) }
    case 3:
      let left = condition(&random, groups, depth: depth - 1)
      let right = condition(&random, groups, depth: depth - 1)
      return Condition(filter: left.filter || right.filter) { left.holds($0) || right.holds($0) }
    case 4:
      let inner = condition(&random, groups, depth: depth - 1)
      return Condition(filter: !inner.filter) { !inner.holds($0) }
    default: return leaf(&random, groups)
    }
  }

  private static func order(_ random: inout SeededGenerator) -> Order {
    let direction: SortDirection = Bool.random(using: &random) ? .forward : .reverse
    let sign = direction == .forward ? 1 : -1
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return Order(apply: { $0.sorted(by: \.number, direction) }) {
        sign * three($0.number, $1.number)
      }
    case 1:
      return Order(apply: { $0.sorted(by: \.rank, direction) }) { sign * three($0.rank, $1.rank) }
    case 2:
      return Order(apply: { $0.sorted(by: \.label, direction) }) {
        sign * three($0.label, $1.label)
      }
    case 3:
      return Order(apply: { $0.sorted(by: \.amount, direction) }) {
        sign * three($0.amount, $1.amount)
      }
    case 4:
      return Order(apply: { $0.sorted(by: \.day, direction) }) { sign * three($0.day, $1.day) }
    case 5:
      return Order(apply: { $0.sorted(by: \.remark, direction) }) {
        sign * three($0.remark, $1.remark)
      }
    default:
      return Order(apply: { $0.sorted({ $0.group.name }, direction) }) {
        sign * three($0.group?.name, $1.group?.name)
      }
    }
  }

  private static func fill(
    _ item: Article, _ random: inout SeededGenerator, _ groups: [ArticleGroup]
  ) {
    item.number = Int.random(in: -2...10, using: &random)
    item.small = Int8.random(in: -2...2, using: &random)
    item.rank = Bool.random(using: &random) ? nil : Int.random(in: -1...5, using: &random)
    item.label = labels.randomElement(using: &random) ?? ""
    item.remark = Bool.random(using: &random) ? nil : labels.randomElement(using: &random)
    item.amount = Double(Int.random(in: -8...8, using: &random)) / 4
    item.day = Date(timeIntervalSinceReferenceDate: Double.random(in: -900...5000, using: &random))
    item.flag = Bool.random(using: &random)
    item.group =
      Int.random(in: 0..<4, using: &random) == 0
      ? nil : groups.randomElement(using: &random)
  }

  /// All ways of asking give what a loop over `items` gives.
  private static func ask(
    _ context: ModelContext, _ items: [Article], _ groups: [ArticleGroup],
    _ random: inout SeededGenerator, _ note: String
  ) throws {
    let depth = Int.random(in: 0...3, using: &random)
    let condition = condition(&random, groups, depth: depth)
    let orders = (0..<Int.random(in: 0...2, using: &random)).map { _ in order(&random) }
    let offset = Bool.random(using: &random) ? 0 : Int.random(in: 0...20, using: &random)
    let limit = Bool.random(using: &random) ? nil : Int.random(in: 0...30, using: &random)
    var query = Article.where(condition.filter).offset(offset)
    if let limit { query = query.limit(limit) }
    for order in orders { query = order.apply(query) }
    var expected = items.filter(condition.holds)
    expected.sort { left, right in
      for order in orders {
        let result = order.compare(left, right)
        if result != 0 { return result < 0 }
      }
      return left.persistentModelID < right.persistentModelID
    }
    expected = Array(expected.dropFirst(offset).prefix(limit ?? .max))
    let got = try context.fetch(query)
    let story = "\(note)\n\(context.explain(query))"
    if orders.isEmpty {
      // Without an order any of the matching objects may come.
      #expect(got.count == expected.count, "\(story)")
      #expect(got.allSatisfy(condition.holds), "\(story)")
      #expect(Set(got).count == got.count, "\(story)")
      if offset == 0, limit == nil { #expect(Set(got) == Set(expected), "\(story)") }
    } else {
      let same = got == expected
      #expect(same, "\(story)\n\(got.map(text))\n\(expected.map(text))")
    }
    #expect(try context.fetchCount(query) == got.count, "\(story)")
    #expect(try context.fetchIdentifiers(query) == got.map(\.persistentModelID), "\(story)")
    var walked: [Article] = []
    try context.enumerate(query) { walked.append($0) }
    #expect(walked == got, "\(story)")
  }

  private static func text(_ item: Article) -> String {
    "\(item.number)/\(item.rank.map { "\($0)" } ?? "-")/\(item.label)/\(item.persistentModelID)"
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithPlainSwift(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try TestContainer([Article.self, ArticleGroup.self])
    defer { store.end() }
    var context = store.context
    let groups = ["Inbox", "", "Z", "émile"].map { name in
      let group = ArticleGroup()
      context.insert(group)
      group.name = name
      group.weight = Bool.random(using: &random) ? nil : Int.random(in: 0...4, using: &random)
      return group
    }
    var items: [Article] = []
    func add(_ count: Int) {
      for _ in 0..<count {
        let item = Article()
        context.insert(item)
        Self.fill(item, &random, groups)
        items.append(item)
      }
    }
    func change() {
      for _ in 0..<12 {
        guard let item = items.randomElement(using: &random) else { return }
        Self.fill(item, &random, groups)
      }
      for _ in 0..<4 {
        let index = Int.random(in: 0..<items.count, using: &random)
        context.delete(items.remove(at: index))
      }
    }
    add(120)
    for round in 0..<60 {
      try Self.ask(context, items, groups, &random, "seed \(seed) pending \(round)")
    }
    try context.save()
    for round in 0..<120 {
      try Self.ask(context, items, groups, &random, "seed \(seed) saved \(round)")
    }
    for step in 0..<6 {
      change()
      add(5)
      for round in 0..<30 {
        try Self.ask(context, items, groups, &random, "seed \(seed) changed \(step) \(round)")
      }
      try context.save()
    }
    // A context that has nothing yet, over the same store reopened.
    let identifiers = items.map(\.persistentModelID)
    let groupIdentifiers = groups.map(\.persistentModelID)
    try store.reopen()
    context = store.context
    items = try identifiers.map { try #require(context.model(for: $0, as: Article.self)) }
    let found = try groupIdentifiers.map {
      try #require(context.model(for: $0, as: ArticleGroup.self))
    }
    for round in 0..<150 {
      try Self.ask(context, items, found, &random, "seed \(seed) reopened \(round)")
    }
  }
}
