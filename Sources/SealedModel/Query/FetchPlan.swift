/// How a fetch finds its candidates.
struct FetchPlan {
  enum Access {
    /// The records of identifiers.
    case identifiers([Reference])
    /// Ranges of an index, in order.
    case index(BoundIndex, [KeyRange], isReverse: Bool)
    /// All records of the entities.
    case scan([BoundEntity])
    /// Nothing can match.
    case nothing
  }
  /// Keys from `lower` to before `upper`.
  struct KeyRange {
    let lower: [UInt8]
    let upper: [UInt8]?
  }

  var access: Access
  /// Whether candidates come in the order asked for.
  var isOrdered: Bool

  /// For people.
  var text: String {
    switch access {
    case .identifiers(let references): "\(references.count) identifiers"
    case .index(let index, let ranges, let isReverse):
      "index \(index.label), \(ranges.count) range\(ranges.count == 1 ? "" : "s")"
        + (isReverse ? ", backwards" : "") + (isOrdered ? ", in order" : "")
    case .scan(let entities): "scan \(entities.map(\.entity.name).joined(separator: ", "))"
    case .nothing: "nothing"
    }
  }
}

/// Chooses a plan: identifiers, then the index with the longest equality prefix and a range, then an
/// index in the order asked for where a limit makes that worth while, else a scan.
struct Planner {
  let store: ObjectStore
  let request: FetchRequest
  let bound: BoundEntity
  private let conjuncts: [QueryNode]
  private static let rangeLimit = 1_000

  init(store: ObjectStore, request: FetchRequest, bound: BoundEntity) {
    self.store = store
    self.request = request
    self.bound = bound
    conjuncts = request.node.conjuncts
  }

  func plan() -> FetchPlan {
    if conjuncts.contains(.constant(.bool(false))) {
      return FetchPlan(access: .nothing, isOrdered: true)
    }
    if let references = identifiers() {
      return FetchPlan(access: .identifiers(references), isOrdered: request.sorts.isEmpty)
    }
    var best: (score: Int, plan: FetchPlan)?
    for index in bound.indexes where index.reverseOfMany == nil {
      guard let candidate = use(index), candidate.score > best?.score ?? 0 else { continue }
      best = candidate
    }
    if let best { return best.plan }
    let entities = store.entities.values.filter { $0.entity.isKind(of: bound.entity) }
      .sorted { $0.number < $1.number }
    return FetchPlan(access: .scan(entities), isOrdered: request.sorts.isEmpty)
  }

  // MARK: Identifiers

  private func identifiers() -> [Reference]? {
    let me = QueryNode.column(QueryNode.Column(variable: 0))
    for conjunct in conjuncts {
      switch conjunct {
      case .compare(me, .equal, .constant(let value)), .compare(.constant(let value), .equal, me):
        return references([value])
      case .member(me, of: let values): return references(values)
      default: continue
      }
    }
    return nil
  }

  private func references(_ values: some Sequence<Scalar>) -> [Reference] {
    values.compactMap { value in
      guard case .object(let id) = value, store.owns(id) else { return nil }
      return id.reference
    }.sorted()
  }

  // MARK: Indexes

  private func use(_ index: BoundIndex) -> (score: Int, plan: FetchPlan)? {
    var prefixes: [[UInt8]] = [index.prefix]
    var equalities = 0
    for column in index.columns {
      guard let values = equalValues(column), prefixes.count * values.count <= Self.rangeLimit
      else { break }
      var next: [[UInt8]] = []
      for prefix in prefixes {
        for value in values {
          guard let key = append(value, column, to: prefix) else { return nil }
          next.append(key)
        }
      }
      prefixes = next
      equalities += 1
    }
    if prefixes.isEmpty { return (.max, FetchPlan(access: .nothing, isOrdered: true)) }
    prefixes.sort { $0.lexicographicallyPrecedes($1) }
    var score = equalities * 4
    var ranges: [FetchPlan.KeyRange]
    if equalities < index.columns.count,
      let bounds = range(index.columns[equalities], prefixes)
    {
      ranges = bounds
      score += 2
    } else {
      ranges = prefixes.map {
        FetchPlan.KeyRange(lower: $0, upper: KeyWriter.successor(ofPrefix: $0))
      }
    }
    let order = prefixes.count == 1 ? self.order(index, after: equalities) : nil
    if request.sorts.isEmpty {
      if score == 0 { return nil }
    } else if order != nil, request.limit != nil || score > 0 {
      score += 1
    }
    if score == 0 { return nil }
    let isOrdered = request.sorts.isEmpty || order != nil
    return (
      score,
      FetchPlan(
        access: .index(index, ranges, isReverse: order ?? false), isOrdered: isOrdered)
    )
  }

  /// Whether the columns after the equal ones give the order asked for; true where backwards.
  private func order(_ index: BoundIndex, after equalities: Int) -> Bool? {
    guard request.comparison == nil, let first = request.sorts.first else { return nil }
    let rest = index.columns[equalities...]
    // Fewer columns sorted by than the index has: ties would come in the index's order.
    guard request.sorts.count == rest.count else { return nil }
    for (sort, column) in zip(request.sorts, rest) {
      guard sort.isReverse == first.isReverse, isColumn(sort.column, column), column.kind != nil
      else { return nil }
    }
    return first.isReverse
  }

  private func isColumn(_ column: QueryNode.Column, _ indexed: BoundIndex.Column) -> Bool {
    guard column.variable == 0 else { return false }
    if indexed.kind == nil {
      return column.attribute == nil && column.steps == [.relationship(indexed.name)]
    }
    return column.steps.isEmpty && column.attribute == indexed.name
  }

  private func isColumn(_ node: QueryNode, _ indexed: BoundIndex.Column) -> Bool {
    guard case .column(let column) = node else { return false }
    return isColumn(column, indexed)
  }

  private func equalValues(_ column: BoundIndex.Column) -> [Scalar]? {
    for conjunct in conjuncts {
      switch conjunct {
      case .compare(let node, .equal, .constant(let value)) where isColumn(node, column):
        return [value]
      case .compare(.constant(let value), .equal, let node) where isColumn(node, column):
        return [value]
      case .member(let node, of: let values) where isColumn(node, column): return Array(values)
      case .column where column.kind?.base == .bool && isColumn(conjunct, column):
        return [.bool(true)]
      case .not(let node) where column.kind == .bool && isColumn(node, column):
        return [.bool(false)]
      default: continue
      }
    }
    return nil
  }

  private func append(
    _ value: Scalar, _ column: BoundIndex.Column, to prefix: [UInt8]
  ) -> [UInt8]? {
    var key = KeyWriter(prefix)
    if let kind = column.kind {
      return key.append(value, kind: kind) ? key.bytes : nil
    }
    switch value {
    case .null:
      key.append(optional: nil)
      return key.bytes
    case .object(let id) where store.owns(id):
      key.append(optional: id.reference)
      return key.bytes
    default: return nil
    }
  }

  // MARK: Ranges

  private struct Bounds {
    var lower: Scalar?
    var isLowerOpen = false
    var upper: Scalar?
    var isUpperOpen = false
    var prefix: String?
  }

  private func range(
    _ column: BoundIndex.Column, _ prefixes: [[UInt8]]
  ) -> [FetchPlan.KeyRange]? {
    guard let kind = column.kind else { return nil }
    var bounds = Bounds()
    for conjunct in conjuncts { narrow(&bounds, conjunct, column) }
    if let text = bounds.prefix {
      return prefixes.map {
        var key = KeyWriter($0)
        key.append(prefix: text)
        return FetchPlan.KeyRange(
          lower: key.bytes, upper: KeyWriter.successor(ofPrefix: key.bytes))
      }
    }
    if bounds.lower == nil, bounds.upper == nil { return nil }
    var ranges: [FetchPlan.KeyRange] = []
    for prefix in prefixes {
      // Nothing is before or after nil: values begin behind it.
      var lower = KeyWriter(prefix)
      if let value = bounds.lower {
        guard lower.append(value, kind: kind) else { return nil }
      } else {
        lower.append(UInt8(1))
      }
      var upper = KeyWriter.successor(ofPrefix: prefix)
      if let value = bounds.upper {
        var key = KeyWriter(prefix)
        guard key.append(value, kind: kind) else { return nil }
        upper = bounds.isUpperOpen ? key.bytes : KeyWriter.successor(ofPrefix: key.bytes)
      }
      let start =
        bounds.isLowerOpen && bounds.lower != nil
        ? KeyWriter.successor(ofPrefix: lower.bytes) ?? lower.bytes : lower.bytes
      ranges.append(FetchPlan.KeyRange(lower: start, upper: upper))
    }
    return ranges
  }

  private func narrow(
    _ bounds: inout Bounds, _ conjunct: QueryNode, _ column: BoundIndex.Column
  ) {
    switch conjunct {
    case .compare(let node, let comparison, .constant(let value)) where isColumn(node, column):
      narrow(&bounds, comparison, value)
    case .compare(.constant(let value), let comparison, let node) where isColumn(node, column):
      narrow(&bounds, comparison.mirrored, value)
    case .between(let node, .constant(let low), .constant(let high), let closed)
    where isColumn(node, column):
      narrow(&bounds, .greaterOrEqual, low)
      narrow(&bounds, closed ? .lessOrEqual : .less, high)
    // What the builder makes of an optional: compared where it is there, else false.
    case .coalesce(.ifPresent(let test, let inner), .constant(.bool(false)))
    where isColumn(test, column):
      narrow(&bounds, inner, column)
    case .text(let node, .hasPrefix, .constant(.string(let text)), .none)
    where isColumn(node, column) && !text.isEmpty:
      bounds.prefix = text
    default: break
    }
  }

  private func narrow(
    _ bounds: inout Bounds, _ comparison: QueryNode.Comparison, _ value: Scalar
  ) {
    if value == .null { return }
    switch comparison {
    case .less, .lessOrEqual:
      guard bounds.upper == nil else { return }
      bounds.upper = value
      bounds.isUpperOpen = comparison == .less
    case .greater, .greaterOrEqual:
      guard bounds.lower == nil else { return }
      bounds.lower = value
      bounds.isLowerOpen = comparison == .greater
    case .equal, .notEqual: break
    }
  }
}

extension QueryNode.Comparison {
  /// The same comparison with its sides exchanged.
  var mirrored: Self {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }
}
