import Foundation
internal import SealedLog

extension ModelContext: QuerySource {
  func withRow<R>(_ reference: Reference, _ body: (QueryRow?) throws -> R) throws -> R {
    if deleted[reference.local] != nil { return try body(nil) }
    if let object = changed[reference.local] ?? inserted[reference.local] {
      return try body(.object(object))
    }
    return try store.withRecord(reference, currentSnapshot()) { view in
      try body(view.map { .record(reference, $0) })
    }
  }

  func forEachMember(
    of row: QueryRow, _ slot: Int, _ body: (QueryRow) throws -> Bool
  ) throws {
    switch row {
    case .object(let object):
      for member in object.loadedList(slot).entries {
        let goesOn = try withRow(of: member) { row in try row.map { try body($0) } ?? true }
        if !goesOn { return }
      }
    case .record(let owner, let view):
      guard let relation = store.bound(view.layout.entity)?.relations[slot] else { return }
      let keys = EdgeKeys(owner: owner.local, relation: relation)
      let cursor = try currentSnapshot().cursor(
        in: store.edges, from: keys.firstPosition, to: keys.endOfPositions)
      while try cursor.next() {
        guard let member = unsafe SealedModel.reference(at: 0, of: cursor.value) else { continue }
        let goesOn = try withRow(member) { row in try row.map { try body($0) } ?? true }
        if !goesOn { return }
      }
    }
  }

  private func withRow<R>(of entry: ObjectEntry, _ body: (QueryRow?) throws -> R) throws -> R {
    if let object = unsafe entry.object { return try body(.object(object)) }
    return try withRow(entry.reference, body)
  }

  func memberCount(of row: QueryRow, _ slot: Int) throws -> Int {
    switch row {
    case .object(let object): return object.list(slot).count
    case .record(let owner, let view):
      guard let relation = store.bound(view.layout.entity)?.relations[slot] else { return 0 }
      return try store.edgeState(
        EdgeKeys(owner: owner.local, relation: relation), currentSnapshot()
      ).count
    }
  }

  func object(of row: QueryRow) -> ModelObject? {
    switch row {
    case .object(let object): return object
    case .record(let reference, let view): return object(reference, view)
    }
  }

  func identifier(of row: QueryRow) -> PersistentIdentifier {
    switch row {
    case .object(let object): object.persistentModelID
    case .record(let reference, _): store.identifier(reference)
    }
  }

  /// The object of a record, brought up to date with it.
  func object(_ reference: Reference, _ view: RecordView) -> ModelObject {
    let entry = entry(for: reference)
    if let object = unsafe entry.object {
      if object._life == .clean, let own = object._record,
        unsafe !own.hasSameBytes(view.bytes)
      {
        replaceRecord(
          of: object, unsafe OwnedRecord(copying: view.bytes, layout: view.layout))
      }
      return object
    }
    return make(entry, unsafe OwnedRecord(copying: view.bytes, layout: view.layout))
  }
}
