#if arch(x86_64)
  /// One message to seal or open, by its memory.
  @unsafe package struct GCMMessage {
    /// The first counter block of the standard (J0), as two words in the order of memory.
    let counter: Vector128
    let aad: UnsafeRawPointer
    let aadCount: Int
    let source: UnsafeRawPointer
    let target: UnsafeMutableRawPointer
    let count: Int

    /// - Parameters:
    ///   - counter: J0, its first eight bytes and its last, as they lie in memory.
    ///   - target: room for `count` bytes; it may be `source`, but not overlap it otherwise.
    package init(
      counter: (UInt64, UInt64), aad: UnsafeRawPointer, aadCount: Int, source: UnsafeRawPointer,
      target: UnsafeMutableRawPointer, count: Int
    ) {
      unsafe self.counter = Vector128(
        Int64(bitPattern: counter.0), Int64(bitPattern: counter.1))
      unsafe self.aad = aad
      unsafe self.aadCount = aadCount
      unsafe self.source = source
      unsafe self.target = target
      unsafe self.count = count
    }
  }
#endif
