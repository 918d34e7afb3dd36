internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the tool writes, and the passphrase it reads.
enum Console {
  /// Whether a person looks at standard output.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  static func error(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// Writes over the line before, on a terminal; elsewhere nothing.
  static func overwrite(_ line: String) {
    guard isTerminal else { return }
    FileHandle.standardOutput.write(Data(("\r\u{1b}[K" + line).utf8))
  }

  /// Reads a line from standard input, without showing it where that is a terminal.
  ///
  /// - Returns: nil where there is nothing to read.
  static func readHidden(_ prompt: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    FileHandle.standardError.write(Data(prompt.utf8))
    var saved = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &saved) == 0 else { return readLine() }
    var hidden = saved
    hidden.c_lflag &= ~tcflag_t(ECHO)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    return readLine()
  }
}
