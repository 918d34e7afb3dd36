/// The words behind a command: flags, options with a value, and operands.
struct Arguments {
  private(set) var operands: [String] = []
  private var flags: Set<String> = []
  private var values: [String: String] = [:]

  /// - Parameters:
  ///   - flags: options that stand alone.
  ///   - values: options that a value follows, as the next word or behind `=`.
  init(
    _ words: [String], command: String, flags: Set<String>, values: Set<String>
  ) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      if flags.contains(word) {
        self.flags.insert(word)
      } else if let name = parts.first, values.contains(name) {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
          throw UsageError("\(name) needs a value", command: command)
        }
        self.values[name] = value
      } else if word == "--" {
        operands += rest
        rest = []
      } else if word.hasPrefix("-"), word != "-" {
        throw UsageError("there is no option \(word)", command: command)
      } else {
        operands.append(word)
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }
  func value(_ name: String) -> String? { values[name] }
}
