import Foundation

/// Where a record keeps each property. FORMAT.md, "Records":
///
///     ┌───────────┬──────────────────┬─────────────┬────────────────┐
///     │ layout: 2 │ presence bits    │ fixed slots │ variable bytes │
///     └───────────┴──────────────────┴─────────────┴────────────────┘
///
/// All numbers little-endian. A property whose length varies has the end of its bytes, relative to
/// the variable part, as a 4-byte slot; they begin where those of the one before it end. A to-one
/// relationship is a reference: local key (8) and entity (2). A clear presence bit stands for nil.
final class RecordLayout: Sendable {
  /// Where one property is.
  struct Field: Sendable {
    let slot: Int
    let kind: StorageKind
    let isReference: Bool
    let presenceByte: Int
    let presenceMask: UInt8
    /// From the record's beginning.
    let offset: Int
    /// Bytes in the fixed part.
    let width: Int
    let isVariable: Bool
    /// The slot of the variable property before; 0 where there is none.
    let previousEnd: Int
  }

  let number: UInt16
  let entity: Entity
  /// By the entity's slot; nil where records of this layout lack the property.
  let fields: [Field?]
  /// Those that there are, in order.
  let present: [Field]
  /// Where the variable part begins.
  let headSize: Int

  /// - Parameter columns: The stored properties in order: the slot they have now (nil for a
  ///   property that the model has no more), their kind, whether they are references.
  init(
    number: UInt16, entity: Entity, columns: [(slot: Int?, kind: StorageKind, isReference: Bool)]
  ) {
    self.number = number
    self.entity = entity
    var offset = 2 + (columns.count + 7) / 8
    var previousEnd = 0
    var fields = [Field?](repeating: nil, count: entity.slotCount)
    var present: [Field] = []
    for (index, column) in columns.enumerated() {
      let fixed = column.isReference ? Reference.width : column.kind.fixedWidth
      let field = Field(
        slot: column.slot ?? -1, kind: column.kind, isReference: column.isReference,
        presenceByte: 2 + index / 8, presenceMask: 1 << UInt8(index % 8), offset: offset,
        width: fixed ?? 4, isVariable: fixed == nil, previousEnd: previousEnd)
      if fixed == nil { previousEnd = offset }
      offset += field.width
      if let slot = column.slot {
        fields[slot] = field
        present.append(field)
      }
    }
    self.fields = fields
    self.present = present
    headSize = offset
  }
}

/// A record's bytes with their layout; a view, good only while the bytes are.
@safe struct RecordView {
  let layout: RecordLayout
  let bytes: UnsafeRawBufferPointer

  /// Nil where the bytes are too short to be a record of the layout.
  init?(_ bytes: UnsafeRawBufferPointer, layout: RecordLayout) {
    guard bytes.count >= layout.headSize else { return nil }
    self.layout = layout
    unsafe self.bytes = bytes
  }

  @inline(__always)
  func isPresent(_ field: RecordLayout.Field) -> Bool {
    unsafe bytes[field.presenceByte] & field.presenceMask != 0
  }

  /// The bytes of a property that is present; empty where the record is damaged.
  @inline(__always)
  func bytes(of field: RecordLayout.Field) -> UnsafeRawBufferPointer {
    if !field.isVariable {
      return unsafe UnsafeRawBufferPointer(
        rebasing: bytes[field.offset..<field.offset + field.width])
    }
    let start =
      field.previousEnd == 0
      ? 0
      : unsafe Int(
        UInt32(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: field.previousEnd, as: UInt32.self)))
    let end = unsafe Int(
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: field.offset, as: UInt32.self)))
    guard start <= end, unsafe layout.headSize + end <= bytes.count else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(
      rebasing: bytes[layout.headSize + start..<layout.headSize + end])
  }

  @inline(__always)
  func value(of field: RecordLayout.Field) -> StoredValue {
    let isPresent = isPresent(field)
    return unsafe StoredValue(
      bytes: isPresent ? bytes(of: field) : UnsafeRawBufferPointer(start: nil, count: 0),
      kind: field.kind, isPresent: isPresent)
  }

  @inline(__always)
  func reference(of field: RecordLayout.Field) -> Reference? {
    guard field.isReference, isPresent(field) else { return nil }
    return unsafe Reference(
      local: UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: field.offset, as: UInt64.self)),
      entity: UInt16(
        littleEndian: bytes.loadUnaligned(fromByteOffset: field.offset + 8, as: UInt16.self)))
  }
}

/// A copy of a record's bytes, owned by whoever frees it.
@safe struct OwnedRecord {
  let layout: RecordLayout
  private let base: UnsafeMutableRawPointer
  let count: Int

  init(copying bytes: UnsafeRawBufferPointer, layout: RecordLayout) {
    self.layout = layout
    count = bytes.count
    unsafe base = .allocate(byteCount: max(1, bytes.count), alignment: 8)
    if let source = bytes.baseAddress {
      unsafe base.copyMemory(from: source, byteCount: bytes.count)
    }
  }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }
  /// The bytes were checked when the copy was made.
  var view: RecordView? { unsafe RecordView(bytes, layout: layout) }

  func hasSameBytes(_ other: UnsafeRawBufferPointer) -> Bool {
    guard other.count == count, let start = other.baseAddress else { return false }
    return unsafe memcmp(base, start, count) == 0
  }

  func free() { unsafe base.deallocate() }
}
