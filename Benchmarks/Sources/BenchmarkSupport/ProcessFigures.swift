#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the kernel counted for this process.
public enum ProcessFigures {
  /// The most memory that was resident, in bytes, since `resetPeak` (or the start); nil where the
  /// system doesn't say.
  public static var peakResident: Int? {
    line("VmHWM:", in: "/proc/self/status").map { $0 * 1024 }
  }

  /// Begins a new measurement of `peakResident`; false where the system can't.
  @discardableResult
  public static func resetPeak() -> Bool {
    guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return false }
    let isWritten = unsafe fputs("5", file) >= 0
    return unsafe fclose(file) == 0 && isWritten
  }

  /// Bytes that the process had written to the device, all threads together: what it dirtied in the
  /// page cache counts once when it is dirtied.
  public static var writtenToDevice: Int? { line("write_bytes:", in: "/proc/self/io") }

  /// Seconds of processor time, all threads together.
  public static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func line(_ label: String, in path: String) -> Int? {
    guard let text = contents(path) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(label) {
      return line.dropFirst(label.count).split(whereSeparator: { !$0.isNumber }).first
        .flatMap { Int($0) }
    }
    return nil
  }

  static func contents(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
