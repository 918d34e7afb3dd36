internal import Synchronization

/// A way to unlock a store.
public struct KeySlotInfo: Hashable, Sendable {
  /// What the slot is opened by.
  public enum Kind: String, Hashable, Sendable {
    case rawKey, passphrase, runtime
  }

  /// The slot's number in its store; never given out twice.
  public let id: UInt32
  /// What it is opened by.
  public let kind: Kind
}

/// What `rotateStoreKey` came to.
public struct KeyRotation: Sendable, Equatable {
  /// Slots that go on, wrapped anew.
  public let kept: [UInt32]
  /// Slots whose credential wasn't given: they open nothing any more.
  public let dropped: [UInt32]
}

extension LogStore {
  /// The ways to unlock the store, in the order of their numbers.
  public var keySlots: [KeySlotInfo] {
    engine.root.withLock { $0.current.slots }.map { KeySlotInfo(id: $0.id, kind: $0.publicKind) }
      .sorted { $0.id < $1.id }
  }

  /// Adds a way to unlock the store; takes no time but the credential's key derivation.
  ///
  /// - Returns: the slot's number.
  /// - Throws: `.limitExceeded` past eight slots, or where they would together cost more than
  ///   `OpenOptions.keyDerivationLimit`; `.invalidArgument` for a runtime's slot beside
  ///   others (a wipe of its vault would then not hold); `.outcomeUnknown` where a crash now may
  ///   show the slot or not, so that both sets of credentials are to be kept; as `write`.
  @discardableResult
  public func addKeySlot(_ credential: Credential) throws(StoreError) -> UInt32 {
    try engine.changeSlots { (slots, key) throws(StoreError) in
      guard slots.count < RootCopy.slotLimit else {
        throw StoreError(
          .limitExceeded, "a store has at most \(RootCopy.slotLimit) key slots; remove one first")
      }
      let id = (slots.map(\.id).max() ?? 0) + 1
      slots.append(
        try KeySlot.make(id: id, credential: credential, storeKey: key, storeID: self.id))
      return id
    }
  }

  /// Takes a way to unlock the store away.
  ///
  /// An old copy of the root file together with the slot's credential still gives the store key;
  /// `rotateStoreKey` makes that worthless.
  /// - Throws: `.invalidArgument` for a number that isn't there, or the last slot; as `addKeySlot`.
  public func removeKeySlot(_ id: UInt32) throws(StoreError) {
    try engine.changeSlots { (slots, _) throws(StoreError) in
      guard let index = slots.firstIndex(where: { $0.id == id }) else { throw Self.noSlot(id) }
      guard slots.count > 1 else {
        throw StoreError(.invalidArgument, "the last key slot stays; add another one first")
      }
      slots.remove(at: index)
    }
  }

  /// Puts another credential in a slot: the store key is wrapped anew, nothing else is written.
  ///
  /// - Throws: `.invalidArgument` for a number that isn't there; as `addKeySlot`.
  public func changeKeySlot(_ id: UInt32, to credential: Credential) throws(StoreError) {
    try engine.changeSlots { (slots, key) throws(StoreError) in
      guard let index = slots.firstIndex(where: { $0.id == id }) else { throw Self.noSlot(id) }
      slots[index] = try KeySlot.make(
        id: id, credential: credential, storeKey: key, storeID: self.id)
    }
  }

  /// The copy of the root in force: kept elsewhere, it saves what the loss of both copies on disk
  /// would lose. It opens nothing without a credential; but credentials that were good when it was
  /// exported stay good for it, until the store key is rotated.
  public func exportKeySlots() -> [UInt8] { engine.root.withLock { $0.bytes } }

  /// Gives the store a new key and re-encrypts everything under it, online.
  ///
  /// When it returns the old key opens no file of the store (backups keep theirs; files that open
  /// snapshots hold go with them). It may be interrupted by a crash at any time: every slot that is
  /// kept opens the store then, and the next open goes on.
  /// - Parameter credentials: What opens the slots to keep.
  /// - Throws: `.wrongKey` where none of them opens a slot; as `write`, and `addKeySlot`.
  @discardableResult
  public func rotateStoreKey(credentials: [Credential]) throws(StoreError) -> KeyRotation {
    try engine.rotate(credentials: credentials)
  }

  private static func noSlot(_ id: UInt32) -> StoreError {
    StoreError(.invalidArgument, "the store has no key slot \(id)")
  }
}

extension KeySlot {
  var publicKind: KeySlotInfo.Kind {
    switch kind {
    case .rawKey: .rawKey
    case .runtime: .runtime
    default: .passphrase
    }
  }
}
