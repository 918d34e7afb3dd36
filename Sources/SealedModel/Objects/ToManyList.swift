/// The members of a to-many relationship, as far as they are known.
///
/// A list read from the store begins unloaded: appending, counting, removing a known object only
/// note the difference. Anything else loads it.
final class ToManyList {
  /// A member as the store has it.
  struct Stored {
    let local: UInt64
    let position: UInt64
  }

  /// Whether `entries` is the whole.
  private(set) var isLoaded: Bool
  /// Loaded: all members in order. Unloaded: those appended to the stored ones.
  private(set) var entries: [ObjectEntry] = []
  /// Unloaded: stored members that were taken out.
  private(set) var removed: [UInt64: ObjectEntry] = [:]
  /// Loaded: the members in the store, as of loading.
  private(set) var stored: [Stored] = []
  /// Unloaded: how many the store has.
  private(set) var storedCount: Int
  /// Whether `storedCount` could be read.
  private(set) var hasBase = true
  /// Keeps members that no context holds yet.
  var strong: [ObjectIdentifier: ModelObject] = [:]
  /// Loaded and long: the members' entries, for a quick `contains`.
  private var members: Set<ObjectIdentifier>?
  private static let indexThreshold = 16

  /// The list of a new object.
  init() {
    isLoaded = true
    storedCount = 0
  }
  /// The list of a stored object; nil where the store can't be read.
  init(storedCount: Int?) {
    isLoaded = storedCount == 0
    hasBase = storedCount != nil
    self.storedCount = storedCount ?? 0
  }

  /// A list of its own with the same members.
  func copy() -> ToManyList {
    let copy = ToManyList(storedCount: storedCount)
    copy.isLoaded = isLoaded
    copy.hasBase = hasBase
    copy.entries = entries
    copy.removed = removed
    copy.stored = stored
    copy.strong = strong
    return copy
  }

  var count: Int {
    isLoaded ? entries.count : max(0, storedCount - removed.count) + entries.count
  }

  func load(_ base: [(ObjectEntry, position: UInt64)]) {
    guard !isLoaded else { return }
    stored = base.map { Stored(local: $0.0.reference.local, position: $0.position) }
    let gone = removed
    entries = base.map(\.0).filter { gone[$0.reference.local] == nil } + entries
    removed = [:]
    isLoaded = true
    members = nil
  }

  /// Whether the list is known to hold the entry; nil where only the store can tell.
  func knows(_ entry: ObjectEntry) -> Bool? {
    if contains(entry) { return true }
    if isLoaded { return false }
    return removed[entry.reference.local] != nil ? false : nil
  }

  private func contains(_ entry: ObjectEntry) -> Bool {
    if entries.count <= Self.indexThreshold { return entries.contains { $0 === entry } }
    if members == nil { members = Set(entries.map { ObjectIdentifier($0) }) }
    return members?.contains(ObjectIdentifier(entry)) == true
  }

  func append(_ entry: ObjectEntry) {
    entries.append(entry)
    members?.insert(ObjectIdentifier(entry))
  }

  /// Removes a member; where the list isn't loaded, one that it is known to have.
  func remove(_ entry: ObjectEntry) {
    strong[ObjectIdentifier(entry)] = nil
    if let index = entries.lastIndex(where: { $0 === entry }) {
      entries.remove(at: index)
      members?.remove(ObjectIdentifier(entry))
    } else if !isLoaded {
      removed[entry.reference.local] = entry
    }
  }

  /// Loaded: the new members.
  func replace(_ new: [ObjectEntry]) {
    entries = new
    members = nil
  }

  /// Drops members whose object is gone, in a list of objects that no context holds.
  func dropDead() {
    if entries.contains(where: { unsafe $0.object == nil }) {
      replace(entries.filter { unsafe $0.object != nil })
    }
  }

  /// The difference from the store, kept while the store's part is read anew.
  func rebase() {
    guard isLoaded else { return }
    let known = Set(stored.map(\.local))
    let now = Set(entries.map(\.reference.local))
    var gone: [UInt64: ObjectEntry] = [:]
    for member in stored where !now.contains(member.local) {
      gone[member.local] = ObjectEntry(id: .provisional())
    }
    entries = entries.filter { !known.contains($0.reference.local) }
    removed = gone
    stored = []
    members = nil
    isLoaded = false
  }

  func resetBase(storedCount: Int?) {
    self.storedCount = storedCount ?? 0
    hasBase = storedCount != nil
    if storedCount == 0, !isLoaded {
      removed = [:]
      isLoaded = true
    }
  }

  /// After a save: the store has what the list has.
  func didSave(stored: [Stored], count: Int) {
    if isLoaded {
      self.stored = stored
    } else {
      storedCount = count
      entries = []
      removed = [:]
    }
  }
}
