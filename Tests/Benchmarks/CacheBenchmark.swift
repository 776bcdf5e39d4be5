import Foundation
import TrunklineHTTP

/// Measures what an answer from the cache takes, by a session's `send`, beside a bare URLSession request for the same
/// content in the same run.
struct CacheBenchmark {
    /// What `--only` selects it by.
    static let name = "cache"

    /// One line of the table.
    struct Row: Codable {
        var what: String
        /// The median, in microseconds.
        var microseconds: Double
        /// How many times as fast as the bare URLSession.
        var ratio: Double
        /// How many times as fast it has to be.
        var goal: Double
    }

    private let server: BenchmarkServer
    private let count: Int

    /// - Parameter quick: whether a round does a part only.
    init(quick: Bool) throws {
        server = try BenchmarkServer(largeFile: false)
        count = quick ? 200 : 2_000
    }

    /// The figures for both tiers and both sizes. Rounds alternate, so that a busy moment of the machine meets all.
    func run() async throws -> [Row] {
        let directory = server.directory.appendingPathComponent("cache")
        let bare = URLSessionClient(connections: 1)
        let memory = SessionManager(cache: ResponseCache())
        // Nothing fits into its memory: every hit is one of the disk.
        let disk = SessionManager(
            cache: ResponseCache(
                memory: MemoryCacheStore(capacity: 0), disk: DiskCacheStore(directory: directory)))
        var rows: [Row] = []
        for (size, path) in [("1 KB", "/1k"), ("100 KB", "/100k")] {
            guard let url = URL(string: server.base + path) else { continue }
            let request = HTTPRequest(
                url: url, options: RequestOptions(cache: .cacheFirst(maxAge: .seconds(86_400))))
            for session in [memory, disk] {
                _ = try await session.send(request)
                await session.cache.flush()
            }
            var figures: [[Double]] = [[], [], []]
            for round in 0...9 {
                let first = try await time(count / 4) { _ = try await bare.get(url) }
                let second = try await time(count) { try await CacheBenchmark.hit(memory, request) }
                let third = try await time(count) { try await CacheBenchmark.hit(disk, request) }
                // The first round only warms up.
                if round > 0 {
                    for (index, figure) in [first, second, third].enumerated() { figures[index].append(figure) }
                }
            }
            let medians = figures.map { $0.sorted()[$0.count / 2] }
            let lines = [("bare URLSession", 1.0), ("memory hit", 40), ("disk hit", 10)]
            for ((what, goal), median) in zip(lines, medians) {
                rows.append(
                    Row(what: "\(size), \(what)", microseconds: median, ratio: medians[0] / median, goal: goal))
            }
        }
        return rows
    }

    private static func hit(_ session: SessionManager, _ request: HTTPRequest) async throws {
        let response = try await session.send(request)
        guard case .cache = response.source, response.data.count >= 1024 else {
            throw BenchmarkFailure(description: "an answer that is not the cache's")
        }
    }

    /// Microseconds a call.
    private func time(_ count: Int, _ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<count { try await work() }
        return (ContinuousClock.now - start).seconds * 1e6 / Double(count)
    }

    /// The table as text.
    static func text(_ rows: [Row]) -> String {
        var lines = ["Answers from the cache, through the whole pipeline"]
        for row in rows {
            let goal = row.goal > 1 ? String(format: "  (goal %.0fx)", row.goal) : ""
            lines.append(
                row.what.padding(toLength: 28, withPad: " ", startingAt: 0)
                    + String(format: "%9.2f us %8.1fx", row.microseconds, row.ratio) + goal)
        }
        return lines.joined(separator: "\n")
    }
}
