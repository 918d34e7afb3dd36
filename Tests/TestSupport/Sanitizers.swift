#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The sanitizers that this process was built with.
public enum Sanitizers {
  /// Whether there is any. They make `mlock` do nothing, among other things.
  public static let areOn: Bool = ["__asan_init", "__tsan_init"].contains { (name: String) in
    unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) != nil
  }
}
