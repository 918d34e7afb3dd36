/// AES in counter mode (NIST SP 800-38A, 6.5): a key stream added to text that comes in pieces.
///
/// It hides and does not protect: whoever changes a bit of the ciphertext changes that bit of the
/// text. `AESGCM` protects. No counter block may be used twice under a key, by this or another
/// stream: the caller sees to it.
@safe public struct AESCounterMode: ~Copyable {
  /// The most bytes of one stream: 2^36, less than the last 32 bits of the counter can count.
  public static let streamLimit: UInt64 = 1 << 36

  private let kernel: GCMKernel
  // One cell: the next counter block, then the rest of a block of key stream.
  private static let cellSize = 32
  private let cell: UnsafeMutableRawPointer
  /// Bytes of the block of key stream that are used.
  private var used = 16
  private var length: UInt64 = 0
  /// Whether the last 32 bits of the counter count on their own, as GCM has it.
  private let countsShort: Bool

  /// Begins a stream.
  ///
  /// - Parameters:
  ///   - key: 16 or 32 bytes.
  ///   - counter: the first counter block, 16 bytes; all 128 bits count, big-endian.
  /// - Throws: `.invalidParameter` for other sizes, `.selfTestFailed`.
  public init(key: SecretBytes, counter: [UInt8]) throws(CryptoError) {
    try CryptoModule.checkOpen()
    try self.init(key: key, counter: counter, backend: .best)
  }

  /// The same on a given backend: for tests, and the self tests.
  package init(
    key: SecretBytes, counter: [UInt8], backend: CryptoBackend
  ) throws(CryptoError) {
    try key.checkIntact()
    guard counter.count == 16 else {
      throw CryptoError(.invalidParameter, "a counter block has 16 bytes, not \(counter.count)")
    }
    let kernel = try unsafe key.withUnsafeBytes { (bytes) throws(CryptoError) in
      try unsafe GCMKernel(bytes, backend: backend, slab: .shared)
    }
    self.init(kernel, counter: counter, countsShort: false)
  }

  private init(_ kernel: GCMKernel, counter: [UInt8], countsShort: Bool) {
    self.kernel = kernel
    self.countsShort = countsShort
    unsafe cell = SecretSlab.shared.allocate(Self.cellSize)
    unsafe counter.withRaw { unsafe Self.copy($0, into: cell) }
  }

  /// GCM's stream, which begins behind the first counter block.
  init(_ kernel: GCMKernel, behind first: [UInt8]) {
    self.init(kernel, counter: first, countsShort: true)
    advance(by: 1)
  }

  private static func copy(
    _ counter: UnsafeRawBufferPointer, into cell: UnsafeMutableRawPointer
  ) {
    if let base = counter.baseAddress { unsafe cell.copyMemory(from: base, byteCount: 16) }
  }

  deinit { unsafe SecretSlab.shared.release(cell, Self.cellSize) }

  /// Encrypts or decrypts the next bytes, which is the same.
  ///
  /// - Parameter output: as many bytes as `input`; it may be the same memory.
  /// - Throws: `.invalidParameter` where sizes differ, `.limitExceeded` past `streamLimit`,
  ///   `.forked`.
  public mutating func crypt(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CryptoError) {
    guard output.count == input.count else {
      throw CryptoError(
        .invalidParameter, "the output has \(output.count) bytes, the input \(input.count)")
    }
    guard kernel.isIntact else { throw .forked }
    guard UInt64(input.count) <= Self.streamLimit - length else {
      throw CryptoError(.limitExceeded, "a stream has at most \(Self.streamLimit) bytes")
    }
    guard let source = input.baseAddress, let target = output.baseAddress else { return }
    length += UInt64(input.count)
    var position = unsafe addRest(source, into: target, count: input.count)
    let whole = (input.count - position) / 16
    unsafe cryptBlocks(source + position, into: target + position, blockCount: whole)
    position += 16 * whole
    guard position < input.count else { return }
    let block = unsafe cell + 16
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    unsafe cryptBlocks(block, into: block, blockCount: 1)
    used = 0
    _ = unsafe addRest(source + position, into: target + position, count: input.count - position)
  }

  /// Uses what is left of a block of key stream; returns the bytes done.
  private mutating func addRest(
    _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int
  ) -> Int {
    let part = min(16 - used, count)
    for index in 0..<part {
      let byte =
        unsafe source.load(fromByteOffset: index, as: UInt8.self)
        ^ cell.load(fromByteOffset: 16 + used + index, as: UInt8.self)
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    used += part
    return part
  }

  /// Whole blocks; the kernels count 32 bits, so a carry out of them ends a run.
  private func cryptBlocks(
    _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, blockCount: Int
  ) {
    var done = 0
    while done < blockCount {
      let low = unsafe UInt32(bigEndian: cell.load(fromByteOffset: 12, as: UInt32.self))
      let run = min(blockCount - done, Int(UInt32.max - low) + 1)
      unsafe kernel.crypt(
        source + 16 * done, into: target + 16 * done, counter: cell, blockCount: run)
      advance(by: run)
      done += run
    }
  }

  private func advance(by count: Int) {
    if countsShort {
      let last = unsafe UInt32(bigEndian: cell.load(fromByteOffset: 12, as: UInt32.self))
      let next = last &+ UInt32(truncatingIfNeeded: count)
      return unsafe cell.storeBytes(of: next.bigEndian, toByteOffset: 12, as: UInt32.self)
    }
    let high = unsafe UInt64(bigEndian: cell.load(as: UInt64.self))
    let low = unsafe UInt64(bigEndian: cell.load(fromByteOffset: 8, as: UInt64.self))
    let (sum, carries) = low.addingReportingOverflow(UInt64(count))
    unsafe cell.storeBytes(of: (carries ? high &+ 1 : high).bigEndian, as: UInt64.self)
    unsafe cell.storeBytes(of: sum.bigEndian, toByteOffset: 8, as: UInt64.self)
  }
}
