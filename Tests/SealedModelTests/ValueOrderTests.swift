import Foundation
import SealedModel
import Testing

final class Sampled: Model {
  struct Properties: ModelProperties {
    let name = Attribute<String>("name")
    let level = Attribute<Double>("level", default: 0)
    let indexedLevel = Attribute<Double>("indexedLevel", .indexed, default: 0)
    let isDone = Attribute<Bool>("isDone", default: false)
    let labels = Attribute<Set<String>>("labels")
    init() {}
  }
}

@Suite("The order and equality of unusual values")
struct ValueOrderTests {
  private func container(_ levels: [Double]) throws -> TestContainer {
    let store = try TestContainer([Sampled.self])
    let context = store.context
    for (index, level) in levels.enumerated() {
      let object = Sampled()
      object.name = "\(index)"
      object.level = level
      object.indexedLevel = level
      object.isDone = index % 2 == 0
      object.labels = Set((0..<12).map { "\(index % 2)-\($0)" })
      context.insert(object)
    }
    try context.save()
    return store
  }

  @Test("Not-a-number comes last, by index and by sorting alike")
  func notANumber() throws {
    let store = try container([3, .nan, -.infinity, 0, .infinity, -0.0, .nan, -1])
    defer { store.end() }
    let context = store.context
    let sorted = try context.fetch(Sampled.all.sorted(by: \.level)).map(\.name)
    #expect(sorted == ["2", "7", "3", "5", "0", "4", "1", "6"])
    let limited = try context.fetch(Sampled.all.sorted(by: \.indexedLevel).limit(8)).map(\.name)
    #expect(limited == sorted)
    #expect(try context.fetchCount(Sampled.where { $0.indexedLevel == 0 }) == 2)
    #expect(try context.fetchCount(Sampled.where { $0.indexedLevel > 1 }) == 2)
  }

  @Test("Truth values sort, no before yes")
  func truth() throws {
    let store = try container([1, 2, 3, 4])
    defer { store.end() }
    let context = store.context
    #expect(
      try context.fetch(Sampled.all.sorted(by: \.isDone)).map(\.name) == ["1", "3", "0", "2"])
  }

  @Test("A set equals another with the same elements, in any order of theirs")
  func sets() throws {
    let store = try container([1, 2, 3, 4])
    defer { store.end() }
    let context = store.context
    var wanted: Set<String> = []
    for number in (0..<12).reversed() { wanted.insert("1-\(number)") }
    let labels = wanted
    #expect(try context.fetch(Sampled.where { $0.labels == labels }).map(\.name) == ["1", "3"])
    let found = try context.fetch(
      FetchDescriptor<Sampled>(predicate: #Predicate { $0.labels == labels }))
    #expect(found.map(\.name).sorted() == ["1", "3"])
    #expect(found.allSatisfy { $0.labels == labels })
  }
}
