import Foundation

/// Whether tests do all that they can, however long it takes (`SEALED_LONG_TESTS=1`).
public let isLongRun = ProcessInfo.processInfo.environment["SEALED_LONG_TESTS"] == "1"
