extension PortableGCM {
  /// Adds the key stream to whole blocks; the last 32 bits of the counter block count.
  func crypt(
    _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, counter: UnsafeRawPointer,
    blockCount: Int
  ) {
    var stream = unsafe PortableCounter(
      prefix: (
        counter.loadUnaligned(as: UInt64.self),
        counter.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      ),
      count: UInt32(bigEndian: counter.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    unsafe stream.crypt(
      UnsafeRawBufferPointer(start: source, count: 16 * blockCount),
      into: UnsafeMutableRawBufferPointer(start: target, count: 16 * blockCount), key: key)
  }

  /// Takes whole blocks into a hash, which lies in memory as the standard has it.
  func absorb(_ blocks: UnsafeRawPointer, blockCount: Int, hash: UnsafeMutableRawPointer) {
    var state = unsafe PortableGHASH(hashKey)
    state.resume(
      high: unsafe UInt64(bigEndian: hash.loadUnaligned(as: UInt64.self)),
      low: unsafe UInt64(bigEndian: hash.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    unsafe state.update(UnsafeRawBufferPointer(start: blocks, count: 16 * blockCount))
    let value = state.value
    unsafe hash.storeBytes(of: value.high.bigEndian, as: UInt64.self)
    unsafe hash.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }
}
