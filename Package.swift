// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Trunkline",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Trunkline", targets: ["Trunkline"]),
        .library(name: "TrunklineHTTP", targets: ["TrunklineHTTP"]),
        .library(name: "TrunklineTesting", targets: ["TrunklineTesting"]),
    ],
    targets: [
        // Opens the system's libcurl at run time; no header or development package is needed.
        .target(name: "CTrunklineCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "TrunklineHTTP", dependencies: ["CTrunklineCurl"]),
        .target(name: "Trunkline", dependencies: ["TrunklineHTTP"]),
        .target(name: "TrunklineTesting", dependencies: ["TrunklineHTTP"]),

        .executableTarget(
            name: "BookShelf", dependencies: ["Trunkline", "TrunklineTesting"], path: "Samples/BookShelf"),
        .executableTarget(
            name: "Posts", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/Posts"),
        .executableTarget(
            name: "Films", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/Films"),
        .executableTarget(
            name: "TopAlbums", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/TopAlbums"),

        // Launched by a test: what it prints must be the same in every process.
        .executableTarget(name: "EncodeOrder", dependencies: ["TrunklineHTTP"], path: "Tests/Tools/EncodeOrder"),

        .testTarget(name: "TrunklineHTTPTests", dependencies: ["TrunklineHTTP", "TrunklineTesting", "EncodeOrder"]),
        .testTarget(name: "TrunklineTests", dependencies: ["Trunkline", "TrunklineTesting"]),
        .testTarget(name: "TrunklineTestingTests", dependencies: ["TrunklineTesting"]),
        .testTarget(
            name: "SampleTests", dependencies: ["BookShelf", "Posts", "Films", "TopAlbums", "TrunklineTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
