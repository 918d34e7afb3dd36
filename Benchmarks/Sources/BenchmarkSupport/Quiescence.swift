internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Waits until an engine's own threads have nothing left to do: the same test for every engine,
/// whatever it tells about itself.
public enum Quiescence {
  /// How long all other threads must have rested, in nanoseconds.
  static let rest: UInt64 = 40_000_000

  /// Waits until for 40 ms no other thread of this process ran or waited for the medium, and
  /// `isBusy` was false.
  ///
  /// - Returns: When the work ended: the last time that something was seen to work.
  public static func wait(isBusy: () -> Bool) -> UInt64 {
    let own = ownThread
    var last = otherThreads(than: own)
    var lastBusy = nanoseconds()
    while true {
      usleep(1000)
      let now = nanoseconds()
      let current = otherThreads(than: own)
      // Threads that only wake up to look for work take some microseconds.
      let ran = current.runtime > last.runtime + 100_000
      if ran || current.isActive || isBusy() { lastBusy = now }
      if now - lastBusy >= rest { return lastBusy }
      last = current
    }
  }

  /// The main thread's number is the process's: measuring is done on the main thread.
  private static var ownThread: String { String(getpid()) }

  private static func otherThreads(than own: String) -> (runtime: UInt64, isActive: Bool) {
    var runtime: UInt64 = 0
    var isActive = false
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for name in names where name != own {
      if let figures = ProcessFigures.contents("/proc/self/task/\(name)/schedstat") {
        runtime += figures.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
      }
      if let stat = ProcessFigures.contents("/proc/self/task/\(name)/stat"),
        let end = stat.lastIndex(of: ")")
      {
        let state = stat[stat.index(after: end)...].split(separator: " ").first
        if state == "R" || state == "D" { isActive = true }
      }
    }
    return (runtime, isActive)
  }
}
