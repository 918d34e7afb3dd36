internal import Foundation
internal import SealedStore

/// A store named on the command line, and what unlocks it.
struct StoreAccess {
  let path: String
  private let command: String
  private let keyFile: String?
  private let vault: String?

  init(_ words: [String], command: String) throws(UsageError) {
    let arguments = try Arguments(
      words, command: command, flags: [], values: ["--key-file", "--vault"])
    guard arguments.operands.count == 1, let path = arguments.operands.first else {
      throw UsageError("name one store", command: command)
    }
    self.path = path
    self.command = command
    keyFile = arguments.value("--key-file")
    vault = arguments.value("--vault")
    if keyFile != nil, vault != nil {
      throw UsageError("a store is unlocked by --key-file or --vault, not both", command: command)
    }
  }

  /// Opens the store for reading alone.
  func open() throws -> LogStore {
    var options = OpenOptions()
    options.creation = .never
    options.access = .readOnly
    return try LogStore.open(path: path, unlock: credential(), options: options)
  }

  private func credential() throws -> Credential {
    if let keyFile { return .rawKey(try Self.key(in: keyFile, command: command)) }
    if let vault {
      let runtime = SecureRuntime()
      try runtime.authorize(vault: vault, passphrase: passphrase("Passphrase of the vault: "))
      return runtime.credential
    }
    return .passphrase(try passphrase("Passphrase of the store: "))
  }

  private func passphrase(_ prompt: String) throws(UsageError) -> SecretBytes {
    guard let line = Console.readHidden(prompt), !line.isEmpty else {
      throw UsageError("there is no passphrase to read", command: command)
    }
    return SecretBytes(Array(line.precomposedStringWithCanonicalMapping.utf8))
  }

  /// A key of 32 bytes, as they are or in hexadecimal digits.
  private static func key(in file: String, command: String) throws -> SecretBytes {
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw UsageError("the key file \(file) can't be read", command: command)
    }
    if data.count == 32 { return SecretBytes(Array(data)) }
    let digits = data.filter { !Character(UnicodeScalar($0)).isWhitespace }
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64, values.count == 64 else {
      throw UsageError(
        "the key file \(file) holds neither 32 bytes nor 64 hexadecimal digits", command: command)
    }
    return SecretBytes(
      stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }
}
