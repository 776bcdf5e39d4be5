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
    /// Bytes of memory more a request in the second half of a soak.
    var growth: Double?
    /// The most threads of the process during a burst.
    var threads: Int?
}
