import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("CacheRules")
struct CacheRulesTests {
    private func isStorable(
        _ method: HTTPMethod = .get, status: Int = 200, request requestHeaders: HTTPHeaders = [:],
        response responseHeaders: HTTPHeaders = [:], sent: HTTPHeaders? = nil, body: ResponseBody = .data(Data()),
        source: ResponseSource = .network, user: String? = nil, explicit: Bool = false,
        delivery: BodyDelivery = .data
    ) throws -> Bool {
        let request = try cacheRequest(
            "https://h/", method, headers: requestHeaders, options: RequestOptions(delivery: delivery))
        var final = request
        if let sent { final.headers = sent }
        let response = HTTPResponse(
            request: final, statusCode: status, headers: responseHeaders, body: body, source: source)
        return CacheRules.isStorable(
            request: request, response: response, partition: CachePartition(user: user), hasExplicitKey: explicit)
    }

    @Test("Whole 2xx answers to GET and HEAD, and nothing else")
    func statusAndMethod() throws {
        for status in 100...599 {
            #expect(try isStorable(status: status) == ((200...299).contains(status) && status != 206), "\(status)")
        }
        #expect(try isStorable(.head))
        for method: HTTPMethod in [.post, .put, .patch, .delete, .options, .trace, .connect, .query, "PURGE", "get"] {
            #expect(try !isStorable(method), "\(method)")
        }
    }

    @Test("An explicit key lets POST and QUERY in, never PUT, PATCH, DELETE or a 206")
    func explicitKey() throws {
        #expect(try isStorable(.post, explicit: true))
        #expect(try isStorable(.query, explicit: true))
        for method: HTTPMethod in [.put, .patch, .delete, .connect, "PURGE"] {
            #expect(try !isStorable(method, explicit: true))
        }
        #expect(try !isStorable(status: 206, explicit: true))
        #expect(try !isStorable(status: 500, explicit: true))
        #expect(try isStorable(response: ["Cache-Control": "no-store"], explicit: true))
    }

    @Test("Not partial, not from the cache, not Vary: *, not no-store, not an event stream")
    func exclusions() throws {
        #expect(try !isStorable(request: ["range": "bytes=0-1"]))
        #expect(try !isStorable(request: ["If-None-Match": "\"a\""]))
        #expect(try isStorable(body: .file(try cacheURL("file:///tmp/x"))))
        #expect(try isStorable(delivery: .stream))
        #expect(try !isStorable(response: ["Content-Type": "text/event-stream; charset=utf-8"]))
        #expect(try !isStorable(source: .cache(age: .zero)))
        #expect(try !isStorable(response: ["Vary": "Accept, *"]))
        #expect(try !isStorable(response: ["Cache-Control": "max-age=5, No-Store"]))
        #expect(try !isStorable(request: ["Cache-Control": "no-store"]))
        #expect(try isStorable(response: ["Cache-Control": "max-age=5, private", "Vary": "Accept"]))
    }

    @Test("Credentials added below the cache need a partition with a user")
    func credentials() throws {
        #expect(try !isStorable(sent: ["Authorization": "Bearer 1"]))
        #expect(try isStorable(sent: ["Authorization": "Bearer 1"], user: "u"))
        #expect(try isStorable(request: ["Authorization": "Bearer 1"]))
        #expect(try !isStorable(request: ["Authorization": "Bearer 1"], sent: ["Authorization": "Bearer 2"]))
    }

    @Test("An entry answers only requests with the same selected header fields")
    func vary() throws {
        let german = try cacheRequest("https://h/", headers: ["accept-language": "de", "Cookie": "id=1"])
        let response = HTTPResponse(
            request: german, statusCode: 200, headers: ["Vary": "Accept-Language , Cookie", "vary": "X-None"])
        let entry = try #require(CachedResponse(response, to: german, requestedAt: Date(), storedAt: Date()))
        #expect(CacheRules.matches(entry, german))
        #expect(CacheRules.matches(entry, try cacheRequest("https://h/", headers: german.headers.merging(["A": "b"]))))
        for other: HTTPHeaders in [
            [:], ["Accept-Language": "en", "Cookie": "id=1"], ["Accept-Language": "de", "Cookie": "id=2"],
            german.headers.merging(["X-None": ""]),
        ] {
            #expect(!CacheRules.matches(entry, try cacheRequest("https://h/", headers: other)), "\(other)")
        }
        #expect(!entry.requestHeaders.contains { $0.value.contains("id=1") })
    }
}
