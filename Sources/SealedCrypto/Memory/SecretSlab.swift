/// Small secrets in pages for keys: file keys, key schedules, powers of hash keys, states of codes.
///
/// A store has a slab of its own, so that its keys lie together in few pages, which are locked into
/// memory where the system allows, kept out of core dumps, wiped in a forked child, and zeroed when
/// they go. What belongs to no store lies in the shared one. A cell is zeroed when it comes back.
@safe package final class SecretSlab: Sendable {
  /// For what belongs to no store.
  package static let shared = SecretSlab()

  /// Cells are multiples of this, and aligned to it.
  private static let unit = 64
  /// Larger cells have pages of their own.
  private static let cellLimit = 4096
  /// The last word of a cell. Wiping a forked child's pages takes it away.
  private static let mark: UInt64 = 0x5ea1_ed5e_c4e7_ce11

  /// Cells are kept by address.
  private struct State {
    var chunks: [Pages] = []
    /// Unused memory at the end of the newest chunk.
    var next: UInt = 0
    var remaining = 0
    /// Cells that came back, by their number of units.
    var free: [[UInt]] = Array(repeating: [], count: cellLimit / unit + 1)
    /// Cells with pages of their own.
    var large: [UInt: Pages] = [:]
  }

  private let state = Lock(State())
  private let cellLimit: Int

  /// An empty slab, which takes pages when they are needed.
  ///
  /// - Parameter isolates: whether each cell has pages of its own, and ends where they end.
  package init(isolates: Bool = false) { cellLimit = isolates ? 0 : Self.cellLimit }

  private static func cellSize(_ count: Int) -> Int { (count + 8 + unit - 1) & ~(unit - 1) }

  /// Zeros, aligned to 64 bytes, to be given back to this slab.
  package func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let size = Self.cellSize(count)
    let address = state.withLock { state in take(size, from: &state) }
    guard let cell = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      preconditionFailure("a cell has an address")
    }
    unsafe cell.storeBytes(of: Self.mark, toByteOffset: size - 8, as: UInt64.self)
    return unsafe cell
  }

  /// Zeroes a cell and takes it back.
  package func release(_ cell: UnsafeMutableRawPointer, _ count: Int) {
    let size = Self.cellSize(count)
    let address = UInt(bitPattern: cell)
    unsafe zeroize(UnsafeMutableRawBufferPointer(start: cell, count: size))
    state.withLock { state in
      if size > cellLimit {
        state.large[address] = nil
      } else {
        state.free[size / Self.unit].append(address)
      }
    }
  }

  /// Whether a cell still holds what was put there: not so in a forked child, where the system
  /// wiped it.
  @inline(__always)
  package static func isIntact(_ cell: UnsafeRawPointer, _ count: Int) -> Bool {
    unsafe cell.load(fromByteOffset: cellSize(count) &- 8, as: UInt64.self) == mark
  }

  private func take(_ size: Int, from state: inout State) -> UInt {
    guard size <= cellLimit else {
      let pages = Pages(secrets: size)
      let address = unsafe UInt(bitPattern: pages.base)
      state.large[address] = pages
      return address
    }
    if let cell = state.free[size / Self.unit].popLast() { return cell }
    if state.remaining < size {
      // What is left of the old chunk is lost: less than a cell.
      let chunk = Pages(secrets: min(16_384 << min(state.chunks.count, 4), 262_144))
      state.next = unsafe UInt(bitPattern: chunk.base)
      state.remaining = chunk.count
      state.chunks.append(chunk)
    }
    defer {
      state.next += UInt(size)
      state.remaining -= size
    }
    return state.next
  }
}
