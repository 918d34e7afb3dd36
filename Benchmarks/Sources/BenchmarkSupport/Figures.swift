internal import Foundation

/// Numbers as people read them: three digits that count.
public enum Figures {
  /// A rate: `1.23 M`, `45.6 k`, `789`.
  public static func rate(_ value: Double) -> String {
    switch value {
    case 999_500...: digits(value / 1_000_000) + " M"
    case 999.5...: digits(value / 1000) + " k"
    default: digits(value)
    }
  }

  /// Bytes: `1.23 GB`, `45.6 MB`, `7.89 kB`.
  public static func bytes(_ count: Int) -> String {
    let value = Double(count)
    return switch count {
    case 999_500_000...: digits(value / 1_000_000_000) + " GB"
    case 999_500...: digits(value / 1_000_000) + " MB"
    case 1000...: digits(value / 1000) + " kB"
    default: "\(count) B"
    }
  }

  /// Three digits that count, without an exponent.
  public static func digits(_ value: Double) -> String {
    switch value {
    case 99.95...: String(format: "%.0f", value)
    case 9.995...: String(format: "%.1f", value)
    default: String(format: "%.2f", value)
    }
  }
}
