import Foundation
import TestSupport
import Testing
import TrunklineHTTP

/// HAR files before a reader of somebody else's: haralyzer, which `.ci/run` brings with httpbin.
@Suite(.enabled(if: OutsideServers.areWanted, "TRUNKLINE_HTTPBIN_PYTHON is not set")) struct PublishedReaderTests {
    private static let script = """
        import sys
        from haralyzer import HarEntry, HarParser
        parser = HarParser.from_file(sys.argv[1])
        assert parser.version == "1.2", parser.version
        for entry in map(HarEntry, parser.har_data["entries"]):
            assert entry.time >= 0 and entry.startTime.tzinfo
            timings = entry.timings
            parts = [timings[n] for n in ("blocked", "dns", "connect", "send", "wait", "receive")]
            assert abs(sum(p for p in parts if p >= 0) - entry.time) < 0.01, (timings, entry.time)
            assert entry.response.bodySize >= -1 and entry.request.bodySize >= -1
            print(entry.request.method, entry.response.status, entry.response.mimeType.split(";")[0], entry.request.url)
        """

    @Test(arguments: OutsideTransport.allCases)
    func `a published reader takes what the recorder writes`(transport: OutsideTransport) async throws {
        let outside = OutsideContext(transport: transport, servers: try await OutsideServers.shared.value)
        let directory = try outside.directory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("session.har")
        let recorder = try HARRecorder(to: file)
        var configuration = SessionConfiguration()
        configuration.eventMonitors = [recorder]
        let session = outside.session(configuration)
        var form = MultipartFormData()
        form.append("Emma", name: "title")
        let accepted = RequestOptions(validation: .acceptAny)
        let endpoints: [Endpoint] = [
            .get("/json", base: outside.httpbin, parameters: ["token": "PLANTED", "page": 1]),
            .get("/gzip", base: outside.httpbin), .get("/image/png", base: outside.httpbin),
            .get("/redirect/1", base: outside.httpbin),
            .post("/post", base: outside.httpbin, parameters: ["a": "1"]),
            .post("/post", base: outside.httpbin, body: try .multipart(form)),
            .get("/status/404", base: outside.httpbin, options: accepted),
        ]
        for endpoint in endpoints { _ = try await session.send(endpoint) }
        try recorder.finish()

        let python = URL(fileURLWithPath: try #require(OutsideServers.python))
        let lines = try await HeavyWork.run { try ChildProcess.lines(python, ["-c", Self.script, file.path]) }
        let base = outside.httpbin.absoluteString
        #expect(
            lines == [
                "GET 200 application/json \(base)/json?page=1&token=%3Credacted%3E",
                "GET 200 application/json \(base)/gzip", "GET 200 image/png \(base)/image/png",
                "GET 302 text/html \(base)/redirect/1", "GET 200 application/json \(base)/get",
                "POST 200 application/json \(base)/post", "POST 200 application/json \(base)/post",
                "GET 404 text/html \(base)/status/404",
            ])
    }
}
