public import Observation

/// The nested `Properties` of a model: a struct of descriptors, nothing else.
public protocol ModelProperties: Sendable { init() }

/// What every model conforms to, by way of `Model`.
///
/// `note.title` is found in `Properties` by dynamic member look-up: the field's offset, which the
/// optimizer folds to a constant, numbers the property's slot in the object.
@dynamicMemberLookup
public protocol PersistentModel: ModelObject, Observable, SendableMetatype {
  /// The descriptors.
  associatedtype Properties: ModelProperties
  /// The entity's name in the store: the class's own, unless stated otherwise.
  static var entityName: String { get }
  /// Compound indexes and constraints.
  static var indexes: [IndexDefinition<Properties>] { get }
}
/// What a model class inherits: `final class Note: Model { … }`.
public typealias Model = ModelObject & PersistentModel

/// A model that adds properties to those of its superclass.
@dynamicMemberLookup
public protocol ModelSubclass: PersistentModel {
  /// The descriptors that the subclass adds.
  associatedtype OwnProperties: ModelProperties
}
/// One level further down.
@dynamicMemberLookup
public protocol ModelSubclass2: ModelSubclass {
  /// The descriptors that the subclass adds.
  associatedtype OwnProperties2: ModelProperties
}

extension PersistentModel {
  /// The class's own name, without those that it is nested in.
  public static var entityName: String { String(describing: Self.self) }
  /// None.
  public static var indexes: [IndexDefinition<Properties>] { [] }

  @inlinable @inline(__always)
  static func _slot(_ field: PartialKeyPath<Properties>) -> Int {
    // Folded to a constant by the optimizer when `field` is a literal.
    unsafe MemoryLayout<Properties>.offset(of: field).unsafelyUnwrapped &>> 3
  }
  @usableFromInline static func _slotNumber(_ field: PartialKeyPath<Properties>) -> Int? {
    MemoryLayout<Properties>.offset(of: field).map { $0 >> 3 }
  }

  /// `note.title`, `note.folder`, `folder.notes`, by the descriptor of that name.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<Properties, D>) -> D.Value {
    @inlinable @inline(__always) get { D[_object: self, _slot: Self._slot(field)] }
    @inlinable @inline(__always) set { D[_object: self, _slot: Self._slot(field)] = newValue }
    @inlinable @inline(__always) _modify { yield &D[_object: self, _slot: Self._slot(field)] }
  }
  /// `let array: [Note] = folder.notes`, `folder.notes = array`.
  @_disfavoredOverload
  public subscript<T: PersistentModel>(dynamicMember field: KeyPath<Properties, ToMany<T>>) -> [T] {
    get { Array(RelatedObjects(owner: self, slot: Self._slot(field))) }
    set { _setMany(Self._slot(field), newValue) }
  }
  /// Never chosen: without it Swift 6.3 answers a misspelt property with "failed to produce
  /// diagnostic for expression".
  @available(*, unavailable, message: "")
  @_disfavoredOverload
  public subscript<V>(dynamicMember field: KeyPath<Properties, Attribute<V>>) -> V {
    get { preconditionFailure("unavailable") }
    set { preconditionFailure("unavailable") }
  }
}

extension ModelSubclass {
  @inlinable @inline(__always)
  static func _slot(_ field: PartialKeyPath<OwnProperties>) -> Int {
    unsafe ((MemoryLayout<Properties>.size &+ 7) &>> 3)
      &+ (MemoryLayout<OwnProperties>.offset(of: field).unsafelyUnwrapped &>> 3)
  }
  /// A property that the subclass adds.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<OwnProperties, D>) -> D.Value
  {
    @inlinable @inline(__always) get { D[_object: self, _slot: Self._slot(field)] }
    @inlinable @inline(__always) set { D[_object: self, _slot: Self._slot(field)] = newValue }
    @inlinable @inline(__always) _modify { yield &D[_object: self, _slot: Self._slot(field)] }
  }
}
extension ModelSubclass2 {
  @inlinable @inline(__always)
  static func _slot(_ field: PartialKeyPath<OwnProperties2>) -> Int {
    unsafe ((MemoryLayout<Properties>.size &+ 7) &>> 3)
      &+ ((MemoryLayout<OwnProperties>.size &+ 7) &>> 3)
      &+ (MemoryLayout<OwnProperties2>.offset(of: field).unsafelyUnwrapped &>> 3)
  }
  /// A property that the subclass adds.
  public subscript<D: PropertyDescriptor>(dynamicMember field: KeyPath<OwnProperties2, D>)
    -> D.Value
  {
    @inlinable @inline(__always) get { D[_object: self, _slot: Self._slot(field)] }
    @inlinable @inline(__always) set { D[_object: self, _slot: Self._slot(field)] = newValue }
    @inlinable @inline(__always) _modify { yield &D[_object: self, _slot: Self._slot(field)] }
  }
}
