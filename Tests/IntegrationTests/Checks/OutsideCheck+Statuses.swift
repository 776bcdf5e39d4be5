import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    private static let judgedStatuses = [
        200, 201, 202, 400, 401, 403, 404, 405, 409, 410, 418, 429, 500, 502, 503, 504,
    ]

    private static func judged(_ status: Int) -> OutsideCheck {
        OutsideCheck("Status \(status)") { outside in
            let endpoint = Endpoint(.get, "/status/\(status)", base: outside.httpbin)
            let response = try await outside.response(endpoint)
            #expect(response.statusCode == status)
            let refused = await outside.failure(endpoint)?.response?.statusCode
            #expect(refused == (status < 300 ? nil : status))
        }
    }

    /// How answers are judged, conditional requests and parts.
    static let statuses: [OutsideCheck] =
        judgedStatuses.map(judged) + [
            OutsideCheck("204 is success without content") { outside in
                let session = outside.session()
                let endpoint = Endpoint(.get, "/status/204", base: outside.httpbin)
                _ = try await session.request(endpoint).value(of: NoContent.self)
                await #expect(throws: HTTPError.self) {
                    _ = try await session.request(endpoint).value(of: JSONValue.self)
                }
            },
            OutsideCheck("The content of a refusal is kept") { outside in
                let error = await outside.failure(.get("/status/418", base: outside.httpbin))
                let text = try error?.response?.string()
                #expect(text?.contains("teapot") == true)
            },
            OutsideCheck("A validator that matches: 304") { outside in
                let response = try await outside.response(
                    .get("/etag/abc", base: outside.httpbin, headers: ["If-None-Match": "\"abc\""]))
                #expect(response.statusCode == 304)
                #expect(response.data.isEmpty)
                let other = try await outside.response(
                    .get("/etag/abc", base: outside.httpbin, headers: ["If-Match": "\"other\""]))
                #expect(other.statusCode == 412)
            },
            OutsideCheck("A part: 206") { outside in
                let response = try await outside.response(
                    .get("/range/1000", base: outside.httpbin, headers: ["Range": "bytes=10-19"]))
                #expect(response.statusCode == 206)
                #expect(response.headers["Content-Range"] == "bytes 10-19/1000")
                #expect(response.data == Data("klmnopqrst".utf8))
            },
            OutsideCheck("A retried status ends as it is") { outside in
                let retry = RetryPolicy(limit: 2, baseDelay: .milliseconds(1))
                let error = await outside.failure(
                    .get("/status/503", base: outside.httpbin, options: RequestOptions(retry: retry)))
                #expect(error?.response?.statusCode == 503)
            },
        ]
}
