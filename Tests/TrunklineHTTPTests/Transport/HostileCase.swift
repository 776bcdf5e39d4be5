import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A server that misbehaves, and what a transport must make of it.
struct HostileCase: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [ScriptStep]
    var expected: ErrorKind
    /// The status of the response, or of the partial one that comes with the error.
    var status: Int?
    /// The content of the response, or the part of it that comes with the error.
    var text: String?
    var method = HTTPMethod.get
    /// Seconds; what hangs would take for ever.
    var limit = 20.0

    var testDescription: String { name }

    init(
        _ name: String, _ expected: ErrorKind, status: Int? = nil, text: String? = nil, method: HTTPMethod = .get,
        _ steps: [ScriptStep]
    ) {
        self.name = name
        self.expected = expected
        self.status = status
        self.text = text
        self.method = method
        self.steps = [.readRequest] + steps
    }

    /// The server sends this and closes.
    init(_ name: String, _ expected: ErrorKind, status: Int? = nil, text: String? = nil, sends answer: String) {
        self.init(name, expected, status: status, text: text, [.send(answer), .close])
    }

    static let ok = "HTTP/1.1 200 OK\r\n"

    static let closes: [HostileCase] = [
        HostileCase("closes without a byte", .lostBeforeResponse, [.close]),
        HostileCase("resets without a byte", .lostBeforeResponse, [.reset]),
        HostileCase("closes inside the status line", .lostBeforeResponse, sends: "HTTP/1.1 2"),
        HostileCase("closes after the status line", .lostBeforeResponse, sends: ok),
        HostileCase("closes inside a field name", .lostBeforeResponse, sends: ok + "Content-"),
        HostileCase("closes inside a field value", .lostBeforeResponse, sends: ok + "Content-Length: 1"),
        HostileCase("closes after a field", .lostBeforeResponse, sends: ok + "Content-Length: 5\r\n"),
        HostileCase(
            "resets inside the head", .lostBeforeResponse, [.send(ok + "A: 1\r\n"), .wait(.milliseconds(50)), .reset]),
        HostileCase(
            "closes before the body", .lostDuringBody, status: 200, text: "", sends: ok + "Content-Length: 5\r\n\r\n"),
        HostileCase(
            "closes inside a body of a length", .lostDuringBody, status: 200, text: "{\"a\":1}",
            sends: ok + "Content-Length: 100\r\n\r\n{\"a\":1}"),
        HostileCase(
            "resets inside a body of a length", .lostDuringBody, status: 200,
            [.send(ok + "Content-Length: 100\r\n\r\nhello"), .wait(.milliseconds(50)), .reset]),
        HostileCase(
            "closes between chunks", .lostDuringBody, status: 200, text: "hello",
            sends: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
        HostileCase(
            "closes inside a chunk", .lostDuringBody, status: 200, text: "hel",
            sends: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
        HostileCase(
            "closes inside the trailers", .lostDuringBody, status: 200,
            sends: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-T"),
        HostileCase(
            "closes where the close is the end", .none, status: 200, text: "hello", sends: ok + "\r\nhello"),
    ]

    static let malformed: [HostileCase] = [
        HostileCase("garbage", .invalidResponse, sends: "\u{1}\u{2}garbage garbage\r\n\r\n"),
        HostileCase("another protocol", .invalidResponse, sends: "SSH-2.0-OpenSSH_9.2\r\n"),
        HostileCase("no status code", .invalidResponse, sends: "HTTP/1.1 OK\r\n\r\n"),
        HostileCase("status 99", .invalidResponse, sends: "HTTP/1.1 99 X\r\nContent-Length: 0\r\n\r\n"),
        HostileCase("status 0999", .invalidResponse, sends: "HTTP/1.1 0999 X\r\nContent-Length: 0\r\n\r\n"),
        HostileCase("status 999", .none, status: 999, text: "x", sends: "HTTP/1.1 999 X\r\nContent-Length: 1\r\n\r\nx"),
        HostileCase("no reason", .none, status: 200, text: "x", sends: "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"),
        HostileCase("HTTP/1.0", .none, status: 200, text: "x", sends: "HTTP/1.0 200 OK\r\n\r\nx"),
        HostileCase("bare line feeds", .none, status: 200, text: "x", sends: "HTTP/1.1 200 OK\nContent-Length: 1\n\nx"),
        HostileCase(
            "two lengths", .invalidResponse, sends: ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        HostileCase(
            "the same length twice", .none, status: 200, text: "hello",
            sends: ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
        HostileCase(
            "the same length in a list", .none, status: 200, text: "hello",
            sends: ok + "Content-Length: 5, 5\r\n\r\nhello"),
        HostileCase("two lengths in a list", .invalidResponse, sends: ok + "Content-Length: 5, 6\r\n\r\nhello!"),
        HostileCase("a negative length", .invalidResponse, sends: ok + "Content-Length: -5\r\n\r\nhello"),
        HostileCase("a length that is no number", .invalidResponse, sends: ok + "Content-Length: five\r\n\r\nhello"),
        HostileCase(
            "a huge length", .lostDuringBody, status: 200, text: "hello",
            sends: ok + "Content-Length: 9000000000000000000\r\n\r\nhello"),
        HostileCase(
            "a length beyond 64 bits", .invalidResponse, sends: ok + "Content-Length: 99999999999999999999\r\n\r\nhello"
        ),
        HostileCase(
            "a bad chunk size", .invalidResponse,
            sends: ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"),
        HostileCase(
            "a huge chunk size", .invalidResponse,
            sends: ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
        HostileCase(
            "a negative chunk size", .invalidResponse,
            sends: ok + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"),
        HostileCase(
            "bad gzip", .invalidResponse, sends: ok + "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"),
    ]

    static let endless: [HostileCase] = [
        HostileCase(
            "endless header bytes", .invalidResponse,
            [.send(ok)] + Array(repeating: .send("X-A: " + String(repeating: "a", count: 8000) + "\r\n"), count: 200)
                + [.waitForClose]),
        HostileCase(
            "one endless header line", .invalidResponse,
            [.send(ok + "X-A: "), .generated(LoopbackPattern(seed: 1), count: 8 << 20), .waitForClose]),
        HostileCase(
            "very many small headers", .invalidResponse,
            [.send(ok), .send(String(repeating: "a: 1\r\n", count: 20_000)), .waitForClose]),
        HostileCase(
            "endless informational responses", .invalidResponse,
            [.send(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000)), .waitForClose]),
        HostileCase(
            "some informational responses", .none, status: 200, text: "x",
            sends: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 7\r\n\r\n"
                + ok + "Content-Length: 1\r\n\r\nx"),
        HostileCase(
            "only an informational response", .lostBeforeResponse,
            sends: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        HostileCase("silence", .idleTimeout, [.waitForClose]),
        HostileCase("silence inside the head", .idleTimeout, [.send(ok + "A: "), .waitForClose]),
        HostileCase(
            "silence inside the body", .idleTimeout, [.send(ok + "Content-Length: 10\r\n\r\nhello"), .waitForClose]),
        HostileCase(
            "silence inside a chunk", .idleTimeout,
            [.send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"), .waitForClose]),
        HostileCase(
            "a slow drip", .none, status: 200, text: "0123456789",
            [.send(ok + "Content-Length: 10\r\n\r\n"), .drip("0123456789", every: .milliseconds(150)), .close]),
        HostileCase(
            "a slow drip of the head", .none, status: 200, text: "x",
            [.drip(ok + "Content-Length: 1\r\n\r\nx", every: .milliseconds(20)), .close]),
    ]
}
