import Foundation

/// Versions that no function of a library tells.
enum Versions {
  /// The product's: the commit that it was built from, where the script said so.
  static var product: String {
    ProcessInfo.processInfo.environment["SEALED_BENCH_COMMIT"] ?? "as built"
  }

  /// What stands behind `.so.` in the file name of a library that this process has mapped.
  static func mapped(_ library: String) -> String {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
      let found = maps.split(separator: "\n").first(where: { $0.contains("/\(library).so.") }),
      let range = found.range(of: "\(library).so.")
    else { return "?" }
    return String(found[range.upperBound...])
  }
}
