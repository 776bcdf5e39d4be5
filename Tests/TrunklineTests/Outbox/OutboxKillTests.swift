import Foundation
import Testing
import Trunkline
import TrunklineTesting

@Suite struct OutboxKillTests {
    private static let lanes = 5
    private static let count = 100

    /// What the server has done, by idempotency key.
    private struct Applied: Sendable {
        var order: [[Int]] = Array(repeating: [], count: lanes)
        var keys: Set<String> = []
        var faults: [String] = []
        var requests = 0
        var repeats = 0
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
            if luck == 0 { return 503 }
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
        let kills = max(3, FuzzRounds.count(full: 50))
        let url = "http://127.0.0.1:\(server.port)"
        let done = try await HeavyWork.run { () -> (kills: Int, status: Int32) in
            var random = SeededRandom(seed: UInt64(kills))
            var made = 0
            while true {
                let process = Process()
                process.executableURL = tool
                process.arguments = [directory.url.path, url, "\(Self.lanes)", "\(Self.count)"]
                process.standardOutput = FileHandle.nullDevice
                try ChildProcess.launch(process)
                if made < kills {
                    // After some progress, at a moment of chance.
                    let goal = applied.current.requests + random.below(2 * Self.lanes * Self.count / (3 * kills))
                    _ = waitUntil { applied.current.requests >= goal || !process.isRunning }
                    usleep(UInt32(random.below(20_000)))
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                    if process.terminationReason == .uncaughtSignal { made += 1 }
                    // Quicker than the kills: enough of them were made all the same.
                    if process.terminationReason == .exit, made >= 3 { return (made, process.terminationStatus) }
                    continue
                }
                let ended = waitUntil(within: .seconds(120)) { !process.isRunning }
                if !ended { kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
                return (made, process.terminationStatus)
            }
        }
        server.stop()
        let result = applied.current
        #expect(done.status == 0 && done.kills >= 3 && result.faults.isEmpty, "\(result.faults)")
        for lane in 0..<Self.lanes { #expect(result.order[lane] == Array(0..<Self.count)) }
        #expect(result.keys.count == Self.lanes * Self.count && result.repeats > 0)
        #expect(directory.names.isEmpty)
        for lane in 0..<Self.lanes { try? FileManager.default.removeItem(atPath: directory.url.path + ".lane\(lane)") }
    }
}
