import TrunklineHTTP

/// The figures of one scenario with one client.
struct Measurement: Codable {
    var client: String
    var scenario: String
    var requestsPerSecond: Double
    var seconds: Double
    /// Milliseconds.
    var p50: Double
    var p99: Double
    /// Microseconds of user and system time, a request.
    var cpuPerRequest: Double
    /// Kilobytes.
    var peakMemory: Int
}

/// Measures a scenario in this process.
struct Meter {
    let client: any Client
    let scenario: Scenario
    let base: String
    let directory: URL

    func run(name: String) async throws -> Measurement {
        guard let url = URL(string: base + scenario.path) else { throw BenchmarkFailure(description: "bad URL") }
        if scenario.kind == .get {
            // Connections, caches and the allocator warm up.
            _ = try await requests(url, count: min(scenario.count / 10, 4000))
        }
        let cpu = Self.cpuSeconds
        let start = ContinuousClock.now
        let latencies: [Double]
        switch scenario.kind {
        case .get: latencies = try await requests(url, count: scenario.count).sorted()
        case .download:
            try await client.download(url, to: directory.appendingPathComponent("downloaded"))
            latencies = [(ContinuousClock.now - start).seconds]
        case .upload:
            try await client.upload(directory.appendingPathComponent("www/large"), to: url)
            latencies = [(ContinuousClock.now - start).seconds]
        }
        let seconds = (ContinuousClock.now - start).seconds
        let count = Double(latencies.count)
        return Measurement(
            client: name, scenario: scenario.name, requestsPerSecond: count / seconds, seconds: seconds,
            p50: latencies[latencies.count / 2] * 1e3, p99: latencies[latencies.count * 99 / 100] * 1e3,
            cpuPerRequest: (Self.cpuSeconds - cpu) / count * 1e6, peakMemory: Self.peakMemory)
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

    private static var cpuSeconds: Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
    }
}
