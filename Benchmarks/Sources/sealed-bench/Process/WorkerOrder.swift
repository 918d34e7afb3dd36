import Foundation

/// What a worker process is to measure: one workload, once.
struct WorkerOrder: Codable {
  var suite: String
  var workload: String
  /// One, or those that share the process and take turns in it.
  var engines: [String]
  /// Where the engine's store is, or is to be made; of the worker alone.
  var directory: String
  /// Keys, records or objects that the store holds.
  var itemCount: Int
  /// Operations of the measured part.
  var operationCount: Int
  /// Bytes of the cache of blocks or pages.
  var cache: Int
  /// The round's seed: the same for every engine.
  var seed: UInt64
  /// The folder of this package, where the interpreter of `openssl-newest` is.
  var helper = ""

  /// The engine, where there is one.
  var engine: String { engines.first ?? "" }

  func encoded() throws -> String {
    String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  static func decoded(_ text: String) throws -> WorkerOrder {
    try JSONDecoder().decode(WorkerOrder.self, from: Data(text.utf8))
  }
}
