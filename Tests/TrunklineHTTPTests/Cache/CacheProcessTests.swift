import Foundation
import Testing

@testable import TrunklineHTTP

/// The cache in processes of its own: killed at any moment, measured, and on a full disk.
@Suite("Cache processes")
struct CacheProcessTests {
    private let scratch = ScratchDirectory()

    /// A child, and the pipe it says on that it has begun.
    private struct Child {
        var process: Process
        var output: Pipe
    }

    private func start(_ tool: URL, _ arguments: [String]) throws -> Child {
        let child = Child(process: Process(), output: ChildProcess.pipe())
        child.process.executableURL = tool
        child.process.arguments = arguments
        child.process.standardOutput = child.output
        try ChildProcess.launch(child.process)
        return child
    }

    @Test("Three processes read and write one directory and are killed at any moment: every entry served is whole")
    func killedFuzz() async throws {
        let tool = try #require(ChildProcess.tool("ResourceProbe"))
        let kills = FuzzRounds.isFull ? 200 : 15
        let path = scratch.url.path
        let outcome = try await HeavyWork.run {
            () -> (unexpected: [Int32], most: Int, last: [Int32], report: [String]) in
            var random = SeededRandom(seed: UInt64(kills))
            var children: [Child] = []
            var unexpected: [Int32] = []
            var most = 0
            func launch() throws {
                children.append(try start(tool, ["cache-hammer", path, "\(random.next() >> 8)", "1000000"]))
            }
            for _ in 0..<3 { try launch() }
            for _ in 0..<kills {
                let child = children.remove(at: random.below(children.count))
                // It has begun, and is somewhere in its work.
                _ = child.output.fileHandleForReading.availableData
                usleep(UInt32(random.below(60_000)))
                kill(child.process.processIdentifier, SIGKILL)
                child.process.waitUntilExit()
                if child.process.terminationReason != .uncaughtSignal {
                    unexpected.append(child.process.terminationStatus)
                }
                most = max(most, directoryBytes())
                try launch()
            }
            for child in children { kill(child.process.processIdentifier, SIGKILL) }
            for child in children { child.process.waitUntilExit() }
            // What was left must not stop those that come after.
            let last = try (0..<3).map { try start(tool, ["cache-hammer", path, "\($0)", "60"]) }
            for child in last {
                if !waitUntil(within: .seconds(120), { !child.process.isRunning }) {
                    kill(child.process.processIdentifier, SIGKILL)
                }
                child.process.waitUntilExit()
            }
            // Unfinished files this young may be somebody's who is about to lock them.
            usleep(2_200_000)
            return (
                unexpected, most, last.map(\.process.terminationStatus),
                try ChildProcess.lines(tool, ["cache-verify", path])
            )
        }
        #expect(outcome.unexpected.isEmpty && outcome.last == [0, 0, 0], "\(outcome)")
        var report: [String: Int] = [:]
        for line in outcome.report {
            let words = line.split(separator: " ")
            report[String(words[0])] = Int(words[1])
        }
        print("killed \(kills) times: \(report), at most \(outcome.most) bytes")
        let capacity = try #require(report["capacity"])
        #expect(report["sound"] == report["entries"] && report["sound"] ?? 0 > 0 && report["damaged"] == 0)
        #expect(report["bytes"] ?? .max <= capacity && directoryBytes() <= capacity)
        // While others are killed, what they left unfinished is over the bound for a moment.
        #expect(outcome.most <= capacity + capacity / 4)
        #expect(scratch.files.allSatisfy { !$0.contains("tmp-") })
    }

    private func directoryBytes() -> Int {
        var sum = 0
        for file in FileManager.default.enumerator(atPath: scratch.url.path)?.compactMap({ $0 as? String }) ?? [] {
            let facts = try? FileSystem.facts(at: scratch.url.path + "/" + file)
            if let facts, facts.isRegular { sum += Int(facts.size) }
        }
        return sum
    }

    @Test("A large answer is stored, read, written to a file and copied from one without being in memory")
    func largeFuzz() async throws {
        let megabytes = FuzzRounds.isFull ? 500 : 60
        let findings = try await ResourceFindings("cache-large", [scratch.url.path, "\(megabytes)"])
        #expect(findings["bytes"] == megabytes << 20 && findings["copied"] == megabytes << 20)
        if let growth = findings["growth"] {
            print("\(megabytes) MB through the cache: \(growth) bytes more memory")
            #expect(growth < 24_000_000)
        }
    }

    @Test("A disk that is full: the answer is delivered, the store is a miss and an event, nothing is left behind")
    func fullDisk() async throws {
        let findings = try await ResourceFindings("cache-full", [scratch.url.path])
        #expect(findings["passed"] == 2_000_000)
        #expect(findings["small"] == 1 && findings["large"] == 0 && findings["stream"] == 0)
        #expect(findings["failures"] == 2 && findings["events"] == 2)
        // One partition's directory and one entry.
        #expect(findings["files"] == 2)
    }
}
