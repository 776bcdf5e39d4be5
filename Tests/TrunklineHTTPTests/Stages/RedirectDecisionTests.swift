import Foundation
import Testing

@testable import TrunklineHTTP

/// Cases A21 and A22 as a table; the wire is checked in the transport suites.
@Suite struct RedirectDecisionTests {
    private func decide(
        _ status: Int, _ method: HTTPMethod = .get, location: String?, from: String = "http://h:1/a",
        headers: HTTPHeaders = [:], body: RequestBody? = nil, policy: RedirectPolicy = .follow(), followed: Int = 0
    ) throws -> RedirectDecision {
        let request = HTTPRequest(
            method: method, url: try #require(URL(string: from)), headers: headers, body: body)
        var answer = HTTPHeaders()
        if let location { answer.set("Location", location) }
        return RedirectDecision.decide(
            request: request, response: HTTPResponse(request: request, statusCode: status, headers: answer),
            policy: policy, followed: followed)
    }

    private func followed(_ decision: RedirectDecision) throws -> HTTPRequest {
        guard case .follow(let request) = decision else {
            throw HTTPError.custom(Unexpected(decision: "\(decision)"))
        }
        return request
    }

    private struct Unexpected: Error { let decision: String }

    @Test(arguments: [
        (HTTPMethod.post, 301, HTTPMethod.get), (.post, 302, .get), (.post, 303, .get), (.post, 307, .post),
        (.post, 308, .post), (.put, 303, .get), (.put, 302, .put), (.head, 302, .head), (.head, 303, .head),
        (.get, 303, .get), (.delete, 301, .delete),
    ])
    func `method and body follow the status`(method: HTTPMethod, status: Int, expected: HTTPMethod) throws {
        let carriesBody = method != .head && method != .get
        let request = try followed(
            decide(
                status, method, location: "/echo",
                headers: ["Content-Type": "text/plain", "Content-Language": "en", "X-K": "1"],
                body: carriesBody ? .data(Data("abc".utf8)) : nil))
        #expect(request.method == expected)
        #expect(request.headers["X-K"] == "1")
        if method != expected {
            #expect(request.body == nil)
            #expect(!request.headers.contains("Content-Type") && !request.headers.contains("Content-Language"))
        } else if carriesBody {
            #expect(request.body?.data == Data("abc".utf8))
            #expect(request.headers["Content-Type"] == "text/plain")
        }
    }

    @Test(arguments: [
        ("http://h:1/b", true), ("/b", true), ("//h:1/b", true), ("http://h:2/b", false), ("http://g:1/b", false),
        ("https://h:1/b", false),
    ])
    func `credentials stay within the origin`(location: String, stay: Bool) throws {
        let request = try followed(
            decide(
                302, location: location,
                headers: ["authorization": "Bearer s", "Cookie": "sid=1", "Proxy-Authorization": "p", "X-Plain": "1"]))
        for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
            #expect(request.headers.contains(name) == stay)
        }
        #expect(request.headers["X-Plain"] == "1")
    }

    @Test(arguments: [
        // A target without a fragment inherits the request's.
        ("b", "http://h:1/x/b#frag"), ("../b?q=1", "http://h:1/b?q=1#frag"), ("?q=2", "http://h:1/x/a?q=2#frag"),
        ("/b#top", "http://h:1/b#top"), (" /b ", "http://h:1/b#frag"), ("/ü b", "http://h:1/%C3%BC%20b#frag"),
    ])
    func `the target is resolved against the request`(location: String, expected: String) throws {
        let request = try followed(decide(302, location: location, from: "http://h:1/x/a#frag"))
        #expect(request.url.absoluteString == expected)
    }

    @Test func `no Location, another status or a refusing policy deliver the response`() throws {
        for decision in [
            try decide(302, location: nil), try decide(300, location: "/b"), try decide(304, location: "/b"),
            try decide(302, location: "/b", policy: .refuse),
            try decide(302, location: "http://g/", policy: .sameOrigin()),
        ] {
            guard case .deliver = decision else {
                Issue.record("\(decision)")
                continue
            }
        }
    }

    @Test(arguments: ["mailto:a@b", "http://", "file:///etc/passwd"])
    func `a target that can't be requested is a typed failure`(location: String) throws {
        guard case .fail(.invalidRedirect) = try decide(302, location: location) else {
            Issue.record("followed \(location)")
            return
        }
    }

    @Test func `the limit is a typed failure with the last response`() throws {
        guard case .fail(.tooManyRedirects(let limit, let response)) = try decide(302, location: "/b", followed: 20)
        else {
            Issue.record("followed")
            return
        }
        #expect(limit == 20 && response.statusCode == 302)
    }

    @Test func `a body that can be read once is refused where it is needed again`() throws {
        let once = RequestBody.oneShot(RequestBody.Chunks { nil })
        guard case .fail(.bodyNotReplayable) = try decide(307, .post, location: "/b", body: once) else {
            Issue.record("followed")
            return
        }
        #expect(try followed(decide(303, .post, location: "/b", body: once)).body == nil)
    }

    @Test func `a rule of the app's follows, changes or delivers, within its limit`() throws {
        let rule = RedirectRule(limit: 2) { redirect, response in
            guard redirect.url.path != "/no", response.statusCode == 302 else { return nil }
            var changed = redirect
            changed.headers.set("X-Hop", "1")
            return changed
        }
        let request = try followed(decide(302, location: "/b", policy: .custom(rule)))
        #expect(request.url.absoluteString == "http://h:1/b" && request.headers["X-Hop"] == "1")
        for (status, location) in [(302, "/no"), (301, "/b")] {
            guard case .deliver = try decide(status, location: location, policy: .custom(rule)) else {
                Issue.record("\(status) \(location)")
                continue
            }
        }
        guard
            case .fail(.tooManyRedirects(limit: 2, _)) = try decide(
                302, location: "/b", policy: .custom(rule), followed: 2)
        else {
            Issue.record("no limit")
            return
        }
        #expect(RedirectPolicy.custom(rule) == .custom(rule))
        #expect(RedirectPolicy.custom(rule) != .custom(RedirectRule { request, _ in request }))
    }

    @Test func `a rule sends no credential to another origin unless it put one in`() throws {
        let moved = try #require(URL(string: "http://other/x"))
        let rule = RedirectRule { redirect, _ in
            var changed = redirect
            changed.url = moved
            return changed
        }
        let headers: HTTPHeaders = ["Authorization": "a", "Cookie": "c", "X-K": "1"]
        let plain = try followed(decide(302, location: "/b", headers: headers, policy: .custom(rule)))
        #expect(plain.headers == ["X-K": "1"])
        let giving = RedirectRule { redirect, _ in
            var changed = redirect
            changed.url = moved
            changed.headers.set("Authorization", "theirs")
            return changed
        }
        let given = try followed(decide(302, location: "/b", headers: headers, policy: .custom(giving)))
        #expect(given.headers["Authorization"] == "theirs" && !given.headers.contains("Cookie"))
        let nowhere = RedirectRule { redirect, _ in
            var changed = redirect
            changed.url = URL(fileURLWithPath: "/x")
            return changed
        }
        guard case .fail(.invalidRedirect) = try decide(302, location: "/b", policy: .custom(nowhere)) else {
            Issue.record("a file was followed")
            return
        }
    }
}
