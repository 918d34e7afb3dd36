/// Figures as people read them.
enum Format {
  /// Bytes, in units of 1,024.
  static func bytes(_ count: UInt64) -> String {
    var value = Double(count)
    var unit = "B"
    for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    return unit == "B" ? "\(count) B" : "\(decimal(value)) \(unit)"
  }

  static func milliseconds(_ duration: Duration) -> String {
    let parts = duration.components
    let value = Double(parts.seconds) * 1e3 + Double(parts.attoseconds) / 1e15
    return "\(decimal(value)) ms"
  }

  /// A figure with one digit behind the point.
  static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// A text filled up with blanks on the right.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
