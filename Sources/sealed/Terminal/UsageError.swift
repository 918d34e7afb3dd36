/// A command line that makes no sense.
struct UsageError: Error {
  let message: String
  /// The command whose help says more.
  let command: String?

  init(_ message: String, command: String?) {
    self.message = message
    self.command = command
  }
}
