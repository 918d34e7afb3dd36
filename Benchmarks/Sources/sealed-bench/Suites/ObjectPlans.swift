/// The suites over objects.
enum ObjectPlans {
  private static let engines = ["sealed", "sqlite", "sqlcipher"]

  static func objects(_ scale: Scale) -> SuitePlan {
    let items = scale == .full ? 200_000 : 20_000
    let reading = [
      "get", "fetch-all", "indexed-sorted-limit", "contains", "count", "children",
    ]
    return SuitePlan(
      name: "objects", engines: engines, templates: [.init(name: "objects")],
      workloads: [.init(name: "insert", operations: items)]
        + (reading + ["update", "delete", "compact", "open"]).map {
          .init(name: $0, template: "objects", operations: min(items, 100_000))
        }, itemCount: items)
  }

  static func durability(_ scale: Scale) -> SuitePlan {
    let saves = scale == .full ? 2000 : 500
    return SuitePlan(
      name: "durability", engines: ["sealed", "raw"],
      workloads: [
        .init(name: "durable-1", operations: saves, together: ["sealed", "raw"]),
        .init(name: "durable-8", operations: saves, together: ["sealed", "raw"]),
        .init(name: "append-1", engines: ["raw"], operations: saves),
      ])
  }

  /// Sizes by their names in workloads.
  private static func sizes(_ scale: Scale) -> [(name: String, count: Int)] {
    switch scale {
    case .small: [("1k", 1000), ("10k", 10_000), ("100k", 100_000)]
    case .full:
      [("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000), ("10M", 10_000_000)]
    }
  }

  static func growth(_ scale: Scale) -> SuitePlan {
    let sizes = sizes(scale)
    // After a crash a full log is read back, which the largest store shows no better.
    let crashed = sizes.filter { $0.count <= 1_000_000 }
    return SuitePlan(
      name: "growth", engines: ["sealed"],
      templates: sizes.map { .init(name: $0.name, itemCount: $0.count) }
        + crashed.map { .init(name: "killed-\($0.name)", itemCount: $0.count) },
      workloads: sizes.map { .init(name: "insert-\($0.name)", operations: 0, itemCount: $0.count) }
        + sizes.map {
          .init(
            name: "get-\($0.name)", template: $0.name, operations: 100_000, itemCount: $0.count)
        }
        + sizes.map {
          .init(name: "open-\($0.name)", template: $0.name, operations: 1, itemCount: $0.count)
        }
        + crashed.map {
          .init(
            name: "open-killed-\($0.name)", template: "killed-\($0.name)", operations: 1,
            itemCount: $0.count)
        }, rounds: scale == .full ? 1 : 3)
  }

  static func memory(_ scale: Scale) -> SuitePlan {
    let large = sizes(scale).last { $0.count <= 1_000_000 } ?? ("10k", 10_000)
    return SuitePlan(
      name: "memory", engines: engines,
      templates: [
        .init(name: "empty", itemCount: 0), .init(name: "large", itemCount: large.count),
      ],
      workloads: [
        .init(name: "open-empty", template: "empty", operations: 1, itemCount: 0),
        .init(
          name: "enumerate-\(large.name)", template: "large", operations: 1,
          itemCount: large.count),
      ], cache: 64 << 20)
  }
}
