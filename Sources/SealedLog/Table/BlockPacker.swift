#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Decides, table by table, whether compressing blocks pays, and does it in place.
///
/// The first block is a probe, and each 64th after it: where a probe saves less than an eighth, the
/// blocks up to the next probe are left as they are, since deflating costs twenty times what all else
/// does that writes a block.
@safe struct BlockPacker: ~Copyable {
  private static let probeInterval = 64

  private var deflater: Deflater
  private var scratch: UnsafeMutableRawBufferPointer
  private var count = 0
  private var pays = true

  /// - Throws: `.io` where zlib gets no memory.
  init() throws(StoreError) {
    deflater = try Deflater()
    unsafe scratch = .allocate(byteCount: 24 << 10, alignment: 64)
  }

  deinit {
    unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe scratch.deallocate()
  }

  /// Compresses the block where it lies; its new size, or nil where it stays as it is.
  mutating func pack(_ block: UnsafeMutableRawBufferPointer) -> Int? {
    let isProbe = count % Self.probeInterval == 0
    count += 1
    guard isProbe || pays else { return nil }
    let limit = block.count - block.count / 8
    if unsafe scratch.count < limit { grow(to: limit) }
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[0..<limit])
    let size = unsafe deflater.deflate(UnsafeRawBufferPointer(block), into: target)
    if isProbe { pays = size != nil }
    guard let size else { return nil }
    unsafe block.copyMemory(from: UnsafeRawBufferPointer(rebasing: target[0..<size]))
    return size
  }

  private mutating func grow(to size: Int) {
    unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe scratch.deallocate()
    unsafe scratch = .allocate(byteCount: size, alignment: 64)
  }
}
