import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: bodies")
struct LoopbackBodyTests {
    @Test("A chunked request is read with its extensions and trailers, and kept as it was framed")
    func chunkedIn() async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/x") { .text("\($0.text)|\($0.trailers["X-Sum"] ?? "")") }
        }
        let framed = "5;name=value\r\nhello\r\n0006\r\n world\r\n0\r\nX-Sum: 11\r\nx-other: y\r\n\r\n"
        let answer = try await onThread {
            let client = try RawClient(server)
            try client.send("POST /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: Chunked\r\n\r\n\(framed)")
            let answer = try client.readAnswer()
            try client.get("/after")
            #expect(try client.readAnswer().status == 404)
            return answer
        }
        #expect(answer.text == "hello world|11")
        let request = try #require(server.requests.first)
        #expect(String(decoding: request.rawBody, as: UTF8.self) == framed)
        #expect(request.bodyCount == 11)
        #expect(request.bodyChecksum == LoopbackChecksum(of: Data("hello world".utf8)).value)
        #expect(server.completeBodies == 1)
    }

    @Test("Chunks go out one by one with their trailers")
    func chunkedOut() async throws {
        let server = try LoopbackServer { server in
            server.route(
                .get, "/x",
                respond: .chunked(["one", "", "two"], trailers: ["X-End": "yes"], every: .milliseconds(60)))
        }
        let (whole, took) = try await onThread {
            let client = try RawClient(server)
            let took = try ContinuousClock().measure {
                try client.get("/x")
                let answer = try client.readAnswer()
                #expect(answer.text == "onetwo")
                #expect(answer.headers["Trailer"] == "X-End")
                #expect(answer.trailers == ["X-End": "yes"])
            }
            try client.get("/x", headers: "Connection: close\r\n")
            return (try client.readToEnd(), took)
        }
        #expect(whole.hasSuffix("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\nX-End: yes\r\n\r\n"))
        #expect(took >= .milliseconds(60))
    }

    @Test("A request is the same however it is cut into packets")
    func fragments() async throws {
        let server = try LoopbackServer { $0.route(.post, "/x/{n}") { .text($0.text) } }
        let message = "POST /x/1 HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n"
        try await onThread {
            let client = try RawClient(server)
            for byte in message.utf8 { try client.send(Data([byte])) }
            #expect(try client.readAnswer().text == "abc")
            for cut in 1..<(message.utf8.count) {
                try client.send(Data(message.utf8.prefix(cut)))
                try client.send(Data(message.utf8.dropFirst(cut)))
                #expect(try client.readAnswer().text == "abc")
            }
        }
        #expect(server.requests.allSatisfy { $0.raw == Data(message.utf8) && $0.trailers == ["A": "b"] })
        #expect(server.requests.count == message.utf8.count)
    }

    @Test("A generated body and a discarded upload pass in full, with the right checksums and no memory for them")
    func largeBodies() async throws {
        let size: Int64 = 48 << 20
        let server = try LoopbackServer { server in
            server.route(.get, "/down", respond: .generated(count: size, seed: 42))
            server.route(.post, "/up", options: .discardsBody) { .text("\($0.bodyCount) \($0.body.count)") }
        }
        let pattern = LoopbackPattern(seed: 42)
        let received = try await HeavyWork.run {
            let client = try RawClient(server)
            try client.get("/down")
            #expect(try client.readLine() == "HTTP/1.1 200 OK")
            #expect(try client.readFields()["Content-Length"] == "\(size)")
            var sum = LoopbackChecksum()
            while sum.count < size {
                sum.update(try client.read(Int(min(300_000, size - sum.count))))
            }
            try client.send("POST /up HTTP/1.1\r\nHost: t\r\nContent-Length: \(size)\r\n\r\n")
            var sent: Int64 = 0
            while sent < size {
                let part = pattern.bytes(from: sent, count: Int(min(1 << 20, size - sent)))
                try client.send(part)
                sent += Int64(part.count)
            }
            #expect(try client.readAnswer().text == "\(size) 0")
            return sum.value
        }
        #expect(received == pattern.checksum(count: size))
        let upload = try #require(server.requests.last)
        #expect(upload.bodyChecksum == received)
        #expect(upload.bodyCount == size && upload.rawBody.isEmpty && upload.isComplete)
        #expect(server.rawBytes(connection: 1).count == server.options.rawBytesLimit)
    }

    @Test("A rate limit spreads the body over time")
    func throttled() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .generated(count: 30_000).throttled(bytesPerSecond: 100_000))
            server.route(.get, "/fast", respond: .text("fast"))
        }
        let took = try await onThread {
            let client = try RawClient(server)
            let took = try ContinuousClock().measure {
                try client.get("/x")
                let body = try client.readAnswer().body
                #expect(body.count == 30_000)
            }
            try client.get("/fast")
            #expect(try client.readAnswer().text == "fast")
            return took
        }
        #expect(took > .milliseconds(250) && took < .seconds(30))
    }

    @Test("A body without a length ends with the connection")
    func untilClose() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: LoopbackResponse(body: .untilClose(Data("rest".utf8))))
        }
        try await onThread {
            let client = try RawClient(server)
            try client.get("/x")
            let answer = try client.readAnswer()
            #expect(answer.text == "rest")
            #expect(answer.headers == ["Connection": "close"])
        }
    }

    @Test("Early answers: alongside the body, and without it")
    func early() async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/along", options: .respondsEarly) { .text("early \($0.isComplete)", status: 403) }
            server.route(
                .post, "/never", options: LoopbackRouteOptions(reading: .never), respond: .text("no", status: 403))
        }
        try await onThread {
            let client = try RawClient(server)
            try client.send("POST /along HTTP/1.1\r\nHost: t\r\nContent-Length: 6\r\n\r\nabc")
            #expect(try client.readAnswer().text == "early false")
            #expect(server.requests.first?.isComplete == false)
            try client.send("def")
            try client.send("POST /never HTTP/1.1\r\nHost: t\r\nContent-Length: 600000\r\n\r\n")
            let refused = try client.readAnswer()
            #expect(refused.status == 403 && refused.headers["Connection"] == "close")
            // The client goes on sending and can still read the end of the connection, without a reset.
            try client.send(Data(count: 600_000))
            #expect(try client.readToEnd() == "")
        }
        let requests = server.requests
        #expect(requests.map(\.isComplete) == [true, false])
        #expect(requests.map(\.text) == ["abcdef", ""])
        #expect(server.completeBodies == 1)
    }

    @Test("An early fixed answer is sent once, with records and without")
    func earlyOnce() async throws {
        let server = try LoopbackServer { $0.route(.put, "/x", options: .respondsEarly, respond: .text("once")) }
        for records in [true, false] {
            server.recordsRequests = records
            let rest = try await onThread {
                let client = try RawClient(server)
                try client.send("PUT /x HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Length: 6\r\n\r\nabc")
                let answer = try client.readAnswer()
                #expect(answer.text == "once")
                try client.send("def")
                return try client.readToEnd()
            }
            #expect(rest == "")
        }
        try await onThread {
            let client = try RawClient(server)
            for _ in 0..<2 {
                try client.send("PUT /x HTTP/1.1\r\nHost: t\r\nContent-Length: 6\r\n\r\nabc")
                #expect(try client.readAnswer().text == "once")
                try client.send("def")
            }
        }
        #expect(server.requestCount == 4)
    }

    @Test("The checksum does not depend on cuts, and the pattern repeats where it says")
    func checksumAndPattern() {
        let data = LoopbackPattern(seed: 3).bytes(count: 1000)
        let whole = LoopbackChecksum(of: data)
        for cut in 0...40 {
            var sum = LoopbackChecksum(of: data.prefix(cut))
            sum.update(data.dropFirst(cut).prefix(3))
            sum.update(data.dropFirst(cut + 3))
            #expect(sum.value == whole.value && sum.count == 1000)
        }
        #expect(LoopbackChecksum(of: data.dropLast()).value != whole.value)
        #expect(LoopbackChecksum(of: Data()).value != LoopbackChecksum(of: Data([0])).value)
        let pattern = LoopbackPattern(seed: 3)
        let far = Int64(LoopbackPattern.period) * 1_000_003 + 65_000
        #expect(pattern.bytes(from: far, count: 2000) == pattern.bytes(from: 65_000, count: 2000))
        #expect(pattern.bytes(count: 64) != LoopbackPattern(seed: 4).bytes(count: 64))
        #expect(pattern.bytes(from: -1, count: 5).isEmpty && pattern.bytes(count: -5).isEmpty)
        #expect(LoopbackChecksum(of: pattern.bytes(count: 200_000)).value == pattern.checksum(count: 200_000))
    }
}
