import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    /// Content as it arrives.
    static let streams: [OutsideCheck] = [
        OutsideCheck("JSON values, a line each") { outside in
            let stream = outside.session().stream(.get("/stream/10", base: outside.httpbin))
            var ids: [Int] = []
            for try await value in stream.values(of: JSONValue.self) { ids.append(value["id"]?.int ?? -1) }
            #expect(ids == Array(0..<10))
        },
        OutsideCheck("Chunks of bytes") { outside in
            let endpoint = Endpoint(
                .get, "/stream-bytes/50000", base: outside.httpbin, parameters: ["seed": 1, "chunk_size": 1000])
            let stream = outside.session().stream(endpoint)
            var count = 0
            for try await chunk in stream.chunks { count += chunk.count }
            #expect(count == 50_000)
        },
        OutsideCheck("Bytes that drip") { outside in
            let stream = outside.session().stream(
                .get("/drip", base: outside.httpbin, parameters: ["numbytes": 5, "duration": 1, "delay": 0]))
            let status = try await stream.head().statusCode
            #expect(status == 200)
            var bytes: [UInt8] = []
            for try await byte in stream.bytes { bytes.append(byte) }
            #expect(bytes == Array("*****".utf8))
        },
        OutsideCheck("A stream that is left is ended") { outside in
            let stream = outside.session().stream(.get("/stream/100", base: outside.httpbin))
            for try await _ in stream.lines { break }
            let status = try await stream.head().statusCode
            #expect(status == 200)
        },
    ]
}
