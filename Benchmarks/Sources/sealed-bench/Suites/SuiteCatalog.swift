/// All suites, by name.
enum SuiteCatalog {
  static let names = [
    "crypto", "kv", "kv-large", "ycsb", "objects", "blobs", "migration", "durability", "growth",
    "memory",
  ]

  static func plan(_ name: String, scale: Scale) throws -> SuitePlan {
    switch name {
    case "crypto": return CryptoPlan.plan(scale)
    case "kv": return keyValue(scale)
    case "kv-large":
      guard scale == .full else {
        throw BenchmarkError("kv-large has no small scale: it is about what no cache holds")
      }
      return keyValueLarge
    case "objects": return ObjectPlans.objects(scale)
    case "durability": return ObjectPlans.durability(scale)
    case "growth": return ObjectPlans.growth(scale)
    case "memory": return ObjectPlans.memory(scale)
    case "ycsb": return ycsb(scale)
    case _ where names.contains(name):
      throw BenchmarkError(
        "the suite \(name) has nothing to measure yet: the library has no \(missing(name))")
    default:
      throw BenchmarkError("no suite is called \(name); there are \(names.joined(separator: ", "))")
    }
  }

  private static func missing(_ name: String) -> String {
    name == "blobs" ? "blob files" : "migrations with code"
  }

  private static let keyValueEngines = [
    "sealed", "leveldb", "rocksdb", "lmdb", "sqlite", "sqlcipher",
  ]

  private static func keyValue(_ scale: Scale) -> SuitePlan {
    let items = scale == .full ? 1_000_000 : 50_000
    let reads = scale == .full ? 1_000_000 : 100_000
    // Slow engines write in one round of three; where all is to be quick, they read so too.
    let isQuick = scale == .small
    let writing = ["fillseq", "fillrandom"].map {
      SuitePlan.Workload(name: $0, operations: items, isRareForSlow: true)
    }
    let rewriting = ["overwrite", "deleterandom"].map {
      SuitePlan.Workload(name: $0, template: "a", operations: items, isRareForSlow: true)
    }
    let reading = [
      "readrandom", "readmissing", "multiget", "seekrandom", "readseq", "readreverse",
      "readwhilewriting",
    ].flatMap { name in
      ["a", "b"].map { (shape: String) in
        SuitePlan.Workload(
          name: "\(name)-\(shape)", template: shape, operations: reads,
          isRareForSlow: isQuick)
      }
    }
    return SuitePlan(
      name: "kv", engines: keyValueEngines, slowEngines: ["sqlite", "sqlcipher"],
      templates: [.init(name: "a"), .init(name: "b", base: "a")],
      workloads: writing + rewriting + reading, itemCount: items)
  }

  private static let keyValueLarge = SuitePlan(
    name: "kv-large", engines: ["sealed", "rocksdb", "sqlcipher"],
    templates: [.init(name: "large")],
    workloads: [
      .init(name: "readrandom-large", template: "large", operations: 500_000),
      .init(name: "readseq-cold", template: "large", operations: 10_000_000),
    ], itemCount: 10_000_000, cache: 128 << 20)

  private static func ycsb(_ scale: Scale) -> SuitePlan {
    SuitePlan(
      name: "ycsb", engines: keyValueEngines, slowEngines: ["sqlite", "sqlcipher"],
      templates: [.init(name: "load")],
      workloads: ["a", "b", "c", "d", "e", "f"].map { letter in
        let operations = scale == .full ? 500_000 : 20_000
        return .init(
          name: "ycsb-\(letter)", template: "load",
          operations: letter == "e" ? operations / 10 : operations,
          isRareForSlow: scale == .small)
      }, itemCount: scale == .full ? 500_000 : 20_000)
  }
}
