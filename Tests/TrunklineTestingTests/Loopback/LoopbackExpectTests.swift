import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: Expect: 100-continue")
struct LoopbackExpectTests {
    private static let head = "POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"

    @Test("100 comes before the body, the answer after it")
    func accepted() async throws {
        let server = try LoopbackServer { $0.route(.post, "/x") { .text($0.text) } }
        try await onThread {
            let client = try RawClient(server)
            for _ in 0..<2 {
                try client.send(Self.head)
                #expect(try client.readAnswer().statusLine == "HTTP/1.1 100 Continue")
                try client.send("body")
                #expect(try client.readAnswer().text == "body")
            }
            // A client that does not wait gets no 100.
            try client.send(Self.head + "body")
            #expect(try client.readAnswer().status == 200)
        }
    }

    @Test("Ignored: nothing comes until the body is sent")
    func ignored() async throws {
        let server = try LoopbackServer { $0.route(.post, "/x") { .text($0.text) } }
        server.options.expectContinue = .ignore
        try await onThread {
            let client = try RawClient(server)
            try client.send(Self.head)
            try client.send("body")
            #expect(try client.readAnswer().status == 200)
        }
    }

    @Test("Refused with 417, or answered early with the final status; the connection is closed")
    func refused() async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/x", options: LoopbackRouteOptions(expectContinue: .refuse)) { _ in .text("never") }
        }
        for status in [417, 401] {
            try await onThread {
                let client = try RawClient(server)
                try client.send(Self.head)
                let answer = try client.readAnswer()
                #expect(answer.status == status && answer.headers["Connection"] == "close")
                #expect(try client.readToEnd() == "")
            }
            server.route(.post, "/x", options: .respondsEarly, respond: .status(401))
        }
        #expect(server.completeBodies == 0)
        #expect(server.requests.map(\.isComplete) == [false, false])
    }
}
