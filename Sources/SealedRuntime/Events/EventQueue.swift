internal import Synchronization

/// Brings events to a delegate on the main actor: each once, in the order in which they came.
final class EventQueue: Sendable {
  private struct State {
    weak var delegate: (any RuntimeDelegate)?
    var events: [AppEvent] = []
  }

  private let state = Mutex(State())

  var delegate: (any RuntimeDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  func post(_ event: AppEvent) {
    let isFirst = state.withLock { state in
      guard state.delegate != nil else { return false }
      state.events.append(event)
      return state.events.count == 1
    }
    if isFirst { Task { @MainActor in self.drain() } }
  }

  /// The event at the front leaves the queue once it is handled, so that no second task starts
  /// while one is at work.
  @MainActor private func drain() {
    while let (event, delegate) = state.withLock({ state in
      state.events.first.map { ($0, state.delegate) }
    }) {
      delegate?.handle(event)
      state.withLock { _ = $0.events.removeFirst() }
    }
  }
}
