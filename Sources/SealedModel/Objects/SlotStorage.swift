/// A value of at most two words lies in its slot, a larger one in memory of its own that the slot
/// points to.
@safe @usableFromInline enum SlotStorage<V> {
  @inlinable @inline(__always) static var isInline: Bool {
    MemoryLayout<V>.size <= 16 && MemoryLayout<V>.alignment <= 16
  }
  @inlinable @inline(__always) @unsafe
  static func pointer(_ slot: UnsafeMutableRawPointer) -> UnsafeMutablePointer<V> {
    if isInline { return unsafe slot.assumingMemoryBound(to: V.self) }
    return unsafe slot.assumingMemoryBound(to: UnsafeMutablePointer<V>.self).pointee
  }
  static func initialize(_ slot: UnsafeMutableRawPointer, _ value: V) {
    if isInline {
      unsafe slot.initializeMemory(as: V.self, to: value)
    } else {
      let memory = UnsafeMutablePointer<V>.allocate(capacity: 1)
      unsafe memory.initialize(to: value)
      unsafe slot.initializeMemory(as: UnsafeMutablePointer<V>.self, to: memory)
    }
  }
  static func destroy(_ slot: UnsafeMutableRawPointer) {
    let memory = unsafe pointer(slot)
    unsafe memory.deinitialize(count: 1)
    if !isInline { unsafe memory.deallocate() }
  }
}
