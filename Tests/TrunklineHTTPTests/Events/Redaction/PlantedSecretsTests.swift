import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Planted secrets")
struct PlantedSecretsTests {
    private struct Refused: Error, CustomStringConvertible {
        var description: String {
            "refused http://me:PLANTED-E@h/?token=PLANTED-E with Authorization: Bearer PLANTED-E"
        }
    }

    /// A request with a secret in every place that has a name.
    private func request(to server: LoopbackServer, _ path: String) throws -> HTTPRequest {
        let url = "http://me:PLANTED-U@127.0.0.1:\(server.port)\(path)?access_token=PLANTED-Q&page=2"
        return HTTPRequest(
            method: .post, url: try #require(URL(string: url)),
            headers: [
                "Authorization": "Bearer PLANTED-A", "Cookie": "sid=PLANTED-C", "X-Api-Key": "PLANTED-K",
                "Proxy-Authorization": "Basic PLANTED-P", "Referer": "http://h/?sig=PLANTED-R", "X-Seen": "seen",
            ],
            body: .data(
                Data(#"{"password":"PLANTED-B","nested":{"refreshToken":"PLANTED-B"},"title":"Emma"}"#.utf8),
                contentType: "application/json"))
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer {
            let headers: HTTPHeaders = ["Set-Cookie": "sid=PLANTED-S; Path=/; HttpOnly", "X-Auth-Token": "PLANTED-H"]
            $0.route(
                .post, "/json", respond: .json(#"{"access_token":"PLANTED-J","title":"Emma"}"#, headers: headers))
            $0.route(.post, "/away", respond: .redirect(to: "/json?token=PLANTED-L", status: 307))
            $0.route(.post, "/bad", respond: .redirect(to: "ftp://me:PLANTED-L@h/?secret=PLANTED-L", status: 307))
            $0.route(.post, "/form") { _ in
                .data(
                    Data("user=emma&client_secret=PLANTED-F".utf8), contentType: "application/x-www-form-urlencoded",
                    status: 400)
            }
        }
    }

    @Test(
        "None is in a log, a HAR file, a command, a span or the description of anything",
        arguments: TransportKind.allCases)
    func outputs(kind: TransportKind) async throws {
        let server = try server()
        let file = try ScratchFile()
        let recorder = try HARRecorder(to: file.url)
        let log = EventLog()
        let output = Collector<String>()
        let session = SessionManager(
            configuration: SessionConfiguration(
                cookies: CookieStore(),
                eventMonitors: [
                    recorder, log, HTTPLogger(.body, to: .closure { output.add($0) }),
                    HTTPLogger(.headers, to: .closure { output.add($0) }), HTTPLogger(to: .closure { output.add($0) }),
                ], tracing: TracePropagation()),
            transport: kind.make(),
            interceptors: [
                ClosureInterceptor { exchange, next in
                    if exchange.request.url.path == "/throw" { throw Refused() }
                    return try await next(exchange)
                }
            ])
        for path in ["/json", "/away", "/bad", "/form", "/throw"] {
            let request = try request(to: server, path)
            let handle = session.request(request)
            do {
                let response = try await handle.response()
                output.add("\(response) \(response.headers) \(String(reflecting: response))")
            } catch {
                output.add("\(error) \(error.localizedDescription) \(String(reflecting: error))")
                output.add("\(NetworkError(error)) \(HARFailure(error))")
                if let loss = error.response { output.add("\(loss)") }
            }
            var dumped = ""
            dump(request, to: &dumped)
            dump(request.headers, to: &dumped)
            output.add(request.cURLDescription() + request.cURLDescription(exactly: true) + handle.cURLDescription())
            output.add(
                "\(request) \(request.headers) \(String(reflecting: request)) \(request.headers.fields) \(dumped)")
        }
        try recorder.finish()
        let har = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
        for event in log.all {
            if case .spanEnded(let span) = event.kind { output.add("\(span)") }
        }
        let texts = output.all + [har]
        for text in texts {
            #expect(!text.contains("PLANTED"), "\(text)")
        }
        // The rest is there.
        #expect(texts.contains { $0.contains("X-Seen: seen") } && har.contains(#""value":"seen""#))
        #expect(har.contains("Emma") && har.contains("page=2"))
        #expect(HARFile.self == type(of: try HARFile(contentsOf: file.url)))
        // On the wire nothing is touched.
        #expect(server.requests.contains { $0.headers["Authorization"] == "Bearer PLANTED-A" })
        #expect(server.requests.contains { $0.text.contains("PLANTED-B") })
    }

    @Test("Descriptions of errors with secrets in the words of others")
    func errors() throws {
        let response = HTTPResponse(
            request: HTTPRequest(url: try #require(URL(string: "http://h/"))), statusCode: 401,
            headers: ["Set-Cookie": "a=PLANTED"], body: .data(Data("PLANTED".utf8)))
        let words = "http://u:PLANTED@h/?token=PLANTED Authorization: Bearer PLANTED"
        let errors: [HTTPError] = [
            .invalidRequest(.url(words, reason: words)), .invalidRequest(.url("http://u:PLANTED@ho st/", reason: "no")),
            .connectionFailed(reason: words),
            .connectionLost(ConnectionLoss(stage: .duringBody, reason: words, response: response)),
            .tls(TLSFailure(reason: .handshake, detail: words)), .invalidResponse(reason: words),
            .tooManyRedirects(limit: 1, response), .invalidRedirect(reason: words, response),
            .validation(ValidationFailure(reason: .custom(words), response: response)), .emptyResponse(response),
            .decoding(DecodingFailure(type: "T", reason: words, response: response)), .custom(Refused()),
            .custom(NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: words])),
            .authentication(AuthenticationFailure(reason: .refreshFailed, underlying: Refused(), response: response)),
        ]
        for error in errors {
            for text in ["\(error)", String(reflecting: error), error.localizedDescription, "\(NetworkError(error))"] {
                #expect(!text.contains("PLANTED"), "\(text)")
            }
        }
        #expect(!"\(ConnectionLoss(stage: .duringBody, reason: words, response: response))".contains("PLANTED"))
    }
}
