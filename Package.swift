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
        // Opens the system's libcurl and zlib at run time; no header or development package is needed.
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

        .executableTarget(
            name: "Benchmarks", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Tests/Benchmarks"),

        // What the tests of all targets share.
        .target(name: "TestSupport", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Tests/TestSupport"),

        // Launched by tests: what the first prints must be the same in every process, the second measures a process, the
        // third is killed.
        .executableTarget(name: "EncodeOrder", dependencies: ["TrunklineHTTP"], path: "Tests/Tools/EncodeOrder"),
        .executableTarget(
            name: "ResourceProbe", dependencies: ["TestSupport", "TrunklineHTTP", "TrunklineTesting"],
            path: "Tests/Tools/ResourceProbe"),
        .executableTarget(
            name: "OutboxProbe", dependencies: ["Trunkline"], path: "Tests/Tools/OutboxProbe"),

        .testTarget(
            name: "TrunklineHTTPTests",
            dependencies: [
                "TrunklineHTTP", "TrunklineTesting", "TestSupport", "CTrunklineCurl", "EncodeOrder", "ResourceProbe",
            ]),
        .testTarget(
            name: "TrunklineTests", dependencies: ["Trunkline", "TrunklineTesting", "TestSupport", "OutboxProbe"]),
        .testTarget(
            name: "TrunklineTestingTests", dependencies: ["TrunklineTesting", "TestSupport", "ResourceProbe"]),
        // Against servers of somebody else's, which `.ci/run` brings.
        .testTarget(
            name: "IntegrationTests", dependencies: ["TrunklineHTTP", "TrunklineTesting", "TestSupport"]),
        .testTarget(
            name: "SampleTests",
            dependencies: ["BookShelf", "Posts", "Films", "TopAlbums", "TrunklineTesting", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
