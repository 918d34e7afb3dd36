/// H' of RFC 9106, 3.3: BLAKE2b stretched to any length.
enum Argon2Hash {
  /// Fills `output` with the hash of `input` and of `suffix` behind it.
  static func fill(
    _ output: UnsafeMutableRawBufferPointer, from input: UnsafeRawBufferPointer,
    suffix: [UInt8] = []
  ) {
    guard let target = output.baseAddress else { return }
    let count = output.count
    guard count > 64 else {
      var hash = BLAKE2b(unchecked: count)
      hash.update(Argon2id.word(count))
      unsafe hash.update(input)
      hash.update(suffix)
      return unsafe hash.finalize(into: target)
    }
    let last = SecretBytes(count: 64)
    unsafe last.withUnsafeMutableBytes { last in
      guard let link = last.baseAddress else { return }
      var first = BLAKE2b(unchecked: 64)
      first.update(Argon2id.word(count))
      unsafe first.update(input)
      first.update(suffix)
      unsafe first.finalize(into: link)
      var position = 0
      // Half of each link goes out; the last one goes out whole.
      while count - position > 64 {
        unsafe (target + position).copyMemory(from: link, byteCount: 32)
        position += 32
        var next = BLAKE2b(unchecked: min(64, count - position))
        unsafe next.update(UnsafeRawBufferPointer(last))
        unsafe next.finalize(into: link)
      }
      unsafe (target + position).copyMemory(from: link, byteCount: count - position)
    }
  }
}
