/// `Attribute`, `ToOne` and `ToMany`: what the fields of a model's `Properties` are, one word each.
public protocol PropertyDescriptor: Sendable {
  /// What the property reads as.
  associatedtype Value
  /// What the property is in `where { … }`.
  associatedtype QueryValue
  /// What the descriptor says.
  var propertyDefinition: PropertyDefinition { get }
  /// The property of an object. Implemented by the library.
  static subscript(_object object: ModelObject, _slot slot: Int) -> Value { get set }
  /// The property in a query. Implemented by the library.
  static func _query(_ owner: QueryNode.Column, _ name: String) -> QueryValue
}

extension Attribute: PropertyDescriptor {
  /// What the descriptor says.
  public var propertyDefinition: PropertyDefinition { definition }
  /// The property in a query.
  public static func _query(_ owner: QueryNode.Column, _ name: String) -> Term<Value> {
    Term(.column(owner.attribute(name)))
  }
  /// The property of an object.
  public static subscript(_object object: ModelObject, _slot slot: Int) -> Value {
    @inlinable @inline(__always) get { object._get(slot) }
    @inlinable @inline(__always) set { object._set(slot, newValue) }
    @inlinable @inline(__always) _modify {
      let pointer: UnsafeMutablePointer<Value> = unsafe object._beginModify(slot)
      defer { object._endModify(slot) }
      yield unsafe &pointer.pointee
    }
  }
}

extension ToOne: PropertyDescriptor {
  /// What the property reads as.
  public typealias Value = Destination?
  /// What the descriptor says.
  public var propertyDefinition: PropertyDefinition { definition }
  /// The property in a query.
  public static func _query(_ owner: QueryNode.Column, _ name: String) -> QueryPath<Destination> {
    QueryPath(owner.step(name))
  }
  /// The property of an object.
  public static subscript(_object object: ModelObject, _slot slot: Int) -> Destination? {
    @inlinable @inline(__always) get { object._getOne(slot) }
    @inlinable @inline(__always) set { object._setOne(slot, newValue) }
  }
}

extension ToMany: PropertyDescriptor {
  /// What the property reads as.
  public typealias Value = RelatedObjects<Destination>
  /// What the descriptor says.
  public var propertyDefinition: PropertyDefinition { definition }
  /// The property in a query.
  public static func _query(_ owner: QueryNode.Column, _ name: String) -> QueryList<Destination> {
    QueryList(column: owner.attribute(name))
  }
  /// The property of an object.
  public static subscript(_object object: ModelObject, _slot slot: Int)
    -> RelatedObjects<Destination>
  {
    @inlinable @inline(__always) get { RelatedObjects(owner: object, slot: slot) }
    @inlinable @inline(__always) set { object._setMany(slot, newValue) }
  }
}
