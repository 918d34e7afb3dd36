/// How much a run measures.
enum Scale: String, CaseIterable {
  case small, full
}

/// What a suite measures on what: the same for every engine.
struct SuitePlan {
  /// One workload.
  struct Workload {
    let name: String
    /// The prepared store that every run of it gets a copy of; nil where it makes its own.
    var template: String?
    /// Engines that run it; nil for all of the suite.
    var engines: [String]?
    /// Operations of the measured part.
    var operations: Int
    /// Items of the store; nil for the suite's number.
    var itemCount: Int?
    /// Whether slow engines run it in one round of three.
    var isRareForSlow = false
    /// Engines that share a process and take turns in it; the others have one each.
    var together: Set<String> = []
    /// Variables of the worker's environment.
    var environment: [String: String] = [:]
  }

  /// A store made once, before the rounds.
  struct Template {
    let name: String
    /// The template that it is made from; nil from nothing.
    var base: String?
    /// Items of the store; nil for the suite's number.
    var itemCount: Int?
    /// Engines that have it; nil for all.
    var engines: [String]?
  }

  let name: String
  let engines: [String]
  var slowEngines: Set<String> = []
  var templates: [Template] = []
  let workloads: [Workload]
  /// Keys, records or objects.
  var itemCount = 0
  var cache = 256 << 20
  /// Rounds where none are asked for.
  var rounds = 3
}
