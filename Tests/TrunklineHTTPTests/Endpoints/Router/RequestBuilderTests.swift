import Foundation
import Testing
import TrunklineHTTP

@Suite("Request builders")
struct RequestBuilderTests {
    private let start = HTTPRequest(url: URL(string: "https://h/a?x=1%2B") ?? URL(fileURLWithPath: "/"))

    private func text(_ body: RequestBody?) -> String? { body?.data.map { String(decoding: $0, as: UTF8.self) } }

    @Test("No builders and identity change nothing")
    func identity() throws {
        for builder in [RequestBuilder.identity, .compose(), .compose([]), .compose(.identity, .identity)] {
            let same = try builder(start)
            #expect(same.url == start.url && same.method == .get && same.headers.isEmpty && same.body == nil)
        }
    }

    @Test("Builders run from left to right")
    func order() throws {
        let request = try RequestBuilder.compose(
            .set(to: \.method, .post), .addHeaders(["X": "1", "Y": "1"]), .set(to: \.method, .put),
            .addHeaders(["x": "2"]), .addURLParams(["b": 2]), .addURLParams(["a": 3]))(start)
        #expect(request.method == .put)
        #expect(request.headers == ["x": "2", "Y": "1"])
        #expect(request.url.absoluteString == "https://h/a?x=1%2B&b=2&a=3")
    }

    @Test("Any writable property of a request, options included")
    func keyPaths() throws {
        let request = try RequestBuilder.compose(
            .set(to: \.options.cache, .cacheOnly), .set(to: \.options.timeouts, Timeouts(idle: .seconds(3))),
            .validate(.acceptAny))(start)
        #expect(request.options.cache == .cacheOnly && request.options.timeouts?.idle == .seconds(3))
        #expect(request.options.validation?.checks.isEmpty == true)
    }

    @Test("Parameters go after the query that is there, sorted and escaped once")
    func urlParameters() throws {
        let request = try RequestBuilder.addURLParams(["q": "1+1 &", "a": [1, 2], "n": nil])(start)
        #expect(request.url.absoluteString == "https://h/a?x=1%2B&a%5B%5D=1&a%5B%5D=2&q=1%2B1%20%26")
        let form = URLParameterEncoder(destination: .body, arrays: .noBrackets)
        #expect(
            try RequestBuilder.addURLParams(["a": [1]], encoder: form)(start).url.absoluteString
                == "https://h/a?x=1%2B&a=1")
    }

    @Test("Bodies: bytes, a model, parameters; a second one is an error")
    func bodies() throws {
        let film = Film(title: "Alien", year: 1979)
        #expect(text(try RequestBuilder.addBody(json: film)(start).body) == #"{"title":"Alien","year":1979}"#)
        #expect(text(try RequestBuilder.encode(["a": true], .form)(start).body) == "a=1")
        #expect(text(try RequestBuilder.addBody(.text("hi"))(start).body) == "hi")
        #expect(throws: HTTPError.self) {
            try RequestBuilder.compose(.addBody(.text("a")), .addBody(.text("b")))(start)
        }
        let replaced = try RequestBuilder.compose(.addBody(.text("a")), .set(to: \.body, .text("b")))(start)
        #expect(text(replaced.body) == "b")
    }

    private struct Refusal: Error {}

    @Test("What a builder throws reaches the caller: own errors as they are, encoding errors with their place")
    func failures() {
        do {
            _ = try RequestBuilder.compose(.identity, RequestBuilder { _ in throw Refusal() })(start)
            Issue.record("no error")
        } catch .custom(let error) {
            #expect(error is Refusal)
        } catch {
            Issue.record("\(error)")
        }
        do {
            _ = try RequestBuilder.encode(["x": [1, Double.nan]], .json)(start)
            Issue.record("no error")
        } catch .invalidRequest(.parameter(let path, _)) {
            #expect(path == "x[1]")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("An app's own builder stands beside the library's")
    func ownBuilder() throws {
        let request = try RequestBuilder.compose(.security(token: "t"), .addHeaders(["A": "b"]))(start)
        #expect(request.headers == ["X-Token": "t", "A": "b"])
    }

    @Test("Properties of URLRequest")
    func urlRequest() throws {
        var options = RequestOptions()
        options.tags = ["kept"]
        var request = start
        request.options = options
        request.headers = ["A": "1"]
        request.body = .stream { RequestBody.Chunks { nil } }
        let changed = try RequestBuilder.compose(
            .setURLRequest(to: \.httpMethod, "PUT"), .setURLRequest(to: \.timeoutInterval, 5),
            .setURLRequest(to: \.cachePolicy, .returnCacheDataDontLoad),
            .setURLRequest(to: \.url, URL(string: "https://h/b")))(request)
        #expect(changed.method == .put && changed.url.absoluteString == "https://h/b")
        #expect(changed.options.timeouts?.idle == .seconds(5) && changed.options.cache == .cacheOnly)
        #expect(changed.options.tags == ["kept"] && changed.headers == ["A": "1"])
        #expect(changed.body != nil && changed.body?.data == nil)

        let body = try RequestBuilder.setURLRequest(to: \.httpBody, Data("hi".utf8))(request)
        #expect(text(body.body) == "hi")
        let fields = try RequestBuilder.setURLRequest(to: \.allHTTPHeaderFields, ["B": "2"])(request)
        #expect(fields.headers["B"] == "2")
        // Setting what is there already is no change, and no error.
        #expect(try RequestBuilder.setURLRequest(to: \.httpMethod, "GET")(request).method == .get)
        #expect(throws: HTTPError.self) { try RequestBuilder.setURLRequest(to: \.url, nil)(request) }
        do {
            _ = try RequestBuilder.setURLRequest(to: \.httpShouldHandleCookies, false)(request)
            Issue.record("a property without effect was taken")
        } catch .unsupported {
        } catch {
            Issue.record("\(error)")
        }
    }
}

extension RequestBuilder {
    fileprivate static func security(token: String) -> RequestBuilder {
        RequestBuilder { request in
            var request = request
            request.headers.set("X-Token", token)
            return request
        }
    }
}
