/// Goes through the keys of a keyspace in order, forward or backward, as a snapshot sees them.
///
/// A new cursor stands before the first key and behind the last at once: `next()` goes to the first
/// one, `previous()` to the last. Not thread-safe. Holding a cursor keeps the plaintext that it
/// looks at in memory, also while the store is locked; its next move then throws `.locked`.
@safe public final class Cursor {
  private enum Position { case unplaced, forward, backward, atEnd, atStart }

  private let snapshot: Snapshot
  private let keyspace: UInt32
  private let merge: MergeCursor
  private let lower: [UInt8]?
  private let upper: [UInt8]?
  private let generation: Int
  private var position = Position.unplaced
  // The key that the cursor stands at (going back: the value too), copied where the sources have
  // moved on or will.
  private var heldKey = HeldBytes()
  private var heldValue = HeldBytes()

  /// The current key; good until the next move. Empty where the cursor stands at no key.
  public private(set) var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// The current value; good until the next move.
  public private(set) var value = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  init(
    snapshot: Snapshot, keyspace: UInt32, merge: MergeCursor, lower: [UInt8]?, upper: [UInt8]?,
    generation: Int
  ) {
    self.keyspace = keyspace
    self.snapshot = snapshot
    self.merge = merge
    self.lower = lower
    self.upper = upper
    self.generation = generation
  }

  /// The current key, copied.
  public var keyBytes: [UInt8] { unsafe Array(key) }
  /// The current value, copied.
  public var valueBytes: [UInt8] { unsafe Array(value) }

  // MARK: Moving

  /// Goes to the next key; false where there is none.
  ///
  /// - Throws: `.damaged` where the place can't be read, `.locked`, `.io`.
  public func next() throws(StoreError) -> Bool {
    try check()
    switch position {
    case .unplaced, .atStart:
      if let lower {
        unsafe try lower.withRaw { (raw) throws(StoreError) in
          try unsafe merge.seek(raw, commit: .max)
        }
      } else {
        try merge.seekToEnd(first: true)
      }
      return try settleForward(skippingHeld: false)
    case .forward:
      // Most keys have one version, and need not be remembered.
      let repeats = merge.mayRepeat
      if repeats { unsafe heldKey.replace(by: key) }
      try merge.next()
      return try settleForward(skippingHeld: repeats)
    case .backward:
      try unsafe merge.seek(heldKey.bytes, commit: 0)
      return try settleForward(skippingHeld: true)
    case .atEnd:
      return false
    }
  }

  /// Goes to the key before; false where there is none.
  ///
  /// - Throws: as `next`.
  public func previous() throws(StoreError) -> Bool {
    try check()
    switch position {
    case .unplaced, .atEnd:
      if let upper {
        unsafe try upper.withRaw { (raw) throws(StoreError) in
          try unsafe merge.seekBefore(raw, commit: .max)
        }
      } else {
        try merge.seekToEnd(first: false)
      }
    case .forward:
      let current = unsafe Array(key)
      unsafe try current.withRaw { (raw) throws(StoreError) in
        try unsafe merge.seekBefore(raw, commit: .max)
      }
    case .backward:
      break
    case .atStart:
      return false
    }
    return try settleBackward()
  }

  /// Goes to the first key at or behind the one given; false where there is none.
  public func seek(to key: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
    try check()
    if let lower, unsafe lower.withRaw({ unsafe compareKeys(key, $0) < 0 }) {
      position = .unplaced
      return try next()
    }
    try unsafe merge.seek(key, commit: .max)
    return try settleForward(skippingHeld: false)
  }

  /// Goes to the first key at or behind the one given; false where there is none.
  public func seek(to key: [UInt8]) throws(StoreError) -> Bool {
    unsafe try key.withRaw { (raw) throws(StoreError) in try unsafe seek(to: raw) }
  }

  /// Goes to the last key before the one given; false where there is none.
  public func seek(before key: [UInt8]) throws(StoreError) -> Bool {
    try check()
    if let upper, compareKeys(key, upper) > 0 {
      position = .unplaced
      return try previous()
    }
    unsafe try key.withRaw { (raw) throws(StoreError) in
      try unsafe merge.seekBefore(raw, commit: .max)
    }
    return try settleBackward()
  }

  // MARK: Finding what is visible

  /// Whether the entry lies in a range that was deleted after it was written.
  @inline(__always)
  private func isHidden(_ source: SourceCursor) -> Bool {
    unsafe snapshot.view.hides(
      source.key, in: keyspace, version: source.commit, from: snapshot.commit)
  }

  private func check() throws(StoreError) {
    guard snapshot.gateGeneration == generation else {
      throw StoreError(.locked, "the store was locked after the cursor was made; make a new one")
    }
  }

  /// From the merge's entry on, goes to the first key with a visible value; the held key was shown
  /// already, and its older versions are passed over.
  private func settleForward(skippingHeld: Bool) throws(StoreError) -> Bool {
    let limit = snapshot.commit
    var skipsHeld = skippingHeld
    while merge.isValid {
      var isShown = false
      merge.withCurrent { source in
        if source.commit > limit { return }
        if skipsHeld, unsafe heldKey.equals(source.key) { return }
        if source.kind == OperationKind.put.rawValue, !isHidden(source) {
          isShown = true
          unsafe key = source.key
          unsafe value = source.value
        } else {
          unsafe heldKey.replace(by: source.key)
          skipsHeld = true
        }
      }
      if isShown {
        if let upper, unsafe upper.withRaw({ unsafe compareKeys(key, $0) >= 0 }) { break }
        position = .forward
        return true
      }
      try merge.next()
    }
    return end(.atEnd)
  }

  /// From the merge's entry back, goes to the last key with a visible value: the newest visible
  /// version, which going back comes last.
  private func settleBackward() throws(StoreError) -> Bool {
    let limit = snapshot.commit
    while merge.isValid {
      merge.withCurrent { source in unsafe heldKey.replace(by: source.key) }
      var isFound = false
      while merge.isValid, merge.withCurrent({ unsafe heldKey.equals($0.key) }) {
        merge.withCurrent { source in
          guard source.commit <= limit else { return }
          isFound = source.kind == OperationKind.put.rawValue && !isHidden(source)
          if isFound { unsafe heldValue.replace(by: source.value) }
        }
        try merge.previous()
      }
      if let lower, unsafe lower.withRaw({ unsafe compareKeys(heldKey.bytes, $0) < 0 }) { break }
      if isFound {
        position = .backward
        unsafe key = heldKey.bytes
        unsafe value = heldValue.bytes
        return true
      }
    }
    return end(.atStart)
  }

  private func end(_ position: Position) -> Bool {
    self.position = position
    unsafe key = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe value = UnsafeRawBufferPointer(start: nil, count: 0)
    return false
  }
}
