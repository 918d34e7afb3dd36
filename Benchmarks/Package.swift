// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library never links what it is compared with. The peers are
// opened at run time (dlopen) by the process that measures one of them; only their headers are
// needed to build. `./setup` installs both.

let upcoming: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SealedStore", path: "..")],
  targets: [
    .target(name: "CPeers"),
    .target(name: "BenchmarkSupport", swiftSettings: upcoming + [.strictMemorySafety()]),
    // Without strict memory safety: from end to end it calls C through raw pointers.
    .executableTarget(
      name: "sealed-bench",
      dependencies: [
        "BenchmarkSupport", "CPeers",
        .product(name: "SealedCrypto", package: "SealedStore"),
        .product(name: "SealedLog", package: "SealedStore"),
        .product(name: "SealedStore", package: "SealedStore"),
      ],
      swiftSettings: upcoming),
    .testTarget(
      name: "BenchmarkSupportTests", dependencies: ["BenchmarkSupport"],
      swiftSettings: upcoming + [.strictMemorySafety()]),
  ]
)
