internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A thread that does one kind of background work whenever there is some.
///
/// Never one of Swift's cooperative pool: the work waits for the medium. With inline execution there
/// is no thread; the calls that make work do it.
final class Worker: Sendable {
  private let wish = Signal()
  private let ended = Signal()
  private let isStopping = Atomic<Bool>(false)
  private let isStarted = Atomic<Bool>(false)

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - interval: Milliseconds after which the work is tried unasked; nil for never.
  ///   - step: One piece of work; whether there may be more.
  func start(interval: Int? = nil, _ step: @escaping @Sendable () -> Bool) {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let body = ThreadBody { [self] in
      while true {
        if let interval { _ = wish.wait(milliseconds: interval) } else { wish.wait() }
        while !isStopping.load(ordering: .acquiring), step() {}
        if isStopping.load(ordering: .acquiring) { break }
      }
      ended.raise()
    }
    if !body.run() {
      // Without a thread the work is done where it is asked for.
      isStarted.store(false, ordering: .releasing)
    }
  }

  var isRunning: Bool { isStarted.load(ordering: .acquiring) }

  /// Says that there is work.
  func wake() { if isRunning { wish.raise() } }

  /// Ends the thread after its present step, and waits for that.
  func stop() {
    guard isRunning else { return }
    isStopping.store(true, ordering: .releasing)
    wish.raise()
    ended.wait()
    isStarted.store(false, ordering: .releasing)
    isStopping.store(false, ordering: .releasing)
  }
}

/// A closure on its way into a new thread.
private final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Starts a detached thread that runs the closure; false where the system has none to give.
  func run() -> Bool {
    let argument = unsafe Unmanaged.passRetained(self)
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = unsafe pthread_create(&thread, &attributes, threadMain, argument.toOpaque())
    #else
      var thread = pthread_t()
      let result = unsafe pthread_create(&thread, &attributes, threadMain, argument.toOpaque())
    #endif
    if result != 0 { unsafe argument.release() }
    return result == 0
  }

  func call() { body() }
}

#if canImport(Darwin)
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().call()
    return nil
  }
#else
  private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument = unsafe argument {
      unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().call()
    }
    return nil
  }
#endif
