public import SealedLog
internal import Synchronization

/// Names an object: permanent from `insert` on, never reused, equal after a round trip.
///
/// The store's identity and 16 bytes: epoch (4, the number of the store's opening that made the
/// object) ‖ lineage (6, random for each opening) ‖ sequence (4) ‖ entity (2), all big-endian. They
/// are ordered by creation within a store. An object that isn't inserted yet has a provisional one.
public struct PersistentIdentifier: Hashable, Codable, Sendable, Comparable {
  let storeHigh: UInt64
  let storeLow: UInt64
  /// Epoch (32 bits) and the lineage's upper 32 bits.
  let first: UInt64
  /// The lineage's lower 16 bits, sequence (32), entity (16).
  let second: UInt64

  init(store: StoreID, lineage: UInt64, reference: Reference) {
    storeHigh = store.high
    storeLow = store.low
    let lineage = lineage & 0xffff_ffff_ffff
    first = UInt64(reference.epoch) << 32 | lineage >> 16
    second =
      (lineage & 0xffff) << 48 | UInt64(reference.sequence) << 16 | UInt64(reference.entity)
  }

  private static let provisionalLineage = UInt64.random(in: 0...0xffff_ffff_ffff)
  private static let provisionalCount = Atomic<UInt64>(0)

  private init(provisional number: UInt64) {
    storeHigh = 0
    storeLow = number >> 32
    first = Self.provisionalLineage >> 16
    second = (Self.provisionalLineage & 0xffff) << 48 | (number & 0xffff_ffff) << 16
  }

  /// An identifier for an object that isn't in a context.
  static func provisional() -> Self {
    Self(provisional: provisionalCount.add(1, ordering: .relaxed).newValue)
  }

  /// The store that the object is in; nil while it is in none.
  public var storeIdentifier: StoreID? {
    isProvisional ? nil : StoreID(high: storeHigh, low: storeLow)
  }

  var isProvisional: Bool { first >> 32 == 0 }
  var lineage: UInt64 { (first & 0xffff_ffff) << 16 | second >> 48 }
  var reference: Reference {
    Reference(
      local: first & 0xffff_ffff_0000_0000 | (second >> 16) & 0xffff_ffff,
      entity: UInt16(truncatingIfNeeded: second))
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.first, left.second, left.storeHigh, left.storeLow)
      < (right.first, right.second, right.storeHigh, right.storeLow)
  }
}

/// Where an object's record is: the short form of its identifier inside one store.
struct Reference: Hashable, Sendable, Comparable {
  /// Epoch (32 bits) and sequence (32 bits); unique in a store.
  let local: UInt64
  /// The entity's number in the store.
  let entity: UInt16

  var epoch: UInt32 { UInt32(truncatingIfNeeded: local >> 32) }
  var sequence: UInt32 { UInt32(truncatingIfNeeded: local) }

  static let width = 10

  static func < (left: Self, right: Self) -> Bool { left.local < right.local }
  static func == (left: Self, right: Self) -> Bool { left.local == right.local }
  func hash(into hasher: inout Hasher) { hasher.combine(local) }
}
