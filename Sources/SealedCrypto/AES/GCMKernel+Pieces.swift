internal import SealedCryptoX86

/// Counter mode and GHASH on their own, for texts that come in pieces.
extension GCMKernel {
  /// Adds the key stream to whole blocks.
  ///
  /// - Parameter counter: the first counter block, 16 bytes, of which the last 32 bits count.
  func crypt(
    _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, counter: UnsafeRawPointer,
    blockCount: Int
  ) {
    switch self {
    case .portable(let gcm):
      unsafe gcm.crypt(source, into: target, counter: counter, blockCount: blockCount)
    #if arch(x86_64)
      case .x86(let gcm):
        unsafe CounterKernel128.crypt(
          gcm.context, counter: counter, source, into: target, blockCount: blockCount)
    #endif
    }
  }

  /// Takes whole blocks into a hash of 16 bytes, which is zeros at the beginning.
  func absorb(_ blocks: UnsafeRawPointer, blockCount: Int, hash: UnsafeMutableRawPointer) {
    switch self {
    case .portable(let gcm): unsafe gcm.absorb(blocks, blockCount: blockCount, hash: hash)
    #if arch(x86_64)
      case .x86(let gcm):
        unsafe CounterKernel128.absorb(gcm.context, blocks, blockCount: blockCount, hash: hash)
    #endif
    }
  }

  /// Turns the hash into what the standard has, once all is taken in.
  func finish(hash: UnsafeMutableRawPointer) {
    switch self {
    case .portable: break
    #if arch(x86_64)
      case .x86: unsafe CounterKernel128.finish(hash: hash)
    #endif
    }
  }
}
