import Foundation
internal import SealedLog
internal import Synchronization

/// A store opened for a schema: where everything of it is kept.
///
/// Keyspaces: `meta` (schema, lineages), `records` (entity (2) ‖ local key (8) → record), `indexes`,
/// `edges`.
final class ObjectStore: Sendable {
  let log: LogStore
  let schema: Schema
  let meta: Keyspace
  let records: Keyspace
  let indexes: Keyspace
  let edges: Keyspace
  let entities: [UInt16: BoundEntity]
  private let numbers: [ObjectIdentifier: UInt16]
  let layouts: [UInt16: RecordLayout]
  /// By entity: the relationships without inverse that may lead to it.
  let incoming: [ObjectIdentifier: [BoundIndex]]
  let changes = Mutex(ChangeLog())
  private let lineages: Mutex<[UInt32: UInt64]>
  private let sequence = Atomic<UInt64>(0)

  private static let schemaKey = Array("schema".utf8)
  private static let lineagePrefix = Array("lineage".utf8)

  /// - Throws: `StoreError` `.schemaMismatch`, or the engine's.
  init(log: LogStore, schema: Schema) throws(StoreError) {
    self.log = log
    self.schema = schema
    let keyspaces = try log.keyspaces(["meta", "records", "indexes", "edges"])
    (meta, records, indexes, edges) = (keyspaces[0], keyspaces[1], keyspaces[2], keyspaces[3])
    let snapshot = try log.snapshot()
    let match = try Self.match(schema, snapshot, meta, log)
    var bound = SchemaBinding(match: match, schema: schema)
    bound.bind()
    entities = bound.entities
    numbers = bound.numbers
    layouts = bound.layouts
    incoming = bound.incoming
    var known = try Self.readLineages(snapshot, meta)
    known[log.openEpoch] = log.lineage & 0xffff_ffff_ffff
    lineages = Mutex(known)
  }

  private static func match(
    _ schema: Schema, _ snapshot: Snapshot, _ meta: Keyspace, _ log: LogStore
  ) throws(StoreError) -> SchemaMatch {
    var stored: StoredSchema?
    if let bytes = try snapshot.value(for: schemaKey, in: meta) {
      do {
        stored = try JSONDecoder().decode(StoredSchema.self, from: Data(bytes))
      } catch {
        throw StoreError(
          .newerFormat, "the store's description of its schema can't be read", file: log.path,
          cause: error)
      }
    }
    var match = SchemaMatch(stored)
    match.match(schema)
    guard match.differences.isEmpty else {
      throw StoreError(
        .schemaMismatch,
        "the models differ from what the store holds:\n  "
          + match.differences.joined(separator: "\n  "), file: log.path)
    }
    if match.isChanged {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      do {
        let bytes = Array(try encoder.encode(match.description))
        try log.write { try $0.put(schemaKey, bytes, in: meta) }
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.invalidSchema, "the schema can't be described", cause: error)
      }
    }
    return match
  }

  private static func readLineages(
    _ snapshot: Snapshot, _ meta: Keyspace
  ) throws(StoreError) -> [UInt32: UInt64] {
    var known: [UInt32: UInt64] = [:]
    let cursor = try snapshot.cursor(
      in: meta, from: lineagePrefix, to: KeyWriter.successor(ofPrefix: lineagePrefix))
    while try cursor.next() {
      let epoch = EdgeKeys.number(cursor.keyBytes, at: lineagePrefix.count)
      known[UInt32(truncatingIfNeeded: epoch)] = EdgeKeys.number(cursor.valueBytes)
    }
    return known
  }

  // MARK: Identifiers

  func bound(_ entity: Entity) -> BoundEntity? {
    numbers[ObjectIdentifier(entity)].flatMap { entities[$0] }
  }

  /// A new identifier, good at once and for ever.
  ///
  /// - Throws: `.limitExceeded` after 2³² objects in one opening of the store.
  func makeIdentifier(_ entity: BoundEntity) throws(StoreError) -> PersistentIdentifier {
    let next = sequence.add(1, ordering: .relaxed).newValue
    guard next <= UInt64(UInt32.max) else {
      throw StoreError(.limitExceeded, "too many objects made; close the container and reopen it")
    }
    return identifier(
      Reference(local: UInt64(log.openEpoch) << 32 | next, entity: entity.number))
  }

  /// The identifier of a stored object.
  func identifier(_ reference: Reference) -> PersistentIdentifier {
    let lineage = lineages.withLock { $0[reference.epoch] ?? 0 }
    return PersistentIdentifier(store: log.id, lineage: lineage, reference: reference)
  }

  /// Whether an identifier may be one of this store's objects.
  func owns(_ id: PersistentIdentifier) -> Bool {
    guard id.storeIdentifier == log.id else { return false }
    return lineages.withLock { $0[id.reference.epoch] } == id.lineage
  }

  /// What must be stored before objects of this opening are: its lineage.
  var lineageRow: (key: [UInt8], value: [UInt8]) {
    (
      Self.lineagePrefix + EdgeKeys.bytes(UInt64(log.openEpoch)),
      EdgeKeys.bytes(log.lineage & 0xffff_ffff_ffff)
    )
  }

  // MARK: Records

  func recordKey(_ reference: Reference) -> [UInt8] {
    var key = KeyWriter()
    key.append(reference.entity)
    key.append(reference.local)
    return key.bytes
  }

  func view(_ bytes: UnsafeRawBufferPointer) -> RecordView? {
    guard bytes.count >= 2 else { return nil }
    let number = unsafe UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self))
    guard let layout = layouts[number] else { return nil }
    return unsafe RecordView(bytes, layout: layout)
  }

  func withRecord<R>(
    _ reference: Reference, _ snapshot: Snapshot, _ body: (RecordView?) throws -> R
  ) throws -> R {
    let key = recordKey(reference)
    return try unsafe key.withUnsafeBytes { key in
      try unsafe snapshot.withValue(for: key, in: records) { bytes in
        guard let bytes = unsafe bytes else { return try body(nil) }
        guard let view = unsafe view(bytes) else {
          throw StoreError(.damaged, "a record makes no sense; restore from a backup")
        }
        return try body(view)
      }
    }
  }

  func ownedRecord(_ reference: Reference, _ snapshot: Snapshot) throws -> OwnedRecord? {
    try withRecord(reference, snapshot) { view in
      view.map { unsafe OwnedRecord(copying: $0.bytes, layout: $0.layout) }
    }
  }

  // MARK: Edges

  func edgeState(
    _ keys: EdgeKeys, _ snapshot: Snapshot
  ) throws(StoreError) -> (count: Int, next: UInt64) {
    guard let bytes = try snapshot.value(for: keys.count, in: edges) else { return (0, 1) }
    return (Int(clamping: EdgeKeys.number(bytes)), EdgeKeys.number(bytes, at: 8))
  }

  func position(
    of member: UInt64, _ keys: EdgeKeys, _ snapshot: Snapshot
  ) throws(StoreError) -> UInt64? {
    try snapshot.value(for: keys.member(member), in: edges).map { EdgeKeys.number($0) }
  }

  func members(
    _ keys: EdgeKeys, _ snapshot: Snapshot
  ) throws(StoreError) -> [(reference: Reference, position: UInt64)] {
    var result: [(reference: Reference, position: UInt64)] = []
    let cursor = try snapshot.cursor(in: edges, from: keys.firstPosition, to: keys.endOfPositions)
    while try cursor.next() {
      guard let member = unsafe reference(at: 0, of: cursor.value) else { continue }
      result.append((member, EdgeKeys.number(cursor.keyBytes, at: keys.firstPosition.count)))
    }
    return result
  }
}
