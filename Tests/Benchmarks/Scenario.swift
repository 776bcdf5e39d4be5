import TrunklineHTTP

/// One thing to measure.
struct Scenario: Codable, Hashable {
    enum Kind: String, Codable {
        case get, download, upload
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
                        name: "\(size), \(inFlight) in flight", kind: .get, path: path, inFlight: inFlight, count: total
                    ))
            }
        }
        list.append(Scenario(name: "500 MB download", kind: .download, path: "/large"))
        list.append(Scenario(name: "500 MB upload", kind: .upload, path: "/upload/file"))
        return list
    }
}
