/// GHASH over bytes that come in pieces, on the kernel of a key.
@safe struct GHASHStream: ~Copyable {
  private let kernel: GCMKernel
  // One cell: the hash as the kernel keeps it, then the 16 bytes of an unfinished block.
  private static let cellSize = 32
  private let cell: UnsafeMutableRawPointer
  private var blockCount = 0

  init(_ kernel: GCMKernel) {
    self.kernel = kernel
    unsafe cell = SecretSlab.shared.allocate(Self.cellSize)
  }

  deinit { unsafe SecretSlab.shared.release(cell, Self.cellSize) }

  /// Takes in bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let block = unsafe cell + 16
    var position = 0
    if blockCount > 0 {
      position = min(16 - blockCount, bytes.count)
      unsafe (block + blockCount).copyMemory(from: base, byteCount: position)
      blockCount += position
      guard blockCount == 16 else { return }
      unsafe kernel.absorb(block, blockCount: 1, hash: cell)
      blockCount = 0
    }
    let whole = (bytes.count - position) / 16
    unsafe kernel.absorb(base + position, blockCount: whole, hash: cell)
    position += 16 * whole
    blockCount = bytes.count - position
    unsafe block.copyMemory(from: base + position, byteCount: blockCount)
  }

  /// Fills an unfinished block up with zeros.
  mutating func pad() {
    guard blockCount > 0 else { return }
    let rest = unsafe cell + 16 + blockCount
    unsafe rest.initializeMemory(as: UInt8.self, repeating: 0, count: 16 - blockCount)
    unsafe kernel.absorb(cell + 16, blockCount: 1, hash: cell)
    blockCount = 0
  }

  /// Takes in the two lengths that end a hash, in bytes, and lends the hash; nothing may follow.
  mutating func finish(
    _ first: UInt64, _ second: UInt64, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    pad()
    unsafe cell.storeBytes(of: (first &* 8).bigEndian, toByteOffset: 16, as: UInt64.self)
    unsafe cell.storeBytes(of: (second &* 8).bigEndian, toByteOffset: 24, as: UInt64.self)
    unsafe kernel.absorb(cell + 16, blockCount: 1, hash: cell)
    unsafe kernel.finish(hash: cell)
    unsafe body(cell)
  }
}
