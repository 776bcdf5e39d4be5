import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("CacheKey")
struct CacheKeyTests {
    private static let base = ["shop", "list"]

    @Test("Parameters swapped, renamed or with separators inside give different keys")
    func parametersThatMustDiffer() {
        let pairs: [([String: String], [String: String])] = [
            (["a": "1", "b": "2"], ["a": "2", "b": "1"]),
            (["type": "1"], ["page": "1"]),
            (["a": "1&b=2"], ["a": "1", "b": "2"]),
            ([:], ["": ""]),
            (["a": ""], ["": "a"]),
        ]
        for (one, other) in pairs {
            #expect(
                CacheKey(identity: Self.base, parameters: one) != CacheKey(identity: Self.base, parameters: other))
        }
    }

    @Test("Service `ab` with method `c` is not service `a` with method `bc`")
    func boundariesCount() {
        #expect(CacheKey(identity: ["ab", "c"]) != CacheKey(identity: ["a", "bc"]))
        #expect(CacheKey(identity: ["ab", "c"]) != CacheKey(identity: ["abc"]))
        #expect(CacheKey(identity: ["a", "", "b"]) != CacheKey(identity: ["a", "b", ""]))
        #expect(CacheKey(identity: ["a"]) != CacheKey(identity: ["a", ""]))
        #expect(CacheKey(identity: ["a", "b"]) != CacheKey(identity: ["a"], parameters: ["b": ""]))
    }

    @Test("Queries, methods, base URLs and bodies count")
    func requestsThatMustDiffer() throws {
        let pairs = [
            (try cacheRequest("https://h/l?a=1&b=2"), try cacheRequest("https://h/l?a=2&b=1")),
            (try cacheRequest("https://h/l?type=1"), try cacheRequest("https://h/l?page=1")),
            (try cacheRequest("https://h/l?a=1%26b%3D2"), try cacheRequest("https://h/l?a=1&b=2")),
            (try cacheRequest("https://h/ab/c"), try cacheRequest("https://h/a/bc")),
            (try cacheRequest("https://h/l"), try cacheRequest("https://h/l", .post)),
            (try cacheRequest("https://h/l"), try cacheRequest("https://h/l", .head)),
            (try cacheRequest("https://staging.h/l"), try cacheRequest("https://h/l")),
            (try cacheRequest("https://h/l"), try cacheRequest("http://h/l")),
            (try cacheRequest("https://h/l"), try cacheRequest("https://h:8443/l")),
            (try cacheRequest("https://h/l"), try cacheRequest("https://h/L")),
            (try cacheRequest("https://h/l"), try cacheRequest("https://h/l?")),
            (try cacheRequest("https://h/l", body: "a"), try cacheRequest("https://h/l", body: "b")),
            (try cacheRequest("https://h/l", body: ""), try cacheRequest("https://h/l")),
            (
                try cacheRequest("https://h/l", body: String(repeating: "a", count: 5000)),
                try cacheRequest("https://h/l", body: String(repeating: "a", count: 4999) + "b")
            ),
        ]
        for (one, other) in pairs {
            #expect(CacheKey(request: one) != CacheKey(request: other), "\(one.url) \(other.url)")
            #expect(CacheKey(request: one).fileName != CacheKey(request: other).fileName)
        }
    }

    @Test("Partitions count, and nil is not empty")
    func partitionsDiffer() throws {
        let request = try cacheRequest("https://h/l")
        let partitions: [CachePartition] = [
            .shared, CachePartition(user: ""), CachePartition(user: "a"), CachePartition(environment: "a"),
            CachePartition(user: "a", environment: "b"), CachePartition(user: "ab"),
            CachePartition(user: "a", environment: ""), CachePartition(environment: ""),
        ]
        let keys = Set(partitions.map { CacheKey(request: request, partition: $0) })
        #expect(keys.count == partitions.count)
        #expect(Set(partitions.map(\.directoryName)).count == partitions.count)
    }

    @Test("The order of a dictionary, of header names and of volatile items doesn't matter")
    func equalKeys() throws {
        let pairs = [("a", "1"), ("b", "2"), ("ä", "3"), ("c", ""), ("", "5")]
        var keys: Set<CacheKey> = []
        var random = SeededRandom(seed: 1)
        for _ in 0..<5 {
            var parameters: [String: String] = [:]
            for (name, value) in pairs.shuffled(using: &random) { parameters[name] = value }
            keys.insert(CacheKey(identity: ["s"], parameters: parameters))
        }
        #expect(keys.count == 1)

        let request = try cacheRequest("https://h/l", headers: ["Accept": "b", "accept-language": "de"])
        #expect(
            CacheKey(request: request, varying: ["Accept", "Accept-Language"])
                == CacheKey(request: request, varying: ["accept-language", "ACCEPT", "accept"]))
    }

    @Test("The encoding is the same in every process: its digest is written here")
    func stableAcrossLaunches() throws {
        let request = try cacheRequest("https://h/l?a=1", headers: ["Accept": "x"])
        let key = CacheKey(
            request: request, partition: CachePartition(user: "u", environment: "e"), varying: ["Accept"])
        #expect(key.fileName == "54c959d1272f2645304a30e46bb149e4fe2eaf9be10162968f721ae8eccd65c6")
        let own = CacheKey(identity: ["shop", "list"], parameters: ["b": "2", "a": "1", "c": "3", "d": "4"])
        #expect(own.fileName == "292827ba82e930a0051cd9a838b121cddae6f7ad2f7635c80f09faf201ea0f46")
    }

    @Test("Scheme and host ignore case; a default port, an empty path and the fragment are nothing")
    func normalisation() throws {
        let equal = [
            "https://example.com/", "HTTPS://EXAMPLE.com/", "https://example.com", "https://example.com:443/",
            "https://example.com:/", "https://example.com/#top", "https://example.com#a/b?c",
        ]
        let keys = Set(try equal.map { CacheKey(request: try cacheRequest($0)) })
        #expect(keys.count == 1)
        #expect(
            CacheKey(request: try cacheRequest("http://h:443/")) != CacheKey(request: try cacheRequest("http://h/")))
        #expect(
            CacheKey(request: try cacheRequest("http://[::80]/")) != CacheKey(request: try cacheRequest("http://[::]/"))
        )
        #expect(
            CacheKey(request: try cacheRequest("http://U@h/")) != CacheKey(request: try cacheRequest("http://u@h/")))
    }

    @Test("Volatile query items are left out, by their decoded name")
    func volatileItems() throws {
        let ignored: Set<String> = ["ts", "nonce 1"]
        let plain = CacheKey(request: try cacheRequest("https://h/l?a=1&b=2"), ignoring: ignored)
        for query in ["ts=1&a=1&b=2", "a=1&ts=2&b=2&nonce%201=x", "a=1&b=2&nonce+1", "a=1&%74s=4&b=2"] {
            #expect(CacheKey(request: try cacheRequest("https://h/l?" + query), ignoring: ignored) == plain)
        }
        #expect(CacheKey(request: try cacheRequest("https://h/l?a=1&b=2&tss=1"), ignoring: ignored) != plain)
        #expect(
            CacheKey(request: try cacheRequest("https://h/l?ts=1"), ignoring: ignored)
                == CacheKey(request: try cacheRequest("https://h/l"), ignoring: ignored))
    }

    @Test("Named header fields count, absent and empty told apart")
    func varyingHeaders() throws {
        let headers: [HTTPHeaders] = [
            [:], ["Accept": ""], ["Accept": "a"], ["Accept": "a", "accept": "b"], ["Accept": "a, b"],
        ]
        let keys = Set(
            try headers.map { CacheKey(request: try cacheRequest("https://h/", headers: $0), varying: ["Accept"]) })
        #expect(keys.count == headers.count)
    }

    @Test("Without a user, the request's credentials keep entries apart, and are not in the key themselves")
    func credentials() throws {
        let one = try cacheRequest("https://h/me", headers: ["Authorization": "Bearer sesame-one"])
        let other = try cacheRequest("https://h/me", headers: ["Authorization": "Bearer sesame-two"])
        let cookie = try cacheRequest("https://h/me", headers: ["Cookie": "Bearer sesame-one"])
        #expect(Set([one, other, cookie].map { CacheKey(request: $0) }).count == 3)
        let partition = CachePartition(user: "u")
        #expect(CacheKey(request: one, partition: partition) == CacheKey(request: other, partition: partition))
        #expect(!String(decoding: CacheKey(request: one).encoding, as: UTF8.self).contains("sesame"))
    }

    @Test("Random lists of parts full of separators: equal keys only for equal lists")
    func identityFuzz() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 42)
            let alphabet = ["", "a", "b", "&", "=", "/", "\u{0}", "\u{1}", "\n", ",", "é", "e\u{301}", "\u{80}"]
            var seen: [CacheKey: [[UInt8]]] = [:]
            let rounds = FuzzRounds.count(full: 20_000)
            for _ in 0..<rounds {
                let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? ""
                    }
                    .joined()
                }
                // As bytes: Swift takes canonically equivalent texts for equal, a server doesn't.
                let bytes = parts.map { Array($0.utf8) }
                let key = CacheKey(identity: parts)
                if let known = seen[key] { #expect(known == bytes) }
                seen[key] = bytes
            }
            #expect(seen.count > rounds / 4)
        }
    }

    @Test("Random request parts full of separators: equal keys only for equal parts")
    func requestFuzz() async throws {
        try await HeavyWork.run {
            struct Parts: Hashable {
                var user: String?
                var environment: String?
                var method: String
                var query: String
                var accept: [String]
                var body: String?
            }
            var random = SeededRandom(seed: 7)
            let texts = ["", "a", "b", "ab", "a\u{1}b", "\u{2}a", "&", "GET", "1", "\u{1}a"]
            func text() -> String { texts.randomElement(using: &random) ?? "" }
            func optional() -> String? { Bool.random(using: &random) ? text() : nil }
            var seen: [CacheKey: Parts] = [:]
            let rounds = FuzzRounds.count(full: 20_000)
            for _ in 0..<rounds {
                let parts = Parts(
                    user: optional(), environment: optional(), method: text(),
                    query: ["", "?", "?a", "?a&b", "?&a"].randomElement(using: &random) ?? "",
                    accept: (0..<Int.random(in: 0...2, using: &random)).map { _ in text() }, body: optional())
                let request = try cacheRequest(
                    "https://h/" + parts.query, HTTPMethod(rawValue: parts.method),
                    headers: HTTPHeaders(parts.accept.map { HTTPHeaders.Field("Accept", $0) }), body: parts.body)
                let key = CacheKey(
                    request: request, partition: CachePartition(user: parts.user, environment: parts.environment),
                    varying: ["accept"])
                if let known = seen[key] { #expect(known == parts) }
                seen[key] = parts
            }
            #expect(seen.count > rounds / 2)
        }
    }
}
