internal import Foundation

/// Tests that take minutes, behind `SEALED_LONG_TESTS=1`.
public enum LongTests {
  /// Whether they were asked for.
  public static let areEnabled = ProcessInfo.processInfo.environment["SEALED_LONG_TESTS"] == "1"
}
