#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A flag that one thread waits for and others raise: a binary semaphore.
@safe final class Signal: @unchecked Sendable {
  // `isRaised` is guarded by `mutex`; the pthread objects are made for sharing.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isRaised = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(condition)
    unsafe mutex.deallocate()
    unsafe condition.deallocate()
  }

  /// Waits until the flag is raised, and lowers it.
  func wait() {
    unsafe pthread_mutex_lock(mutex)
    while !isRaised { unsafe pthread_cond_wait(condition, mutex) }
    isRaised = false
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits at most the given time; whether the flag was raised.
  func wait(milliseconds: Int) -> Bool {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + (milliseconds % 1000) * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    while !isRaised {
      if unsafe pthread_cond_timedwait(condition, mutex, &deadline) != 0 { break }
    }
    let wasRaised = isRaised
    isRaised = false
    unsafe pthread_mutex_unlock(mutex)
    return wasRaised
  }

  func raise() {
    unsafe pthread_mutex_lock(mutex)
    isRaised = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }
}
