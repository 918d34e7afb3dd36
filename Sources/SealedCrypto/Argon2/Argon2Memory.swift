internal import SealedCryptoX86Wide256

/// The matrix of blocks that Argon2id fills (RFC 9106, 3.2): a row a lane, 1 KiB a block.
@safe final class Argon2Memory {
  static let blockSize = 1024
  /// Each pass goes through the columns in four slices; lanes see each other's earlier slices.
  private static let sliceCount = 4

  private let pages: Pages
  private let base: UnsafeMutableRawPointer
  private let parameters: Argon2id.Parameters
  private let backend: CryptoBackend
  /// Blocks a lane.
  private let columns: Int
  private var segment: Int { columns / Self.sliceCount }

  /// - Throws: `.outOfMemory`.
  init(_ parameters: Argon2id.Parameters, backend: CryptoBackend) throws(CryptoError) {
    self.parameters = parameters
    self.backend = backend
    columns = parameters.memorySize / Self.blockSize / parameters.lanes
    // Behind the matrix: scratch of the compression, input and output of the addresses, zeros.
    pages = try Pages(scratch: parameters.memorySize + 4 * Self.blockSize)
    unsafe base = pages.base
  }

  @inline(__always)
  private func block(_ lane: Int, _ column: Int) -> UnsafeMutableRawPointer {
    unsafe base + Self.blockSize &* (lane &* columns &+ column)
  }

  @inline(__always)
  private func scratch(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe base + parameters.memorySize + Self.blockSize &* index
  }

  /// Fills the first two columns from the hash of the inputs.
  func begin(_ seed: SecretBytes) {
    for lane in 0..<parameters.lanes {
      for column in 0..<2 {
        let target = unsafe UnsafeMutableRawBufferPointer(
          start: block(lane, column), count: Self.blockSize)
        unsafe seed.withUnsafeBytes { seed in
          unsafe Argon2Hash.fill(
            target, from: seed, suffix: Argon2id.word(column) + Argon2id.word(lane))
        }
      }
    }
  }

  /// All passes.
  func fill() {
    for pass in 0..<parameters.passes {
      for slice in 0..<Self.sliceCount {
        for lane in 0..<parameters.lanes {
          if pass == 0, slice < 2 {
            fillIndependently(lane, slice: slice)
          } else {
            fillDependently(lane, slice: slice, pass: pass)
          }
        }
      }
    }
  }

  /// The sum of the last column, hashed to `count` bytes.
  func finish(count: Int) -> SecretBytes {
    let sum = unsafe scratch(0)
    unsafe sum.copyMemory(from: block(0, columns - 1), byteCount: Self.blockSize)
    for lane in 1..<parameters.lanes {
      let other = unsafe block(lane, columns - 1)
      for offset in stride(from: 0, to: Self.blockSize, by: 8) {
        let word =
          unsafe sum.load(fromByteOffset: offset, as: UInt64.self)
          ^ other.load(fromByteOffset: offset, as: UInt64.self)
        unsafe sum.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      }
    }
    let output = SecretBytes(count: count)
    unsafe output.withUnsafeMutableBytes { target in
      unsafe Argon2Hash.fill(
        target, from: UnsafeRawBufferPointer(start: sum, count: Self.blockSize))
    }
    return output
  }

  // MARK: A segment

  /// A segment whose references come from a counter alone: no address depends on the passphrase.
  private func fillIndependently(_ lane: Int, slice: Int) {
    let (input, addresses) = unsafe (scratch(1), scratch(2))
    unsafe input.initializeMemory(as: UInt8.self, repeating: 0, count: Self.blockSize)
    let idVariant = 2
    let header = [
      0, lane, slice, parameters.memorySize / Self.blockSize, parameters.passes, idVariant, 0,
    ]
    for (index, number) in header.enumerated() {
      unsafe input.storeBytes(
        of: UInt64(number).littleEndian, toByteOffset: 8 * index, as: UInt64.self)
    }
    let first = slice == 0 ? 2 : 0
    for index in 0..<segment {
      if index % 128 == 0 {
        unsafe makeAddresses(input, counter: index / 128 + 1, into: addresses)
      }
      guard index >= first else { continue }
      let word = unsafe addresses.load(fromByteOffset: 8 * (index % 128), as: UInt64.self)
      fillBlock(lane, slice, index, pass: 0, random: UInt64(littleEndian: word))
    }
  }

  /// The next 128 words of a segment: G(0, G(0, input)).
  private func makeAddresses(
    _ input: UnsafeMutableRawPointer, counter: Int, into addresses: UnsafeMutableRawPointer
  ) {
    unsafe input.storeBytes(of: UInt64(counter).littleEndian, toByteOffset: 48, as: UInt64.self)
    let zero = unsafe scratch(3)
    unsafe mix(zero, input, into: addresses, adds: false)
    unsafe mix(zero, addresses, into: addresses, adds: false)
  }

  /// A segment whose references come from the blocks before.
  private func fillDependently(_ lane: Int, slice: Int, pass: Int) {
    let first = pass == 0 && slice == 0 ? 2 : 0
    for index in first..<segment {
      let column = slice &* segment &+ index
      let previous = unsafe block(lane, column == 0 ? columns &- 1 : column &- 1)
      let random = unsafe UInt64(littleEndian: previous.load(as: UInt64.self))
      fillBlock(lane, slice, index, pass: pass, random: random)
    }
  }

  /// Fills one block from the one before and the one that `random` points to.
  @inline(__always)
  private func fillBlock(_ lane: Int, _ slice: Int, _ index: Int, pass: Int, random: UInt64) {
    let column = slice &* segment &+ index
    let isFirstSlice = pass == 0 && slice == 0
    let other =
      parameters.lanes == 1 || isFirstSlice
      ? lane : Int(truncatingIfNeeded: (random &>> 32) % UInt64(parameters.lanes))
    // As many blocks may be referred to, the newest of them the likeliest.
    let finished = pass == 0 ? slice &* segment : columns &- segment
    let area = finished &+ (other == lane ? index &- 1 : index == 0 ? -1 : 0)
    let low = random & 0xffff_ffff
    let skewed = (UInt64(area) &* ((low &* low) &>> 32)) &>> 32
    let start = pass == 0 || slice == Self.sliceCount - 1 ? 0 : (slice &+ 1) &* segment
    var reference = start &+ area &- 1 &- Int(truncatingIfNeeded: skewed)
    if reference >= columns { reference &-= columns }
    unsafe mix(
      block(lane, column == 0 ? columns &- 1 : column &- 1), block(other, reference),
      into: block(lane, column), adds: pass > 0)
  }

  @inline(__always)
  private func mix(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
    adds: Bool
  ) {
    #if arch(x86_64)
      if backend.usesAVX2 {
        return unsafe Argon2Kernel256.mix(a, b, into: target, adds: adds, scratch: scratch(0))
      }
    #endif
    unsafe Argon2Block.mix(a, b, into: target, adds: adds, scratch: scratch(0))
  }
}
