import Foundation
import Testing
import Trunkline
import TrunklineTesting

@Suite struct OutboxKillTests {
    private static let lanes = 5
    private static let count = 100
    private static let total = lanes * count
    /// How many mutations the server applies beyond the moment that a kill is due at, before it has been made. The probe
    /// enqueues as fast as they are applied, so both go on for as long as the kills.
    private static let lead = 8

    /// What the server has done, by idempotency key.
    private struct Applied: Sendable {
        var order: [[Int]] = Array(repeating: [], count: lanes)
        var keys: Set<String> = []
        var faults: [String] = []
        var requests = 0
        var repeats = 0
        /// No more are applied for now.
        var limit = Int.max
        var random = SeededRandom(seed: 5)

        /// Gives the status to answer with.
        mutating func handle(lane: Int, number: Int, key: String, text: String) -> Int {
            requests += 1
            guard order.indices.contains(lane), key == "\(lane)-\(number)", text == "mutation \(number) of \(lane)"
            else {
                faults.append("\(lane)/\(number) \(key) \(text)")
                return 400
            }
            let luck = random.below(20)
            // Refused for now, and not applied.
            if luck == 0 || keys.count >= limit { return 503 }
            if keys.insert(key).inserted { order[lane].append(number) } else { repeats += 1 }
            // Applied, but the client does not hear of it.
            return luck == 1 ? 500 : 200
        }
    }

    @Test func `Killed at any moment, each mutation is applied once and in order Fuzz`() async throws {
        let tool = try #require(ChildProcess.tool("OutboxProbe"))
        let directory = OutboxDirectory()
        let applied = Protected(Applied())
        let server = try LoopbackServer()
        server.recordsRequests = false
        server.route(.post, "/{lane}/{number}") { request in
            let status = applied.withLock {
                $0.handle(
                    lane: Int(request["lane"] ?? "") ?? -1, number: Int(request["number"] ?? "") ?? -1,
                    key: request.headers["Idempotency-Key"] ?? "", text: request.text)
            }
            return .status(status)
        }
        let kills = min(200, max(3, FuzzRounds.count(full: 50)))
        let arguments = [
            directory.url.path, "http://127.0.0.1:\(server.port)", "\(Self.lanes)", "\(Self.count)", "\(3 * Self.lead)",
        ]
        let done = try await HeavyWork.run { () -> (kills: Int, status: Int32, early: Int) in
            var random = SeededRandom(seed: UInt64(kills))
            // Moments of chance, over all the time in which mutations are sent.
            let moments = (0..<kills).map { _ in random.below(Self.total - 2 * Self.lead) }.sorted()
            var (made, early) = (0, 0)
            for moment in moments {
                applied.withLock { $0.limit = max(moment, $0.keys.count) + Self.lead }
                let process = try Self.start(tool, arguments)
                let before = applied.current.requests
                let isDue = waitUntil {
                    !process.isRunning || applied.current.keys.count >= moment && applied.current.requests > before
                }
                usleep(UInt32(random.below(20_000)))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                if isDue, process.terminationReason == .uncaughtSignal { made += 1 }
                if Self.enqueued(directory) < Self.total { early += 1 }
            }
            applied.withLock { $0.limit = .max }
            let process = try Self.start(tool, arguments)
            let ended = waitUntil(within: .seconds(120)) { !process.isRunning }
            if !ended { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            return (made, process.terminationStatus, early)
        }
        server.stop()
        let result = applied.current
        #expect(done.status == 0 && done.kills == kills && result.faults.isEmpty, "\(done) \(result.faults)")
        // Most of them came while mutations were still being enqueued too.
        #expect(done.early * 4 >= kills * 3 && Self.enqueued(directory) == Self.total, "\(done)")
        for lane in 0..<Self.lanes { #expect(result.order[lane] == Array(0..<Self.count)) }
        #expect(result.keys.count == Self.total && result.repeats > 0)
        #expect(directory.names.isEmpty)
        for lane in 0..<Self.lanes { try? FileManager.default.removeItem(atPath: directory.url.path + ".lane\(lane)") }
    }

    private static func start(_ tool: URL, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try ChildProcess.launch(process)
        return process
    }

    /// How many mutations the probe has been promised to be kept.
    private static func enqueued(_ directory: OutboxDirectory) -> Int {
        (0..<lanes).reduce(0) { sum, lane in
            let attributes = try? FileManager.default.attributesOfItem(atPath: directory.url.path + ".lane\(lane)")
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
