#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Random bytes from the system's generator.
public enum SystemRandom {
  /// What one call to `getentropy` gives at most.
  private static let chunk = 256

  /// Fills a buffer.
  ///
  /// - Throws: `.randomSource` where the system has none to give; nothing else may stand in.
  ///   `.selfTestFailed`.
  public static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    try CryptoModule.checkOpen()
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let count = min(chunk, buffer.count - done)
      guard unsafe getentropy(base + done, count) == 0 else {
        throw CryptoError(.randomSource, "the system gave no random bytes (errno \(errno))")
      }
      done += count
    }
  }

  /// The given number of bytes.
  public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe try bytes.withMutableRaw { (buffer) throws(CryptoError) in try unsafe fill(buffer) }
    return bytes
  }
}

extension Array where Element == UInt8 {
  /// The bytes as raw memory, with the error type of `body`.
  @inline(__always)
  func withRaw<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe withUnsafeBufferPointer { (buffer) throws(E) -> R in
      try unsafe body(UnsafeRawBufferPointer(buffer))
    }
  }

  /// The bytes as raw memory to write to, with the error type of `body`.
  @inline(__always)
  mutating func withMutableRaw<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeMutableBufferPointer { (buffer) throws(E) -> R in
      try unsafe body(UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
