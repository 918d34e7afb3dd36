#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A value that one thread at a time works on.
///
/// `Mutex` would do, but the thread sanitizer doesn't see it on Linux, and what guards keys is worth
/// checking. Unchecked, as `value` is touched under the lock alone.
@safe final class Lock<Value>: @unchecked Sendable {
  private let handle: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    unsafe handle = .allocate(capacity: 1)
    unsafe handle.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(handle, nil)
    precondition(code == 0, "the system makes no lock (\(code))")
  }

  deinit {
    unsafe pthread_mutex_destroy(handle)
    unsafe handle.deallocate()
  }

  func withLock<R>(_ body: (inout Value) -> R) -> R {
    unsafe pthread_mutex_lock(handle)
    defer { unsafe pthread_mutex_unlock(handle) }
    return body(&value)
  }
}
