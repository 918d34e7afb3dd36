/// AES in counter mode in portable code: the last 32 bits of the block count, modulo 2^32.
struct PortableCounter {
  /// The 12 bytes that stay, as they lie in memory.
  var prefix: (UInt64, UInt32)
  var count: UInt32

  /// Adds the key stream from here on, and moves behind it.
  ///
  /// - Parameter output: as many bytes as `input`, and it may be the same memory.
  mutating func crypt(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, key: AESKey
  ) {
    guard let source = input.baseAddress, let target = output.baseAddress else { return }
    var position = 0
    if unsafe input.count >= SlicedCounter.threshold {
      position = unsafe cryptBatches(source, into: target, count: input.count, key)
    }
    guard position < input.count else { return }
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { stream in
      guard let base = stream.baseAddress else { return }
      while position < input.count {
        unsafe keystream(key, at: base)
        let part = min(64, input.count &- position)
        unsafe Self.add(base, to: source + position, into: target + position, count: part)
        count &+= UInt32(truncatingIfNeeded: (part &+ 15) / 16)
        position &+= part
      }
      unsafe zeroize(stream)
    }
  }

  /// Whole batches, and a last one that is worth it; returns the bytes done.
  private mutating func cryptBatches(
    _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count total: Int,
    _ key: AESKey
  ) -> Int {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: SlicedCounter.memorySize + 16, alignment: 16
    ) { memory in
      guard let base = memory.baseAddress else { return 0 }
      let prefix = unsafe base + SlicedCounter.memorySize
      unsafe prefix.storeBytes(of: self.prefix.0, as: UInt64.self)
      unsafe prefix.storeBytes(of: self.prefix.1, toByteOffset: 8, as: UInt32.self)
      let cipher = unsafe SlicedCounter(
        roundKeys: key.roundKeys, rounds: key.rounds, memory: base)
      var position = 0
      while unsafe total &- position >= SlicedCounter.threshold {
        let stream = unsafe cipher.keystream(prefix: prefix, count: count)
        let part = unsafe min(SlicedCounter.batchSize, total &- position)
        unsafe Self.add(stream, to: source + position, into: target + position, count: part)
        count &+= UInt32(truncatingIfNeeded: (part &+ 15) / 16)
        position &+= part
      }
      unsafe zeroize(memory)
      return position
    }
  }

  @inline(__always)
  private static func add(
    _ stream: UnsafeRawPointer, to source: UnsafeRawPointer,
    into target: UnsafeMutableRawPointer, count: Int
  ) {
    var position = 0
    while count &- position >= 16 {
      unsafe (Word2.load(source, position) ^ .load(stream, position)).store(target, position)
      position &+= 16
    }
    while position < count {
      let byte =
        unsafe source.load(fromByteOffset: position, as: UInt8.self)
        ^ stream.load(fromByteOffset: position, as: UInt8.self)
      unsafe target.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
      position &+= 1
    }
  }

  /// Four blocks of key stream.
  @inline(__always)
  func keystream(_ key: AESKey, at target: UnsafeMutableRawPointer) {
    for block in 0..<4 {
      let place = unsafe target + 16 &* block
      unsafe place.storeBytes(of: prefix.0, as: UInt64.self)
      unsafe place.storeBytes(of: prefix.1, toByteOffset: 8, as: UInt32.self)
      let number = count &+ UInt32(truncatingIfNeeded: block)
      unsafe place.storeBytes(of: number.bigEndian, toByteOffset: 12, as: UInt32.self)
    }
    var state = unsafe BitslicedAES.load(target)
    unsafe key.cipher.encrypt(&state)
    unsafe BitslicedAES.store(state, to: target)
  }
}
