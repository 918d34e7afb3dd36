internal import SealedLog

// The four ways to ask agree on every descriptor and query.
extension ModelContext {
  /// The objects that a descriptor asks for, in its order.
  ///
  /// - Throws: `StoreError`; `QueryError`, or what the predicate throws.
  public func fetch<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> [M] {
    try fetch(FetchRequest(descriptor))
  }
  /// The objects that a query asks for, in its order.
  ///
  /// - Throws: `StoreError`, `QueryError`.
  public func fetch<M: PersistentModel>(_ query: Query<M>) throws -> [M] {
    try fetch(FetchRequest(query))
  }

  /// How many objects a descriptor asks for; makes none.
  ///
  /// - Throws: As `fetch`.
  public func fetchCount<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> Int {
    try count(FetchRequest(descriptor))
  }
  /// How many objects a query asks for; makes none.
  ///
  /// - Throws: As `fetch`.
  public func fetchCount<M: PersistentModel>(_ query: Query<M>) throws -> Int {
    try count(FetchRequest(query))
  }

  /// The identifiers of what a descriptor asks for, in its order; makes no objects.
  ///
  /// - Throws: As `fetch`.
  public func fetchIdentifiers<M: PersistentModel>(
    _ descriptor: FetchDescriptor<M>
  ) throws -> [PersistentIdentifier] {
    try identifiers(FetchRequest(descriptor))
  }
  /// The identifiers of what a query asks for, in its order; makes no objects.
  ///
  /// - Throws: As `fetch`.
  public func fetchIdentifiers<M: PersistentModel>(
    _ query: Query<M>
  ) throws -> [PersistentIdentifier] {
    try identifiers(FetchRequest(query))
  }

  /// Calls `body` with each object that a descriptor asks for, without holding them all.
  ///
  /// - Throws: As `fetch`, and what `body` throws.
  public func enumerate<M: PersistentModel>(
    _ descriptor: FetchDescriptor<M>, _ body: (M) throws -> Void
  ) throws {
    try enumerate(FetchRequest(descriptor), body)
  }
  /// Calls `body` with each object that a query asks for, without holding them all.
  ///
  /// - Throws: As `fetch`, and what `body` throws.
  public func enumerate<M: PersistentModel>(
    _ query: Query<M>, _ body: (M) throws -> Void
  ) throws {
    try enumerate(FetchRequest(query), body)
  }

  /// How a descriptor is answered, for people.
  public func explain<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) -> String {
    explain(FetchRequest(descriptor))
  }
  /// How a query is answered, for people.
  public func explain<M: PersistentModel>(_ query: Query<M>) -> String {
    explain(FetchRequest(query))
  }

  // MARK: -

  private func run(_ request: FetchRequest) throws -> FetchRun {
    if unsafe ModelContext.checksIsolation { checkIsolation() }
    guard let bound = store.bound(request.entity) else {
      throw StoreError(
        .unknownEntity, "\(request.entity.name) is not among the container's models")
    }
    try catchUp()
    pruneEntries()
    return FetchRun(
      context: self, request: request, bound: bound, snapshot: try currentSnapshot())
  }

  private func fetch<M: PersistentModel>(_ request: FetchRequest) throws -> [M] {
    var objects: [M] = []
    var run = try run(request)
    run.makesObjects = true
    try run.forEach { row in
      if let object = object(of: row), object is M {
        objects.append(unsafe unsafeDowncast(object, to: M.self))
      }
      return true
    }
    return objects
  }

  private func count(_ request: FetchRequest) throws -> Int {
    var request = request
    if request.comparison == nil { request.sorts = [] }
    request.comparison = nil
    var count = 0
    try run(request).forEach { _ in
      count += 1
      return true
    }
    return count
  }

  private func identifiers(_ request: FetchRequest) throws -> [PersistentIdentifier] {
    var result: [PersistentIdentifier] = []
    try run(request).forEach { row in
      result.append(identifier(of: row))
      return true
    }
    return result
  }

  private func enumerate<M: PersistentModel>(
    _ request: FetchRequest, _ body: (M) throws -> Void
  ) throws {
    var count = 0
    try run(request).forEach { row in
      if let object = object(of: row) as? M { try body(object) }
      count += 1
      if count % 4096 == 0 { pruneEntries() }
      return true
    }
  }

  private func explain(_ request: FetchRequest) -> String {
    var lines: [String] = []
    if let bound = store.bound(request.entity) {
      lines.append(Planner(store: store, request: request, bound: bound).plan().text)
    }
    if request.node != .true { lines.append("where \(request.node.text)") }
    lines += request.reasons.map { "evaluated on objects: \($0)" }
    lines += request.sortTexts
    return lines.joined(separator: "\n")
  }
}
