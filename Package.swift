// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same strictness; warnings become errors in CI.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Cryptography stays optimised in debug builds: unoptimised it is a hundred times slower, which
/// would make an app's debug build unusable. As a whole module, for its small vector operations lie in
/// files of their own; with a number of threads the compiler still writes an object a file, which the
/// package manager's debug builds expect.
let optimized: [SwiftSetting] = [
  .unsafeFlags(
    ["-O", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "1"],
    .when(configuration: .debug))
]

/// The kernels for x86-64. Only these targets are built for instructions that not every processor
/// has; each is entered after asking the processor (see X86Features).
func kernel(_ features: [String]) -> [SwiftSetting] {
  strict + optimized + [
    .enableExperimentalFeature("BuiltinModule"),
    .unsafeFlags(
      features.flatMap { ["-Xcc", "-m\($0)"] }, .when(platforms: [.linux, .macOS])),
  ]
}

let package = Package(
  name: "SealedStore",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "SealedStore", targets: ["SealedStore"]),
    .library(name: "SealedLog", targets: ["SealedLog"]),
    .library(name: "SealedCrypto", targets: ["SealedCrypto"]),
    .library(name: "DynamicsNames", targets: ["DynamicsNames"]),
    .executable(name: "sealed", targets: ["sealed"]),
  ],
  targets: [
    .target(
      name: "SealedCryptoX86Wide",
      swiftSettings: kernel([
        "aes", "pclmul", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "avx512dq",
      ])),
    .target(
      name: "SealedCryptoX86Wide256",
      swiftSettings: kernel(["aes", "pclmul", "vaes", "vpclmulqdq", "avx2"])),
    .target(
      name: "SealedCryptoX86", dependencies: ["SealedCryptoX86Wide", "SealedCryptoX86Wide256"],
      swiftSettings: kernel(["aes", "pclmul", "sha", "ssse3", "sse4.1", "xsave"])),
    .target(
      name: "SealedCrypto", dependencies: ["SealedCryptoX86", "SealedCryptoX86Wide256"],
      swiftSettings: strict + optimized + [.enableExperimentalFeature("BuiltinModule")]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"]), .brew(["zlib"])]),
    .target(name: "SealedFiles", swiftSettings: strict),
    .target(
      name: "SealedLog", dependencies: ["CZlib", "SealedCrypto", "SealedFiles"],
      swiftSettings: strict + [.enableExperimentalFeature("BuiltinModule")]),
    .target(
      name: "SealedModel", dependencies: ["SealedCrypto", "SealedLog"], swiftSettings: strict),
    .target(
      name: "SealedRuntime", dependencies: ["SealedCrypto", "SealedFiles", "SealedLog"],
      swiftSettings: strict),
    .target(
      name: "SealedStore",
      dependencies: ["SealedCrypto", "SealedLog", "SealedModel", "SealedRuntime"],
      swiftSettings: strict),
    .target(
      name: "DynamicsNames", dependencies: ["SealedRuntime", "SealedStore"],
      swiftSettings: strict),
    .executableTarget(name: "sealed", dependencies: ["SealedStore"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["SealedFiles"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "ConstantTimeCheck", dependencies: ["SealedCrypto"], path: "Tests/ConstantTimeCheck",
      swiftSettings: strict),
    .executableTarget(
      name: "CryptoProbe", dependencies: ["SealedCrypto"], path: "Tests/CryptoProbe",
      swiftSettings: strict),
    .testTarget(
      name: "SealedCryptoTests", dependencies: ["CryptoProbe", "SealedCrypto", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SealedFilesTests", dependencies: ["SealedFiles", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SealedLogTests", dependencies: ["SealedLog", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SealedModelTests",
      dependencies: ["SealedCrypto", "SealedLog", "SealedModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SealedRuntimeTests",
      dependencies: ["SealedCrypto", "SealedFiles", "SealedLog", "SealedRuntime", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SealedStoreTests",
      dependencies: ["SealedStore", "SealedRuntime", "DynamicsNames", "TestSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "KillWriter", dependencies: ["SealedStore"], path: "Tests/KillWriter",
      swiftSettings: strict),
    .testTarget(
      name: "SealedToolTests",
      dependencies: ["KillWriter", "sealed", "SealedStore", "TestSupport"],
      swiftSettings: strict),
  ]
)
