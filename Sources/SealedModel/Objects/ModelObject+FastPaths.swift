/// Offsets of the masks in the header of a group of 64 slots.
@usableFromInline struct Mask {
  /// A plain load is the whole read.
  static let readable = 0
  /// A plain store is the whole write.
  static let writable = 8
  /// The slot holds a value.
  static let loaded = 16
  /// The value was set since the last save.
  static let dirty = 24
  /// The value is being modified in place.
  static let modifying = 32
  /// Not a mask: non-zero where the end of an in-place change must take the slow path.
  static let slowEnd = 40
}

// What is inlined into the client. Look at the assembly after each change: the fast path has two
// returns, and no call before the first, so that it needs no retain of `self`.
extension ModelObject {
  @inlinable @inline(__always) @unsafe
  final func _mask(_ slot: Int, _ offset: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe (_slots - 64 &* ((slot &>> 6) &+ 1) + offset).assumingMemoryBound(to: UInt64.self)
  }
  @inlinable @inline(__always) static func _bit(_ slot: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: slot & 63)
  }

  @inlinable @inline(__always)
  final func _get<V: AttributeValue>(_ slot: Int) -> V {
    if unsafe _mask(slot, 0).pointee & Self._bit(slot) != 0 {
      return unsafe SlotStorage<V>.pointer(_slots + slot &* 16).pointee
    }
    return unsafe SlotStorage<V>.pointer(_prepareRead(slot)).pointee
  }
  @inlinable @inline(__always)
  final func _set<V: AttributeValue>(_ slot: Int, _ value: V) {
    if unsafe _mask(slot, 8).pointee & Self._bit(slot) != 0 {
      unsafe SlotStorage<V>.pointer(_slots + slot &* 16).pointee = value
    } else {
      unsafe withUnsafePointer(to: value) { unsafe _slowSet(slot, $0) }
    }
  }
  /// While the caller mutates in place, both bits are off: an overlapping access takes the slow
  /// path, which reports it.
  @inlinable @inline(__always) @unsafe
  final func _beginModify<V: AttributeValue>(_ slot: Int) -> UnsafeMutablePointer<V> {
    if unsafe _mask(slot, 8).pointee & Self._bit(slot) != 0 {
      unsafe _mask(slot, 0).pointee &= ~Self._bit(slot)
      unsafe _mask(slot, 8).pointee &= ~Self._bit(slot)
      unsafe _mask(slot, 32).pointee |= Self._bit(slot)
    } else {
      _prepareModify(slot)
    }
    return unsafe SlotStorage<V>.pointer(_slots + slot &* 16)
  }
  @inlinable @inline(__always)
  final func _endModify(_ slot: Int) {
    if unsafe _mask(slot, 40).pointee == 0 {
      unsafe _mask(slot, 0).pointee |= Self._bit(slot)
      unsafe _mask(slot, 8).pointee |= Self._bit(slot)
      unsafe _mask(slot, 32).pointee &= ~Self._bit(slot)
    } else {
      _finishModify(slot)
    }
  }
  @inlinable @inline(__always)
  final func _getOne<T: PersistentModel>(_ slot: Int) -> T? {
    if unsafe _mask(slot, 0).pointee & Self._bit(slot) != 0 {
      let entry = unsafe (_slots + slot &* 16).assumingMemoryBound(to: ObjectEntry?.self).pointee
      guard let entry else { return nil }
      if let object = unsafe entry.object { return unsafe unsafeDowncast(object, to: T.self) }
    }
    guard let object = _prepareReadOne(slot) else { return nil }
    return unsafe unsafeDowncast(object, to: T.self)
  }
  @inlinable @inline(__always)
  final func _setOne<T: PersistentModel>(_ slot: Int, _ value: T?) { _slowSetOne(slot, value) }
  @inlinable
  final func _setMany<T: PersistentModel>(_ slot: Int, _ value: RelatedObjects<T>) {
    // The end of an in-place change gives the view back that was lent.
    if case .property(let owner, let other) = value.source, owner === self, other == slot { return }
    _setMany(slot, Array(value))
  }
}
