import Foundation

/// The machine that measures, in words.
enum Machine {
  static var description: String {
    let processor = first("model name", in: "/proc/cpuinfo") ?? "unknown processor"
    let memory = ProcessInfo.processInfo.physicalMemory >> 30
    let date = ISO8601DateFormatter.string(
      from: Date(), timeZone: .gmt, formatOptions: [.withFullDate])
    return "\(date), \(processor), \(ProcessInfo.processInfo.activeProcessorCount) processors, "
      + "\(memory) GiB, \(ProcessInfo.processInfo.operatingSystemVersionString)"
  }

  private static func first(_ label: String, in path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first { $0.hasPrefix(label) }
      .flatMap { $0.split(separator: ":").last }.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
  }
}
