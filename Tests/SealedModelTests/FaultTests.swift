import SealedCrypto
import SealedLog
import SealedModel
import TestSupport
import Testing

/// Every call to the medium fails once during a save: the save throws and changes nothing, or it
/// stands; the next one works; after a power cut every acknowledged save is there.
@Suite struct FaultTests {
  private static let models: [any PersistentModel.Type] = [Person.self, Club.self]

  private func open(_ medium: SimulatedFileSystem) throws -> ModelContainer {
    var options = OpenOptions()
    options.fileSystem = medium
    let store = try LogStore.open(
      path: "/Faults.store",
      unlock: .rawKey(SecretBytes([UInt8](repeating: 3, count: 32))), options: options)
    return try ModelContainer(Self.models, store: store)
  }

  private func state(_ container: ModelContainer) throws -> [String] {
    let context = ModelContext(container)
    return try withExtendedLifetime(context) {
      let people = try context.fetch(Person.all.sorted(by: \.name))
      let clubs = try context.fetch(Club.all)
      return people.map { "\($0.name) \($0.age) \($0.club?.title ?? "-")" }
        + clubs.map { "\($0.title): \($0.members.map(\.name))" }
    }
  }

  @Test(arguments: [5, 28] as [Int32])
  func everyCallFailsOnce(_ number: Int32) throws {
    var at = 0
    var failures = 0
    while true {
      let medium = SimulatedFileSystem(seed: UInt64(at))
      let container = try open(medium)
      let context = ModelContext(container)
      let club = Club()
      context.insert(club)
      club.title = "club"
      club.members = [Person("a"), Person("b"), Person("c")]
      try context.save()
      let before = try state(container)
      let people = Array(club.members)
      people[0].age = 7
      context.delete(people[1])
      club.members.append(Person("d"))
      club.members.swapAt(0, 1)
      let start = medium.operationCount
      medium.fail(at: start + at, errno: number)
      var isRefused = false
      do {
        try context.save()
        #expect(!context.hasChanges)
      } catch {
        isRefused = true
        failures += 1
        #expect(
          [.diskFull, .io, .outcomeUnknown].contains(error.code), "call \(at): \(error)")
        #expect(context.hasChanges && people[1].isDeleted && people[0].age == 7, "call \(at)")
        #expect(club.members.map(\.name) == ["c", "a", "d"], "call \(at)")
        if error.code != .outcomeUnknown {
          #expect(try state(container) == before, "call \(at)")
          try context.save()
        }
      }
      let after = ["a 7 club", "c 0 club", "d 0 club", "club: [\"c\", \"a\", \"d\"]"]
      let isSaved = !context.hasChanges
      if isSaved { #expect(try state(container) == after, "call \(at)") }
      let last = medium.operationCount - start
      let found = try state(open(medium.afterPowerCut()))
      #expect(found == after || (!isSaved && found == before), "call \(at): \(found)")
      try? container.close()
      if !isRefused, at > last { break }
      at += 1
    }
    #expect(failures > 0)
  }
}
