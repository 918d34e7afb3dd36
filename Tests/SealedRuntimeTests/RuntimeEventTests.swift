import SealedRuntime
import Synchronization
import Testing

/// Events come once, in order, on the main actor.
@Suite struct RuntimeEventTests {
  final class Recorder: RuntimeDelegate {
    private let heard: AsyncStream<AppEvent>.Continuation
    init(_ heard: AsyncStream<AppEvent>.Continuation) { self.heard = heard }
    @MainActor func handle(_ event: AppEvent) { heard.yield(event) }
  }

  @Test func authorizationIsTold() async throws {
    let fixture = try RuntimeFixture()
    let (stream, continuation) = AsyncStream<AppEvent>.makeStream()
    let recorder = Recorder(continuation)
    let runtime = fixture.runtime()
    runtime.delegate = recorder
    try runtime.activate(
      vault: fixture.vault, passphrase: secret("right"), attemptLimit: 1)
    try runtime.lock()
    try runtime.authorize(vault: fixture.vault, passphrase: secret("right"))
    #expect(
      code { try runtime.authorize(vault: fixture.vault, passphrase: secret("no")) }
        == .lockedOut)
    var events: [AppEvent] = []
    for await event in stream {
      events.append(event)
      if events.count == 4 { break }
    }
    #expect(
      events.map(\.type) == [.authorized, .notAuthorized, .authorized, .notAuthorized])
    #expect(events.map(\.code) == [.none, .none, .none, .remoteLockout])
    #expect(runtime.delegate === recorder)
  }

  @Test func numbersAreThePublishedOnes() {
    #expect(AppEventType.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8])
    #expect(AppResultCode.allCases.count == 17)
    #expect(AppResultCode(rawValue: -303) == .remoteLockout)
  }
}
