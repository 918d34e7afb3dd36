internal import Synchronization

/// Keeps opened blocks within a byte limit: the clock algorithm over all blocks of all tables.
///
/// Finding a cached block doesn't come here (`BlockCell`); reading one in does.
final class BlockCache: Sendable {
  /// Bytes that blocks may take; pinned ones may push it over.
  let limit: Int

  // Sendable: the words are atomic, and stay while their owner is registered here.
  @safe private struct Resident: @unchecked Sendable {
    let word: UnsafeMutablePointer<Atomic<UInt64>>
    let size: Int
    let owner: ObjectIdentifier
  }

  private struct State {
    var residents: [Resident] = []
    var hand = 0
    var bytes = 0
  }

  // The lock also covers the cells' words: a table removes its blocks under it before it frees
  // the cells.
  private let state = Mutex<State>(State())

  init(limit: Int) { self.limit = limit }

  /// Bytes of blocks held at present.
  var byteCount: Int { state.withLock { $0.bytes } }

  /// Counts a block that was just published, and makes room for it.
  func add(_ word: UnsafeMutablePointer<Atomic<UInt64>>, size: Int, owner: ObjectIdentifier) {
    let resident = unsafe Resident(word: word, size: size, owner: owner)
    state.withLock { state in
      state.residents.append(resident)
      state.bytes += size
      // Two rounds: the first takes the marks of use away, the second evicts.
      var tries = state.residents.count * 2
      while state.bytes > limit, tries > 0, !state.residents.isEmpty {
        tries -= 1
        Self.step(&state)
      }
    }
  }

  private static func step(_ state: inout State) {
    if state.hand >= state.residents.count { state.hand = 0 }
    let resident = state.residents[state.hand]
    switch unsafe BlockCell(word: resident.word).evict(sparingUsed: true) {
    case .evicted, .absent:
      state.bytes -= resident.size
      state.residents[state.hand] = state.residents[state.residents.count - 1]
      state.residents.removeLast()
    case .pinned, .used:
      state.hand += 1
    }
  }

  /// Forgets a table's blocks: unpinned ones are freed, the others with their last pin.
  func remove(owner: ObjectIdentifier) {
    state.withLock { state in
      state.residents.removeAll { resident in
        guard resident.owner == owner else { return false }
        unsafe BlockCell(word: resident.word).doom()
        state.bytes -= resident.size
        return true
      }
      state.hand = 0
    }
  }

  /// Empties the cache: unpinned blocks are zeroed now, the others with their last pin.
  func purge() {
    state.withLock { state in
      for resident in state.residents {
        unsafe BlockCell(word: resident.word).doom()
      }
      state.residents.removeAll()
      state.bytes = 0
      state.hand = 0
    }
  }
}
