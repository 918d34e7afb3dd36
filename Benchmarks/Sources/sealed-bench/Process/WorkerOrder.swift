import Foundation

/// What a worker process is to measure: one workload on one engine, once.
struct WorkerOrder: Codable {
  var suite: String
  var workload: String
  var engine: String
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
  /// Shared library, interpreter or the like that the worker needs; empty for most.
  var helper = ""

  func encoded() throws -> String {
    String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  static func decoded(_ text: String) throws -> WorkerOrder {
    try JSONDecoder().decode(WorkerOrder.self, from: Data(text.utf8))
  }
}
