// swift-tools-version: 6.2
import PackageDescription

// Packages outside the library's, as users have them. OUTSIDE_URL is a clone tagged 0.1.0.
let url = Context.environment["OUTSIDE_URL"] ?? "../.."
let store: Target.Dependency = .product(name: "SealedStore", package: "SealedStore")

let package = Package(
  name: "Outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: url, exact: "0.1.0")],
  targets: [
    .executableTarget(name: "Outside", dependencies: [store]),
    .executableTarget(
      name: "Unreflected", dependencies: [store],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
  ]
)
