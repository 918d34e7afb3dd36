#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Nanoseconds of the monotonic clock.
public func nanoseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Nanoseconds that the calling thread ran.
public func threadNanoseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Sleeps until a time of `nanoseconds()`.
public func sleep(untilNanoseconds deadline: UInt64) {
  let now = nanoseconds()
  guard deadline > now else { return }
  let rest = deadline - now
  var wish = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
  unsafe nanosleep(&wish, nil)
}
