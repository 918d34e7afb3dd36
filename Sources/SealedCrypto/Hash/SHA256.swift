/// SHA-256 (FIPS 180-4).
@safe public struct SHA256: ~Copyable {
  /// The length of a digest.
  public static let digestSize = 32
  /// The length of a block.
  static let blockSize = 64

  // One cell: 8 words of state, then the 64 bytes of an unfinished block.
  static let cellSize = 96
  /// Whether the cell is given back at the end.
  private let ownsCell: Bool
  let state: UnsafeMutablePointer<UInt32>
  private let block: UnsafeMutableRawPointer
  let backend: CryptoBackend
  private var blockCount = 0
  private var length: UInt64 = 0

  /// Begins a hash.
  ///
  /// - Throws: `.selfTestFailed`.
  public init() throws(CryptoError) {
    try CryptoModule.checkOpen()
    self.init(backend: .best)
  }

  /// Begins a hash on a given backend: for tests, and the self tests.
  package init(backend: CryptoBackend) {
    self.backend = backend
    ownsCell = true
    let cell = unsafe SecretSlab.shared.allocate(Self.cellSize)
    unsafe state = cell.bindMemory(to: UInt32.self, capacity: 8)
    unsafe block = cell + 32
    unsafe SHA256Block.initialize(state)
  }

  deinit {
    if ownsCell { unsafe SecretSlab.shared.release(state, Self.cellSize) }
  }

  /// Begins a hash in `cellSize` bytes of memory, aligned to 16, that the caller keeps and wipes.
  init(backend: CryptoBackend, cell: UnsafeMutableRawPointer) {
    self.backend = backend
    ownsCell = false
    unsafe state = cell.bindMemory(to: UInt32.self, capacity: 8)
    unsafe block = cell + 32
    unsafe SHA256Block.initialize(state)
  }

  /// Goes on from the state behind one block, or begins anew, whatever was taken in before.
  mutating func resume(from other: UnsafePointer<UInt32>?) {
    if let other = unsafe other {
      unsafe state.update(from: other, count: 8)
      length = UInt64(Self.blockSize)
    } else {
      unsafe SHA256Block.initialize(state)
      length = 0
    }
    blockCount = 0
  }

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    length &+= UInt64(bytes.count)
    var position = 0
    if blockCount > 0 {
      position = min(Self.blockSize - blockCount, bytes.count)
      unsafe (block + blockCount).copyMemory(from: base, byteCount: position)
      blockCount += position
      guard blockCount == Self.blockSize else { return }
      unsafe SHA256Block.compress(state, UnsafeRawPointer(block), count: 1, backend)
      blockCount = 0
    }
    let whole = (bytes.count - position) / Self.blockSize
    if whole > 0 {
      unsafe SHA256Block.compress(state, base + position, count: whole, backend)
      position += whole * Self.blockSize
    }
    if position < bytes.count {
      blockCount = bytes.count - position
      unsafe block.copyMemory(from: base + position, byteCount: blockCount)
    }
  }

  /// Takes in bytes.
  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withRaw { unsafe update($0) }
  }

  /// Ends the hash and writes its 32 bytes; the hash is then as new.
  public mutating func finalize(into digest: UnsafeMutableRawPointer) {
    let bits = length &* 8
    unsafe block.storeBytes(of: 0x80, toByteOffset: blockCount, as: UInt8.self)
    blockCount += 1
    if blockCount > 56 {
      fillBlock(from: blockCount, to: 64)
      unsafe SHA256Block.compress(state, UnsafeRawPointer(block), count: 1, backend)
      blockCount = 0
    }
    fillBlock(from: blockCount, to: 56)
    unsafe block.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self)
    unsafe SHA256Block.compress(state, UnsafeRawPointer(block), count: 1, backend)
    for index in 0..<8 {
      unsafe digest.storeBytes(
        of: state[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self)
    }
    unsafe SHA256Block.initialize(state)
    blockCount = 0
    length = 0
  }

  private func fillBlock(from start: Int, to end: Int) {
    guard start < end else { return }
    unsafe (block + start).initializeMemory(as: UInt8.self, repeating: 0, count: end - start)
  }

  /// Ends the hash and gives its 32 bytes.
  public mutating func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.digestSize)
    unsafe digest.withMutableRaw { raw in
      if let base = raw.baseAddress { unsafe finalize(into: base) }
    }
    return digest
  }

  /// The hash of bytes.
  ///
  /// - Throws: `.selfTestFailed`.
  public static func hash(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    var hash = try SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
