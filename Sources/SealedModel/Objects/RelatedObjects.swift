/// The objects of a to-many relationship, in order: a view, not a copy.
///
/// `append` and `count` don't load them. Mutating the view changes the relationship, and with it the
/// other side. An object is in a relationship at most once.
@frozen @safe
public struct RelatedObjects<Element: PersistentModel>: RandomAccessCollection,
  MutableCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral, Equatable
{
  @frozen @usableFromInline enum Source {
    case property(ModelObject, Int)
    case values([Element])
  }
  @usableFromInline var source: Source

  @inlinable init(owner: ModelObject, slot: Int) { source = .property(owner, slot) }
  /// No objects.
  public init() { source = .values([]) }
  /// The given objects, in no relationship yet.
  public init(arrayLiteral elements: Element...) { source = .values(elements) }
  /// The given objects, in no relationship yet.
  public init<S: Sequence>(_ elements: S) where S.Element == Element {
    source = .values(Array(elements))
  }

  /// Whether both have the same objects in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int {
    switch source {
    case .property(let owner, let slot):
      owner.noteRead(slot)
      return owner.countOfReadable(slot)
    case .values(let values): return values.count
    }
  }
  /// How many objects there are; doesn't load them.
  public var count: Int { endIndex }
  /// Whether there are none; doesn't load them.
  public var isEmpty: Bool { endIndex == 0 }

  /// The object at a position; loads the objects.
  public subscript(position: Int) -> Element {
    get {
      switch source {
      case .property(let owner, let slot):
        owner.noteRead(slot)
        let list = owner.loadedList(slot)
        // The store was locked since the members were counted.
        guard list.isLoaded || position < list.entries.count else { return Self.missing(nil) }
        let entry = list.entries[position]
        if let object = owner.object(entry) as? Element { return object }
        return Self.missing(entry)
      case .values(let values): return values[position]
      }
    }
    set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
  }

  /// The object is gone from the store, or that can't be read: a deleted one with default values
  /// stands for it.
  private static func missing(_ entry: ObjectEntry?) -> Element {
    Element(
      _materialize: ObjectSeed(
        entity: Entity.of(Element.self), entry: entry ?? ObjectEntry(id: .provisional()),
        record: nil, context: nil))
  }

  /// Adds an object at the end, unless it is there already; doesn't load the others.
  public mutating func append(_ element: Element) {
    switch source {
    case .property(let owner, let slot): owner.append(element, to: slot)
    case .values(let values): source = .values(values + [element])
    }
  }

  /// Whether the object is there; doesn't load the others.
  public func contains(_ element: Element) -> Bool {
    switch source {
    case .property(let owner, let slot):
      owner.noteRead(slot)
      return owner.holds(element, in: slot)
    case .values(let values): return values.contains(element)
    }
  }

  /// Removes an object, if it is there; doesn't load the others, and doesn't delete it.
  public mutating func remove(_ element: Element) {
    switch source {
    case .property(let owner, let slot): owner.remove(element, from: slot)
    case .values(let values): source = .values(values.filter { $0 !== element })
    }
  }

  /// Replaces a part, as one change.
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
  where C.Element == Element {
    var values = Array(self)
    values.replaceSubrange(range, with: elements)
    assign(values)
  }

  /// Exchanges two objects, as one change.
  public mutating func swapAt(_ i: Int, _ j: Int) {
    var values = Array(self)
    values.swapAt(i, j)
    assign(values)
  }

  /// Sorts in place, as one change.
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    assign(try sorted(by: areInIncreasingOrder))
  }

  /// Reverses in place, as one change.
  public mutating func reverse() { assign(reversed()) }

  private mutating func assign(_ values: [Element]) {
    switch source {
    case .property(let owner, let slot): owner._setMany(slot, values)
    case .values: source = .values(values)
    }
  }
}
