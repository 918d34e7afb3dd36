import Foundation
import Synchronization
import Testing

/// Threads of a test's own, all joined before it goes on.
public enum Threads {
  /// Runs `body` on several threads at once, with each one's number; an error is a failure.
  public static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let failures = Mutex<[any Error]>([])
    DispatchQueue.concurrentPerform(iterations: count) { number in
      do { try body(number) } catch { failures.withLock { $0.append(error) } }
    }
    for failure in failures.withLock({ $0 }) { Issue.record(failure) }
  }
}
