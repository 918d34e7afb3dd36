internal import SealedStore

/// The command-line tool: picks the command, and turns errors into messages and exit codes.
enum Tool {
  /// What the process ends with.
  enum Exit: Int32 {
    case success = 0
    /// Something is wrong with the store, or an answer was.
    case failure = 1
    /// The command line makes no sense (`EX_USAGE`).
    case usage = 64
  }

  static func run(_ words: [String]) -> Exit {
    guard let name = words.first else {
      Console.error(HelpText.overview)
      return .usage
    }
    let rest = Array(words.dropFirst())
    do {
      switch name {
      case "--help", "-h", "help":
        Console.print(HelpText.text(for: rest.first))
        return .success
      case "--version":
        Console.print("sealed 0.1.0, AES-GCM by \(CryptoModule.status.kernel)")
        return .success
      case "tour", "info", "verify":
        if rest.contains("--help") || rest.contains("-h") {
          Console.print(HelpText.text(for: name))
          return .success
        }
        return try runCommand(name, rest)
      default:
        throw UsageError("there is no command \"\(name)\"", command: nil)
      }
    } catch let error as UsageError {
      let command = error.command.map { " \($0)" } ?? ""
      Console.error("sealed: \(error.message)\nSee `sealed\(command) --help`.")
      return .usage
    } catch {
      Console.error("sealed: \(error)")
      return .failure
    }
  }

  private static func runCommand(_ name: String, _ words: [String]) throws -> Exit {
    switch name {
    case "tour":
      let options = try Arguments(words, command: name, flags: ["--keep"], values: ["--data"])
      guard options.operands.isEmpty else {
        throw UsageError("the tour takes no operand", command: name)
      }
      return try Tour(data: options.value("--data"), keeps: options.has("--keep")).run()
    case "info":
      return try InfoCommand.run(StoreAccess(words, command: name))
    default:
      return try VerifyCommand.run(StoreAccess(words, command: name))
    }
  }
}
