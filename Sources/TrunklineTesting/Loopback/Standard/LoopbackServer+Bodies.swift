import Foundation
import TrunklineHTTP

extension LoopbackServer {
    /// The most bytes a ready-made route makes: enough for any test, and no accident fills a disk.
    private static let byteLimit: Int64 = 4 << 30

    static func count(_ text: String?, limit: Int64 = byteLimit) -> Int64? {
        guard let count = text.flatMap({ Int64($0) }), (0...limit).contains(count) else { return nil }
        return count
    }

    func addBodyRoutes() {
        route(.get, "/bytes/{count}") { request in
            guard let count = LoopbackServer.count(request["count"]) else { return .badCount }
            let seed = request.query("seed").flatMap { UInt64($0) } ?? 0
            return .generated(count: count, seed: seed, headers: ["Content-Type": "application/octet-stream"])
        }
        route(.get, "/stream-bytes/{count}") { request in
            guard let count = LoopbackServer.count(request["count"], limit: 16 << 20) else { return .badCount }
            let size = request.query("chunk_size").flatMap { Int($0) } ?? 10_240
            guard size > 0 else { return .badCount }
            let bytes = LoopbackPattern().bytes(count: Int(count))
            let chunks = BodyPlayback.pieces(of: bytes, size: size).map(\.data)
            return .chunked(chunks, headers: ["Content-Type": "application/octet-stream"])
        }
        route(.get, "/range/{count}") { request in
            guard let count = LoopbackServer.count(request["count"], limit: 64 << 20) else { return .badCount }
            let data = LoopbackPattern().bytes(count: Int(count))
            return .ranged(data, of: request, etag: "\"range-\(count)\"")
        }
        route(.get, "/gzip") { [host, port] request in
            let content = try Gzip.compress(try JSONEncoder.stable.encode(RequestEcho(request, host, port)))
            return .data(content, contentType: "application/json", headers: ["Content-Encoding": "gzip"])
        }
        route(.get, "/base64/{text}") { request in
            guard let data = Data(base64Encoded: request["text"] ?? "") else {
                return .text("That is no base64.", status: 400)
            }
            return .data(data, contentType: "text/html; charset=utf-8")
        }
        route(
            .get, "/json",
            respond: .json(
                #"{"slideshow":{"author":"Jane","slides":[{"title":"One"},{"title":"Two"}],"title":"Talk"}}"#))
        route(
            .get, "/html",
            respond: .text("<!DOCTYPE html><html><body><h1>Emma</h1></body></html>\n").header(
                "Content-Type", "text/html; charset=utf-8"))
        route(
            .get, "/xml",
            respond: .data(
                Data("<?xml version=\"1.0\"?><book><title>Emma</title></book>\n".utf8), contentType: "application/xml"))
        route(.get, "/robots.txt", respond: .text("User-agent: *\nDisallow: /deny\n"))
        route(.get, "/encoding/utf8", respond: .text("∮ E⋅da = Q, n → ∞, Zoë, 日本語, 🎼\n"))
        route(.get, "/uuid") { _ in .json(["uuid": UUID().uuidString.lowercased()]) }
        let upload: Handler = { request in
            .json(Upload(bytes: request.bodyCount, sha256: SHA256Digest.hex(of: Array(request.body))))
        }
        for method in [HTTPMethod.post, .put, .patch] { route(method, "/upload", upload) }
    }

    func addCachingRoutes() {
        route(.get, "/cache") { [host, port] request in
            if request.headers.contains("If-None-Match") || request.headers.contains("If-Modified-Since") {
                return .status(304)
            }
            return .json(
                RequestEcho(request, host, port),
                headers: ["Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT", "ETag": "\"cache\""])
        }
        route(.get, "/cache/{seconds}") { [host, port] request in
            guard let seconds = LoopbackServer.count(request["seconds"]) else { return .badCount }
            return .json(
                RequestEcho(request, host, port), headers: ["Cache-Control": "public, max-age=\(seconds)"])
        }
        route(nil, "/etag/{tag}") { [host, port] request in
            let tag = "\"\(request["tag"] ?? "")\""
            guard tag.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .text("That is no tag.", status: 400) }
            let headers: HTTPHeaders = ["ETag": tag]
            if EntityTags.list(request.headers["If-None-Match"], matches: tag) { return .status(304, headers: headers) }
            if let wanted = request.headers["If-Match"], !EntityTags.list(wanted, matches: tag) {
                return .status(412, headers: headers)
            }
            return .json(RequestEcho(request, host, port), headers: headers)
        }
        route(nil, "/response-headers") { request in
            var headers: HTTPHeaders = [:]
            for item in request.queryItems {
                let field = HTTPHeaders([HTTPHeaders.Field(item.name, item.value ?? "")])
                guard (try? field.validate()) != nil else {
                    return .text("\"\(item.name)\" can't be a header field.", status: 400)
                }
                headers.add(item.name, item.value ?? "")
            }
            let names = Dictionary(
                request.queryItems.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + ", " + $1 })
            return .json(names, headers: headers)
        }
    }
}

private struct Upload: Encodable {
    var bytes: Int64
    var sha256: String
}

extension LoopbackResponse {
    static var badCount: LoopbackResponse { .text("The number is not one this route knows.", status: 400) }
}
