// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Trunkline",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Trunkline", targets: ["Trunkline"]),
        .library(name: "TrunklineHTTP", targets: ["TrunklineHTTP"]),
        .library(name: "TrunklineTesting", targets: ["TrunklineTesting", "TrunklineManagerTesting"]),
        .library(name: "TrunklineInspector", targets: ["TrunklineInspector"]),
    ],
    targets: [
        // Opens the system's libcurl and zlib at run time; no header or development package is needed.
        .target(name: "CTrunklineCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "TrunklineHTTP", dependencies: ["CTrunklineCurl"]),
        .target(name: "Trunkline", dependencies: ["TrunklineHTTP"]),
        .target(name: "TrunklineTesting", dependencies: ["TrunklineHTTP"]),
        .target(name: "TrunklineManagerTesting", dependencies: ["Trunkline", "TrunklineTesting"]),
        // For debug builds: shows a session's requests in a browser.
        .target(name: "TrunklineInspector", dependencies: ["TrunklineHTTP", "TrunklineTesting"]),

        // How the samples print.
        .target(name: "SampleTerminal", path: "Samples/Terminal"),
        .executableTarget(
            name: "BookShelf", dependencies: ["SampleTerminal", "Trunkline", "TrunklineTesting"],
            path: "Samples/BookShelf"),
        .executableTarget(
            name: "Dashboard", dependencies: ["SampleTerminal", "Trunkline", "TrunklineTesting"],
            path: "Samples/Dashboard"),
        .executableTarget(
            name: "Posts", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/Posts"),
        .executableTarget(
            name: "Films", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/Films"),
        .executableTarget(
            name: "TopAlbums", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Samples/TopAlbums"),

        .executableTarget(
            name: "Benchmarks", dependencies: ["TrunklineHTTP", "TrunklineTesting"], path: "Tests/Benchmarks"),

        // What the inspector shows to a browser in CI.
        .executableTarget(
            name: "InspectorDemo", dependencies: ["TrunklineHTTP", "TrunklineInspector", "TrunklineTesting"],
            path: "Tests/Tools/InspectorDemo"),

        // The public suite of cases for HTTP caches, run against a session.
        .executableTarget(
            name: "CacheConformance", dependencies: ["TrunklineHTTP", "TrunklineTesting"],
            path: "Tests/Tools/CacheConformance", exclude: ["Suite"]),

        // What the tests of all targets share.
        .target(
            name: "TestSupport", dependencies: ["CTestSetup", "TrunklineHTTP", "TrunklineTesting"],
            path: "Tests/TestSupport"),
        // How many tests run at a time.
        .target(name: "CTestSetup", path: "Tests/CTestSetup"),

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
        .testTarget(
            name: "TrunklineInspectorTests", dependencies: ["TrunklineInspector", "TrunklineTesting", "TestSupport"]),
        .testTarget(name: "TrunklineManagerTestingTests", dependencies: ["TrunklineManagerTesting"]),
        // Against servers of somebody else's, which `.ci/run` brings.
        .testTarget(
            name: "IntegrationTests", dependencies: ["TrunklineHTTP", "TrunklineTesting", "TestSupport"]),
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "BookShelf", "Dashboard", "Posts", "Films", "TopAlbums", "TrunklineTesting", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
