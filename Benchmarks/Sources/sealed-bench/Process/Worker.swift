import BenchmarkSupport
import Foundation

/// The child process's side: measures what it is ordered to and prints one line of JSON.
enum Worker {
  static func run(_ text: String) throws {
    let order = try WorkerOrder.decoded(text)
    let results =
      switch order.suite {
      case "kv", "kv-large", "ycsb": [order.engine: try keyValue(order)]
      case "objects", "growth", "memory": [order.engine: try objects(order)]
      case "durability": try DurabilityWorker(order).run()
      case "crypto": try CryptoWorker(order).run()
      default: throw BenchmarkError("no worker serves the suite \(order.suite)")
      }
    try WorkerProcess.print(results)
  }

  private static func objects(_ order: WorkerOrder) throws -> RunResult {
    switch order.engine {
    case "sealed": try ObjectWorker<SealedObjectEngine>(order).run()
    case "sqlite": try ObjectWorker<SQLObjectEngine>(order).run()
    case "sqlcipher": try ObjectWorker<SQLCipherObjectEngine>(order).run()
    default: throw BenchmarkError("no object engine is called \(order.engine)")
    }
  }

  private static func keyValue(_ order: WorkerOrder) throws -> RunResult {
    switch order.engine {
    case "sealed": try KeyValueWorker<SealedEngine>(order).run()
    case "leveldb": try KeyValueWorker<LevelDBEngine>(order).run()
    case "rocksdb": try KeyValueWorker<RocksDBEngine>(order).run()
    case "lmdb": try KeyValueWorker<LMDBEngine>(order).run()
    case "sqlite": try KeyValueWorker<SQLEngine>(order).run()
    case "sqlcipher": try KeyValueWorker<SQLCipherEngine>(order).run()
    default: throw BenchmarkError("no key-value engine is called \(order.engine)")
    }
  }
}
