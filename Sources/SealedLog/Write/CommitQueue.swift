internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Lets one thread at a time write, and lets that one commit for the others that wait.
///
/// The leader takes all waiting commits, writes them as one, and hands leadership to the next
/// waiter before it wakes those that it served.
final class CommitQueue: Sendable {
  private struct State {
    var hasLeader = false
    var waiting: [CommitRequest] = []
    /// How many commits the last groups had: whether it pays to wait a moment for more.
    var recentGroup = 1
  }
  private let state = Mutex<State>(State())

  /// Becomes the leader, or waits until another leader has dealt with the request.
  ///
  /// - Returns: whether the caller leads; if not, the request's outcome is set.
  func join(_ request: CommitRequest) -> Bool {
    let leads = state.withLock { state in
      if state.hasLeader {
        state.waiting.append(request)
        return false
      }
      state.hasLeader = true
      return true
    }
    if leads { return true }
    request.wait()
    return request.outcome == nil
  }

  /// Becomes the leader if there is none; never waits.
  func tryLead() -> Bool {
    state.withLock { state in
      guard !state.hasLeader else { return false }
      state.hasLeader = true
      return true
    }
  }

  /// The commits that wait, for the leader to serve together with its own. Requests for exclusive
  /// work stay, and nothing behind them is taken.
  func takeGroup(byteLimit: Int) -> [CommitRequest] {
    yieldForOthers()
    return state.withLock { state in
      var bytes = 0
      let taken = state.waiting.prefix { request in
        guard let buffer = request.buffer else { return false }
        bytes += buffer.count
        return bytes <= byteLimit
      }
      state.waiting.removeFirst(taken.count)
      state.recentGroup = max(taken.count + 1, state.recentGroup / 2)
      return Array(taken)
    }
  }

  /// Gives the processor up a few times while fewer wait than have been committing lately: one sync
  /// then covers more of them.
  private func yieldForOthers() {
    for _ in 0..<6 {
      let isAlone = state.withLock { $0.waiting.count + 1 >= $0.recentGroup }
      if isAlone { return }
      sched_yield()
    }
  }

  /// Hands leadership on.
  func leave() {
    let next = state.withLock { state -> CommitRequest? in
      if state.waiting.isEmpty {
        state.hasLeader = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.wake()
  }
}

/// A commit that waits, or a wish for exclusive work (without a buffer).
final class CommitRequest: @unchecked Sendable {
  // Written by the leader before `wake`, read by the owner after `wait`.
  let buffer: BatchBuffer?
  let durability: Durability
  /// Run by the leader once all commits before are settled: what it throws refuses the commit.
  let validation: (() throws(StoreError) -> Void)?
  var commit: CommitNumber = 0
  var outcome: Result<CommitNumber, StoreError>?
  private let signal = Signal()

  init(
    buffer: BatchBuffer?, durability: Durability,
    validation: (() throws(StoreError) -> Void)? = nil
  ) {
    self.buffer = buffer
    self.durability = durability
    self.validation = validation
  }

  func wait() { signal.wait() }
  func wake() { signal.raise() }
}
