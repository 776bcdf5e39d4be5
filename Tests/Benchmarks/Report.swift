import TrunklineHTTP

/// The table of a run.
struct Report: Codable {
    var measurements: [Measurement]

    private static let baseline = ClientKind.bareURLSession.rawValue

    /// The table, a line a measurement, with the ratios to bare URLSession in the same scenario.
    var text: String {
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
        let widths = [22, 20, 10, 10, 10, 12, 10, 12, 10, 0]
        return zip(columns, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            .joined(separator: " ")
    }
}
