import TrunklineHTTP

/// Measures a scenario in this process.
struct Meter {
    let client: any Client
    let scenario: Scenario
    let base: String
    let directory: URL

    func run(name: String) async throws -> Measurement {
        guard let url = URL(string: base + scenario.path) else { throw BenchmarkFailure(description: "bad URL") }
        if scenario.kind == .get || scenario.kind == .soak {
            // Connections, caches and the allocator warm up.
            _ = try await requests(url, count: min(scenario.count / 10, 4000))
        }
        let cpu = ProcessFigures.cpuSeconds
        let start = ContinuousClock.now
        var growth: Double?
        var threads: Int?
        let latencies: [Double]
        switch scenario.kind {
        case .get: latencies = try await requests(url, count: scenario.count).sorted()
        case .download:
            try await client.download(url, to: directory.appendingPathComponent("downloaded"))
            latencies = [(ContinuousClock.now - start).seconds]
        case .upload:
            try await client.upload(directory.appendingPathComponent("www/large"), to: url)
            latencies = [(ContinuousClock.now - start).seconds]
        case .soak:
            // In rounds, so that what the harness itself keeps of a round is the same each time.
            let round = max(1, scenario.count / 20)
            var memory: [Int] = []
            var last: [Double] = []
            for _ in 0..<20 {
                last = try await requests(url, count: round).sorted()
                memory.append(ProcessFigures.memory)
            }
            latencies = last
            growth = Double(memory[19] - memory[9]) * 1024 / Double(round * 10)
        case .burst:
            let watch = ThreadWatch()
            latencies = try await requests(url, count: scenario.count).sorted()
            threads = watch.stop()
        }
        let seconds = (ContinuousClock.now - start).seconds
        let count = Double(scenario.kind == .soak ? scenario.count : latencies.count)
        return Measurement(
            client: name, scenario: scenario.name, requestsPerSecond: count / seconds, seconds: seconds,
            p50: latencies[latencies.count / 2] * 1e3, p99: latencies[latencies.count * 99 / 100] * 1e3,
            cpuPerRequest: (ProcessFigures.cpuSeconds - cpu) / count * 1e6, peakMemory: ProcessFigures.peakMemory,
            growth: growth, threads: threads)
    }

    private func requests(_ url: URL, count: Int) async throws -> [Double] {
        let share = max(1, count / scenario.inFlight)
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<scenario.inFlight {
                group.addTask {
                    var latencies: [Double] = []
                    latencies.reserveCapacity(share)
                    for _ in 0..<share {
                        let start = ContinuousClock.now
                        guard try await client.get(url) > 0 else { throw BenchmarkFailure(description: "no content") }
                        latencies.append((ContinuousClock.now - start).seconds)
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// Looks every few milliseconds how many threads the process has, on one more of its own.
final class ThreadWatch: Sendable {
    private let state = Protected((most: 0, isRunning: true))

    init() {
        Thread.detachNewThread { [state] in
            var isRunning = true
            while isRunning {
                let count = ProcessFigures.threads - 1
                isRunning = state.withLock { state in
                    state.most = max(state.most, count)
                    return state.isRunning
                }
                usleep(2000)
            }
        }
    }

    /// The most there were.
    func stop() -> Int {
        state.withLock { state in
            state.isRunning = false
            return state.most
        }
    }
}
