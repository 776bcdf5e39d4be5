import TrunklineHTTP

/// The tables of a run.
struct Report: Codable {
    var measurements: [Measurement] = []
    var encoding: [EncodingMeasurement] = []
    var cache: [CacheBenchmark.Row] = []

    private static let baseline = ClientKind.bareURLSession.rawValue

    /// The tables of what was measured.
    var text: String {
        [
            measurements.isEmpty ? nil : clientTable, encoding.isEmpty ? nil : encodingTable,
            cache.isEmpty ? nil : CacheBenchmark.text(cache),
        ]
        .compactMap(\.self).joined(separator: "\n\n")
    }

    /// A line a measurement, with the ratios to bare URLSession in the same scenario.
    private var clientTable: String {
        var lines = [
            row(
                "scenario", "client", "req/s", "p50 ms", "p99 ms", "CPU us/req", "peak MB", "req/s ratio", "CPU ratio",
                "")
        ]
        for one in measurements {
            let base = measurements.first { $0.scenario == one.scenario && $0.client == Self.baseline }
            lines.append(
                row(
                    one.scenario, one.client, format(one.requestsPerSecond), format(one.p50), format(one.p99),
                    format(one.cpuPerRequest), format(Double(one.peakMemory) / 1024),
                    base.map { format(one.requestsPerSecond / $0.requestsPerSecond) + "x" } ?? "-",
                    base.map { format(one.cpuPerRequest / $0.cpuPerRequest) + "x" } ?? "-",
                    remark(one)))
        }
        return lines.joined(separator: "\n")
    }

    /// A line an encoder, with the ratio of its time to that of Foundation's for the same content.
    private var encodingTable: String {
        let widths = [28, 20, 12, 12, 10]
        var lines = [row(["encoding", "encoder", "us/operation", "bytes", "time ratio"], widths)]
        for one in encoding {
            let base = encoding.first { $0.content == one.content && $0.isBaseline }
            lines.append(
                row(
                    [
                        one.content, one.encoder, format(one.microseconds), String(one.bytes),
                        base.map { format(one.microseconds / $0.microseconds) + "x" } ?? "-",
                    ], widths))
        }
        return lines.joined(separator: "\n")
    }

    private func remark(_ one: Measurement) -> String {
        [
            one.growth.map { format($0) + " bytes of memory more a request in the second half" },
            one.threads.map { "\($0) threads in all" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }

    private func format(_ value: Double) -> String {
        String(format: abs(value) >= 100 ? "%.0f" : "%.2f", value)
    }

    private func row(_ columns: String...) -> String {
        row(columns, [22, 20, 10, 10, 10, 12, 10, 12, 10, 0])
    }

    private func row(_ columns: [String], _ widths: [Int]) -> String {
        zip(columns, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: " ")
    }
}
