extension HMACSHA256 {
  /// The codes of codes that PBKDF2 sums up: two compressions a round, and no memory taken.
  ///
  /// - Parameters:
  ///   - last: 32 bytes, the code to begin with.
  ///   - sum: 32 bytes, to which each further code is added.
  borrowing func iterate(
    _ last: UnsafeMutableRawBufferPointer, into sum: UnsafeMutableRawBufferPointer, rounds: Int
  ) {
    let (inner, outer) = unsafe (innerState, outerState)
    unsafe withUnsafeTemporaryAllocation(byteCount: 96, alignment: 16) { scratch in
      guard let block = scratch.baseAddress, let sum = sum.baseAddress,
        let first = last.baseAddress
      else { return }
      let state = unsafe (block + 64).bindMemory(to: UInt32.self, capacity: 8)
      unsafe block.copyMemory(from: first, byteCount: SHA256.digestSize)
      unsafe Self.pad(block)
      for _ in 0..<rounds {
        unsafe Self.compress(block, from: inner, with: state, backend)
        unsafe Self.compress(block, from: outer, with: state, backend)
        for word in 0..<4 {
          let value =
            unsafe sum.load(fromByteOffset: 8 &* word, as: UInt64.self)
            ^ block.load(fromByteOffset: 8 &* word, as: UInt64.self)
          unsafe sum.storeBytes(of: value, toByteOffset: 8 &* word, as: UInt64.self)
        }
      }
      unsafe zeroize(scratch)
    }
  }

  /// What follows 32 bytes of message behind a block of key: a one, zeros, 768 bits in all.
  private static func pad(_ block: UnsafeMutableRawPointer) {
    unsafe (block + 32).initializeMemory(as: UInt8.self, repeating: 0, count: 32)
    unsafe block.storeBytes(of: 0x80, toByteOffset: 32, as: UInt8.self)
    unsafe block.storeBytes(of: UInt64(768).bigEndian, toByteOffset: 56, as: UInt64.self)
  }

  /// Replaces the first 32 bytes of a padded block by its hash from a state on.
  @inline(__always)
  private static func compress(
    _ block: UnsafeMutableRawPointer, from start: UnsafePointer<UInt32>,
    with state: UnsafeMutablePointer<UInt32>, _ backend: CryptoBackend
  ) {
    unsafe state.update(from: start, count: 8)
    unsafe SHA256Block.compress(state, UnsafeRawPointer(block), count: 1, backend)
    for index in 0..<8 {
      unsafe block.storeBytes(
        of: state[index].bigEndian, toByteOffset: 4 &* index, as: UInt32.self)
    }
  }
}
