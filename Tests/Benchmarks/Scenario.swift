import TrunklineHTTP

/// One thing to measure.
struct Scenario: Codable, Hashable {
    enum Kind: String, Codable {
        /// Small requests, so many in flight all the time.
        case get
        /// One large response into a file.
        case download
        /// One large request from a file.
        case upload
        /// Very many small requests: does memory grow?
        case soak
        /// All requests at once: how many threads?
        case burst
    }

    var name: String
    var kind: Kind
    var path: String
    var inFlight = 1
    var count = 1

    /// The scenarios of a full run; a quick one sends a tenth.
    static func all(quick: Bool) -> [Scenario] {
        let part = quick ? 10 : 1
        var list: [Scenario] = []
        for (size, path, count) in [("1 KB", "/1k", 60_000), ("100 KB", "/100k", 12_000)] {
            for inFlight in [1, 16, 64] {
                let total = (inFlight == 1 ? count / 6 : count) / part
                list.append(
                    Scenario(
                        name: "\(size), \(inFlight) in flight", kind: .get, path: path, inFlight: inFlight,
                        count: total))
            }
        }
        return list + [
            Scenario(name: "500 MB download", kind: .download, path: "/large"),
            Scenario(name: "500 MB upload", kind: .upload, path: "/upload/file"),
            Scenario(name: "soak", kind: .soak, path: "/1k", inFlight: 64, count: 200_000 / part),
            Scenario(name: "2,000 at once", kind: .burst, path: "/1k", inFlight: 2000, count: 2000),
        ]
    }
}
