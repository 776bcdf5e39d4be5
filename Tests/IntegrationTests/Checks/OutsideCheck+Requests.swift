import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    /// What is asked for: methods, paths, queries, header fields.
    static let requests: [OutsideCheck] = [
        OutsideCheck("GET with a query") { outside in
            let json = try await outside.echo(
                .get("/get", base: outside.httpbin, parameters: ["title": "Emma", "page": 2, "used": true]))
            #expect(json["args"] == ["title": "Emma", "page": "2", "used": "1"])
        },
        OutsideCheck("A query of every printable character") { outside in
            let text = String(String.UnicodeScalarView((32..<127).compactMap { Unicode.Scalar($0) }))
            let json = try await outside.echo(.get("/get", base: outside.httpbin, parameters: ["t": text]))
            #expect(json.value(at: "args.t")?.string == text)
        },
        OutsideCheck("A query of characters beyond ASCII") { outside in
            let text = "Żółć, 書籍, 📚, e\u{301}"
            let json = try await outside.echo(.get("/get", base: outside.httpbin, parameters: ["t": text]))
            #expect(json.value(at: "args.t")?.string == text)
        },
        OutsideCheck("Arrays in a query") { outside in
            let json = try await outside.echo(
                .get("/get", base: outside.httpbin, parameters: ["tag": ["new", "used"]]))
            #expect(json.value(at: "args")?["tag[]"] == ["new", "used"])
        },
        OutsideCheck("A query that is there already stays byte for byte") { outside in
            let json = try await outside.echo(
                .get("/get?a=%2f&b=+x&c", base: outside.httpbin, parameters: ["d": 1]))
            #expect(json["url"]?.string?.hasSuffix("/get?a=/&b=+x&c&d=1") == true)
        },
        OutsideCheck("A path filled from parameters") { outside in
            let json = try await outside.echo(
                .get("/anything/{name}/x", base: outside.httpbin, parameters: ["name": "a/b c?d"]))
            #expect(json["url"]?.string?.hasSuffix("/anything/a/b%20c%3Fd/x") == true)
            #expect(json["args"] == [:])
        },
        OutsideCheck("HEAD has no content") { outside in
            let response = try await outside.session().send(.head("/get", base: outside.httpbin))
            #expect(response.statusCode == 200)
            #expect(response.data.isEmpty)
            #expect((response.headers["Content-Length"].flatMap { Int($0) } ?? 0) > 0)
        },
        OutsideCheck("DELETE with a query") { outside in
            let json = try await outside.echo(.delete("/delete", base: outside.httpbin, parameters: ["id": 7]))
            #expect(json["args"] == ["id": "7"])
        },
        OutsideCheck("The method goes out as it is") { outside in
            for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
                let json = try await outside.echo(Endpoint(method, "/anything", base: outside.httpbin))
                #expect(json["method"]?.string == method.rawValue)
            }
        },
        OutsideCheck("The session's header fields, and the endpoint's over them") { outside in
            var configuration = SessionConfiguration()
            configuration.headers["X-Shelf"] = "session"
            configuration.headers["X-Row"] = "4"
            let json = try await outside.echo(
                .get("/headers", base: outside.httpbin, headers: ["x-shelf": "endpoint"]), configuration)
            #expect(json.value(at: "headers")?["X-Shelf"] == "endpoint")
            #expect(json.value(at: "headers")?["X-Row"] == "4")
        },
        OutsideCheck("A field sent twice arrives as one list") { outside in
            var headers = HTTPHeaders()
            headers.add("X-Tag", "a")
            headers.add("X-Tag", "b")
            let json = try await outside.echo(.get("/headers", base: outside.httpbin, headers: headers))
            #expect(json.value(at: "headers")?["X-Tag"]?.string?.filter { $0 != " " } == "a,b")
        },
        OutsideCheck("An interceptor's field") { outside in
            let stamp = ClosureInterceptor { exchange, next in
                var exchange = exchange
                exchange.request.headers["X-Stamp"] = "here"
                return try await next(exchange)
            }
            let response = try await outside.session().send(
                .get("/headers", base: outside.httpbin), interceptors: [stamp])
            let answer = try JSONValue(parsing: response.data).value(at: "headers")?["X-Stamp"]
            #expect(answer == "here")
        },
        OutsideCheck("Content-Type and Accept-Encoding are the library's") { outside in
            let json = try await outside.echo(.get("/headers", base: outside.httpbin))
            #expect(json.value(at: "headers")?["Content-Type"] == nil)
            #expect(json.value(at: "headers")?["Accept-Encoding"]?.string?.contains("gzip") == true)
            #expect(json.value(at: "headers")?["User-Agent"]?.string?.isEmpty == false)
        },
    ]
}
