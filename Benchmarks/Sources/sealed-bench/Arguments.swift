import Foundation

/// What the person who starts a run asks for.
struct Arguments {
  var suite = ""
  var scale = Scale.small
  var peers: [String]?
  var only: [String]?
  var rounds: Int?
  var json: String?
  var svg: String?
  var directory = FileManager.default.currentDirectoryPath + "/.build/sealed-bench-stores"
  var helper = FileManager.default.currentDirectoryPath + "/Benchmarks"

  static let usage = """
    usage: sealed-bench --suite NAME [--scale small|full] [--peers a,b] [--only WORKLOAD,…]
                        [--rounds N] [--json FILE] [--svg DIR] [--dir DIR]

    suites: \(SuiteCatalog.names.joined(separator: ", "))
    --peers   only these beside SealedStore; "--peers ''" for it alone
    --only    only workloads of these names, or whose names begin so: readrandom for
              readrandom-a and readrandom-b; with a peer alone, SealedStore runs beside it
    --dir     where stores are made, on the medium that is to be measured
    """

  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw BenchmarkError("\(word) needs a value\n\n\(Self.usage)")
      }
      try take(word, value)
    }
    guard !suite.isEmpty else { throw BenchmarkError(Self.usage) }
  }

  private mutating func take(_ word: String, _ value: String) throws {
    let list = value.split(separator: ",").map(String.init)
    switch word {
    case "--suite": suite = value
    case "--peers": peers = list
    case "--only": only = list
    case "--json": json = value
    case "--svg": svg = value
    case "--dir": directory = value
    case "--helper": helper = value
    case "--scale":
      guard let scale = Scale(rawValue: value) else {
        throw BenchmarkError("--scale is small or full, not \(value)")
      }
      self.scale = scale
    case "--rounds":
      guard let rounds = Int(value), rounds > 0 else {
        throw BenchmarkError("--rounds is a number from 1, not \(value)")
      }
      self.rounds = rounds
    default: throw BenchmarkError("\(word) isn't known\n\n\(Self.usage)")
    }
  }
}
