import Foundation

/// Published vectors, read from where they lie and never copied into the project.
enum VectorFiles {
  /// The directory of the vectors, or nil where this machine has none.
  static let directory: URL? = {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["SEALED_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? root.deletingLastPathComponent().appendingPathComponent("shared")
    let vectors = shared.appendingPathComponent("vectors")
    return FileManager.default.fileExists(atPath: vectors.path) ? vectors : nil
  }()

  /// The bytes of a file; nil, and a line that says so, where there are no vectors.
  static func data(_ name: String) throws -> Data? {
    guard let directory else {
      print("not run: \(name) (no published vectors; set SEALED_SHARED)")
      return nil
    }
    return try Data(contentsOf: directory.appendingPathComponent(name))
  }

  /// Says how many cases of a file ran.
  static func report(_ name: String, ran: Int, skipped: Int = 0) {
    let rest = skipped > 0 ? ", \(skipped) that do not fit left out" : ""
    print("\(name): \(ran) cases\(rest)")
  }
}

/// Bytes of hexadecimal digits; no bytes for anything else.
func hex(_ text: some StringProtocol) -> [UInt8] {
  var bytes = [UInt8]()
  bytes.reserveCapacity(text.utf8.count / 2)
  var pending: UInt8?
  for character in text.utf8 {
    let digit: UInt8
    switch character {
    case 48...57: digit = character - 48
    case 65...70: digit = character - 55
    case 97...102: digit = character - 87
    default: return []
    }
    if let high = pending {
      bytes.append(high << 4 | digit)
      pending = nil
    } else {
      pending = digit
    }
  }
  return bytes
}
