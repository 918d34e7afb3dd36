/// The tree that `#Predicate` and the builder meet in. Names are stored names, so that it can be
/// saved and sent.
public indirect enum QueryNode: Sendable, Hashable, Codable {
  /// Where a value comes from: a variable, to-one steps, a property.
  public struct Column: Sendable, Hashable, Codable {
    /// A step from an object to another.
    public enum Step: Sendable, Hashable, Codable {
      /// To what a to-one relationship leads to.
      case relationship(String)
      /// To the same object, if it is one of the entity.
      case cast(String)
    }
    /// 0 is the fetched object, others are bound by `any`, `all`, `count`.
    public var variable: Int
    /// The way to the object.
    public var steps: [Step] = []
    /// The property; nil stands for the object itself.
    public var attribute: String?

    func attribute(_ name: String) -> Column {
      Column(variable: variable, steps: steps, attribute: name)
    }
    func step(_ name: String) -> Column {
      Column(variable: variable, steps: steps + [.relationship(name)], attribute: nil)
    }
    func cast(_ entity: String) -> Column {
      Column(variable: variable, steps: steps + [.cast(entity)], attribute: nil)
    }
  }
  /// The comparisons.
  public enum Comparison: String, Sendable, Codable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }
  /// The arithmetic operations.
  public enum Arithmetic: String, Sendable, Codable {
    case add, subtract, multiply, divide, remainder, negate
  }
  /// The operations on strings.
  public enum Text: String, Sendable, Codable {
    case contains, hasPrefix, hasSuffix, equals, length
  }
  /// What is taken for equal in strings.
  public enum Folding: String, Sendable, Codable {
    case none, caseInsensitive, caseAndDiacriticInsensitive
  }

  /// A value.
  case constant(Scalar)
  /// A property's value, or an object.
  case column(Column)
  /// A comparison of two values.
  case compare(QueryNode, Comparison, QueryNode)
  /// All of them.
  case and([QueryNode])
  /// One of them at least.
  case or([QueryNode])
  /// The opposite.
  case not(QueryNode)
  /// An operation on strings.
  case text(QueryNode, Text, QueryNode, Folding)
  /// Whether a value is one of a set.
  case member(QueryNode, of: Set<Scalar>)
  /// Whether a list has a value.
  case listContains(QueryNode, QueryNode)
  /// Whether a value is in a range.
  case between(QueryNode, QueryNode, QueryNode, closed: Bool)
  /// Arithmetic on two values.
  case arithmetic(QueryNode, Arithmetic, QueryNode)
  /// The first, or the second where the first is nil.
  case coalesce(QueryNode, QueryNode)
  /// The second or third, as the first says.
  case conditional(QueryNode, QueryNode, QueryNode)
  /// The second is nil where the first is.
  case ifPresent(QueryNode, QueryNode)
  /// The value; evaluating it throws where it is nil.
  case unwrap(QueryNode)
  /// Whether the condition holds for one of the related objects.
  case any(Column, variable: Int, QueryNode)
  /// Whether the condition holds for all related objects.
  case all(Column, variable: Int, QueryNode)
  /// How many related objects the condition holds for.
  case count(Column, variable: Int, QueryNode?)
  /// Whether an object is one of the entity.
  case isKind(Column, String)
  /// Not compiled: expression number n, evaluated on the object.
  case residual(Int)

  static let `true` = QueryNode.constant(.bool(true))

  /// The parts that must all hold.
  var conjuncts: [QueryNode] {
    switch self {
    case .and(let nodes): nodes.flatMap(\.conjuncts)
    case .constant(.bool(true)): []
    default: [self]
    }
  }
}

/// Why a query couldn't be compiled or evaluated.
public enum QueryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The expression has no compiled form.
  case unsupported(String)
  /// The property isn't stored.
  case notStored(String)
  /// `!` met nil.
  case unwrappedNil
  /// Values of different kinds were compared or computed with.
  case mixedTypes(String)

  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .unsupported(let what): "can't be compiled: \(what)"
    case .notStored(let what): "\(what) is no stored property"
    case .unwrappedNil: "nil where the predicate unwraps"
    case .mixedTypes(let what): "values of different kinds: \(what)"
    }
  }
}
