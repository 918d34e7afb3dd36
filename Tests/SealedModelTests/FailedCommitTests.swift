import SealedCrypto
import SealedLog
import SealedModel
import TestSupport
import Testing

/// A save whose commit the medium refuses: context and store are as they were, and the next save
/// does what this one would have done.
@Suite struct FailedCommitTests {
  private let directory: TemporaryDirectory
  private let medium = FailingFileSystem()
  private let container: ModelContainer

  init() throws {
    directory = try TemporaryDirectory()
    var options = OpenOptions()
    options.fileSystem = medium
    let store = try LogStore.open(
      path: directory.path("Full.store"),
      unlock: .rawKey(SecretBytes([UInt8](repeating: 1, count: 32))), options: options)
    container = try ModelContainer([Person.self, Club.self], store: store)
  }

  private func names() throws -> [String] {
    try ModelContext(container).fetch(Person.all.sorted(by: \.name)).map(\.name)
  }

  private func refuse(_ context: ModelContext) throws {
    medium.isFull = true
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(
      error?.code == .diskFull || error?.code == .outcomeUnknown, "\(error?.description ?? "-")")
    medium.isFull = false
  }

  @Test func everyKindOfChange() throws {
    let context = ModelContext(container)
    let club = Club()
    context.insert(club)
    club.members = [Person("a"), Person("b"), Person("c")]
    try context.save()
    let people = Array(club.members)
    people[0].name = "A"
    context.delete(people[1])
    club.members.append(Person("d"))
    club.members.swapAt(0, 2)
    let now = club.members.map(\.name)
    try refuse(context)
    #expect(club.members.map(\.name) == now)
    #expect(people[1].isDeleted && context.deletedObjects == [people[1]])
    #expect(context.insertedObjects.count == 1 && people[0].hasChanges)
    #expect(try names() == ["a", "b", "c"])
    try context.save()
    #expect(!context.hasChanges)
    #expect(try names() == ["A", "c", "d"])
    let reader = ModelContext(container)
    let same = try #require(reader.model(for: club.id, as: Club.self))
    #expect(withExtendedLifetime(reader) { same.members.map(\.name) } == now)
    try container.close()
  }

  @Test func aRollbackAfterwards() throws {
    let context = ModelContext(container)
    let ada = Person("Ada")
    context.insert(ada)
    try context.save()
    ada.name = "changed"
    context.insert(Person("Bob"))
    try refuse(context)
    context.rollback()
    #expect(ada.name == "Ada" && !context.hasChanges)
    #expect(try names() == ["Ada"])
    try container.close()
  }

  @Test func anUpsert() throws {
    let context = ModelContext(container)
    let ada = Person("Ada")
    ada.badge = 1
    let club = Club()
    club.members = [ada]
    context.insert(club)
    try context.save()
    let twin = Person("Twin")
    twin.badge = 1
    let other = Club()
    other.members = [twin]
    context.insert(other)
    try refuse(context)
    #expect(!twin.isDeleted && twin.club === other && Array(other.members) == [twin])
    #expect(ada.name == "Ada" && !ada.hasChanges && ada.club === club)
    #expect(context.insertedObjects.contains(twin) && Array(club.members) == [ada])
    try context.save()
    #expect(try names() == ["Twin"])
    #expect(Array(other.members) == [ada] && club.members.isEmpty)
    try container.close()
  }
}
