import TrunklineHTTP

/// Measures the library against bare URLSession over nginx on the loopback interface, or over the library's own loopback
/// server in another process where nginx is not installed.
///
///     swift run -c release Benchmarks [--quick] [--json FILE] [--only TEXT] [--clients NAME,NAME]
///
/// Every measurement of a client runs in a process of its own, so CPU time and peak memory are the client's alone. A
/// second table compares the encoders with Foundation's; `--only encoding` makes that one alone. Then come answers from the
/// cache, `--only cache`, and last what the pipeline costs by itself, `--only pipeline`.
@main
struct Benchmarks {
    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "--serve" {
                try FallbackServer.run()
            } else if arguments.first == "--measure" {
                try await measure(arguments)
            } else {
                try await runAll(arguments)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func value(_ name: String, in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }

    private static func runAll(_ arguments: [String]) async throws {
        let only = value("--only", in: arguments)
        let quick = arguments.contains("--quick")
        let scenarios = Scenario.all(quick: quick).filter { only.map($0.name.contains) ?? true }
        var report = Report()
        report.measurements = try measurements(of: scenarios, arguments)
        if only.map(EncodingBenchmark.name.contains) ?? true {
            report.encoding = try EncodingBenchmark(quick: quick).run()
        }
        if only.map(CacheBenchmark.name.contains) ?? true {
            report.cache = try await CacheBenchmark(quick: quick).run()
        }
        print(report.text)
        if only.map(PipelineBenchmark.name.contains) ?? true {
            print("\nWhat the library adds to a request, over a transport that answers at once")
            for row in try await PipelineBenchmark(quick: quick).run() {
                print(String(format: "%6.2f us  ", row.microseconds) + row.what)
            }
        }
        if let path = value("--json", in: arguments) {
            try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: path))
        }
    }

    private static func measurements(of scenarios: [Scenario], _ arguments: [String]) throws -> [Measurement] {
        guard !scenarios.isEmpty else { return [] }
        let names = value("--clients", in: arguments)?.split(separator: ",").map(String.init)
        let server = try BenchmarkServer(largeFile: scenarios.contains { $0.path == "/large" || $0.kind == .upload })
        return try scenarios.flatMap { scenario in
            let clients = ClientKind.allCases.filter {
                names?.contains($0.rawValue) ?? $0.takesPart(in: scenario)
            }
            return try clients.map { try child($0, scenario, server) }
        }
    }

    private static func child(_ client: ClientKind, _ scenario: Scenario, _ server: BenchmarkServer) throws
        -> Measurement
    {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        let text = String(decoding: try JSONEncoder().encode(scenario), as: UTF8.self)
        process.arguments = ["--measure", client.rawValue, text, server.base, server.directory.path]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure(description: "\(client.rawValue), \(scenario.name): failed")
        }
        return try JSONDecoder().decode(Measurement.self, from: data)
    }

    private static func measure(_ arguments: [String]) async throws {
        guard arguments.count == 5, let kind = ClientKind(rawValue: arguments[1]) else {
            throw BenchmarkFailure(description: "--measure CLIENT SCENARIO BASE DIRECTORY")
        }
        let scenario = try JSONDecoder().decode(Scenario.self, from: Data(arguments[2].utf8))
        let meter = Meter(
            client: try kind.make(inFlight: scenario.inFlight), scenario: scenario, base: arguments[3],
            directory: URL(fileURLWithPath: arguments[4]))
        let result = try await meter.run(name: kind.rawValue)
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }
}
