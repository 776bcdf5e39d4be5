import Foundation
import Testing

@testable import TrunklineHTTP

/// The rules of WHATWG HTML, sections 9.2.5 and 9.2.6, one row each.
@Suite struct EventSourceParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var stream: [UInt8]
        var events: [ServerSentEvent]
        var lastID = ""
        var retry: Duration?

        init(_ rule: String, _ stream: String, _ events: [ServerSentEvent], lastID: String = "", retry: Duration? = nil)
        {
            self.init(rule, bytes: Array(stream.utf8), events, lastID: lastID, retry: retry)
        }

        init(
            _ rule: String, bytes: [UInt8], _ events: [ServerSentEvent], lastID: String = "", retry: Duration? = nil
        ) {
            (self.rule, stream, self.events, self.lastID, self.retry) = (rule, bytes, events, lastID, retry)
        }

        var testDescription: String { rule }
    }

    static let rows: [Row] = [
        Row("data lines are joined by LF", "data: YHOO\ndata: +2\ndata: 10\n\n", [.init(data: "YHOO\n+2\n10")]),
        Row(
            "the standard's example of IDs",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [.init(id: "1", data: "first event"), .init(data: "second event"), .init(data: " third event")]),
        Row(
            "the standard's example of empty data", "data\n\ndata\ndata\n\ndata:",
            [.init(data: ""), .init(data: "\n")]),
        Row(
            "one space after the colon goes", "data:test\n\ndata: test\n\n", [.init(data: "test"), .init(data: "test")]),
        Row("a tab stays", "data:\ttest\n\n", [.init(data: "\ttest")]),
        Row(
            "events have types", "event: add\ndata: 1\n\ndata: 2\n\n",
            [.init(event: "add", data: "1"), .init(data: "2")]),
        Row("an empty type is message", "event:\ndata: 1\n\n", [.init(data: "1")]),
        Row("the last type counts", "event: a\nevent: b\ndata: 1\n\n", [.init(event: "b", data: "1")]),
        Row("a type without data is no event, and is forgotten", "event: a\n\ndata: 1\n\n", [.init(data: "1")]),
        Row("an ID without data counts", "id: 7\n\ndata: 1\n\n", [.init(id: "7", data: "1")], lastID: "7"),
        Row(
            "an ID lasts", "id: 7\ndata: 1\n\ndata: 2\n\n", [.init(id: "7", data: "1"), .init(id: "7", data: "2")],
            lastID: "7"),
        Row("an ID with NUL is ignored", "id: 7\n\nid: 8\u{0}9\ndata: 1\n\n", [.init(id: "7", data: "1")], lastID: "7"),
        Row(
            "the ID of an incomplete event doesn't count", "id: 7\ndata: 1\n\nid: 8\ndata: 2\n",
            [.init(id: "7", data: "1")], lastID: "7"),
        Row("field names are exact", "Data: 1\ndata : 2\n data: 3\ndatas: 4\n\n", []),
        Row("comments are ignored", ":\n: data: 1\n:data: 2\n\ndata: 3\n:x\n\n", [.init(data: "3")]),
        Row("unknown fields are ignored", "foo: 1\ndata: 2\nbar\n\n", [.init(data: "2")]),
        Row("an incomplete last event is dropped", "data: 1\n\ndata: 2", [.init(data: "1")]),
        Row("an event needs its empty line", "data: 1\n", []),
        Row("lines end with CR", "data: 1\rdata: 2\r\r", [.init(data: "1\n2")]),
        Row("lines end with CR LF", "data: 1\r\ndata: 2\r\n\r\n", [.init(data: "1\n2")]),
        Row("line ends may be mixed", "data: 1\r\ndata: 2\rdata: 3\n\r", [.init(data: "1\n2\n3")]),
        Row("LF CR is two ends", "data: 1\n\rdata: 2\n\n", [.init(data: "1"), .init(data: "2")]),
        Row("a byte-order mark is skipped", "\u{FEFF}data: 1\n\n", [.init(data: "1")]),
        Row("only one", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", [.init(data: "2")]),
        Row("and not later", "data: 1\n\n\u{FEFF}data: 2\n\n", [.init(data: "1")]),
        Row(
            "what is not UTF-8 becomes U+FFFD", bytes: Array("data: a".utf8) + [0xFF, 0x62, 0xC3] + Array("\n\n".utf8),
            [.init(data: "a\u{FFFD}b\u{FFFD}")]),
        Row("NUL in data stays", "data: a\u{0}b\n\n", [.init(data: "a\u{0}b")]),
        Row(
            "retry is digits", "retry: 1500\ndata: 1\n\n", [.init(data: "1", retry: .milliseconds(1500))],
            retry: .milliseconds(1500)),
        Row("retry counts without an event", "retry: 0010\n\n", [], retry: .milliseconds(10)),
        Row("and at once", "retry: 20\n", [], retry: .milliseconds(20)),
        Row(
            "retry with anything else is ignored",
            "retry: 1\n\nretry: 15x\nretry: -1\nretry: 1.5\nretry\nretry:\nretry:  2\n\n", [], retry: .milliseconds(1)),
        Row("a huge retry is bounded", "retry: 99999999999999999999999\n\n", [], retry: .milliseconds(1 << 42)),
        Row("a colon in the value stays", "data: a:b: c\n\n", [.init(data: "a:b: c")]),
        Row("empty lines alone are nothing", "\n\n\r\r\n\n", []),
    ]

    private static func parse(_ pieces: [Data]) throws -> (events: [ServerSentEvent], parser: EventSourceParser) {
        var parser = EventSourceParser()
        var events: [ServerSentEvent] = []
        for piece in pieces { events += try parser.push(piece) }
        return (events, parser)
    }

    @Test(arguments: rows)
    func `the standard's rules`(row: Row) throws {
        let bytes = Data(row.stream)
        for pieces in [
            [bytes], bytes.map { Data([$0]) }, [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)],
        ] {
            let (events, parser) = try Self.parse(pieces)
            #expect(events == row.events)
            #expect(parser.reconnectionTime == row.retry)
            #expect(parser.lastEventID == row.lastID)
        }
    }

    @Test func `the last event ID of the connection before goes on`() throws {
        var parser = EventSourceParser(lastEventID: "41")
        #expect(try parser.push(Data("data: 1\n\n".utf8)) == [ServerSentEvent(id: "41", data: "1")])
        #expect(parser.lastEventID == "41")
        #expect(try parser.push(Data("id\ndata: 2\n\n".utf8)) == [ServerSentEvent(data: "2")])
        #expect(parser.lastEventID == "")
    }

    @Test func `events before one that is too long are given, then the error, for good`() throws {
        for long in [
            "data: 123456789012345678901\n\n", "data: 1234567890\ndata: 12345678901\n\n",
            ": a comment that is far too long",
        ] {
            var parser = EventSourceParser(maximumEventLength: 20)
            #expect(try parser.push(Data("data: 1\n\n\(long)".utf8)) == [ServerSentEvent(data: "1")])
            for _ in 0..<2 { #expect(throws: HTTPError.self) { try parser.push(Data("data: 2\n\n".utf8)) } }
        }
    }

    @Test func `any cuts give the same events Fuzz`() async throws {
        try await HeavyWork.run {
            var random = SeededRandom(seed: 11)
            let words =
                [
                    "data", "id", "event", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "x", "\u{FEFF}", "9",
                    "\u{0}", "\u{E9}",
                ]
                .map { Data($0.utf8) } + [Data([0xFF]), Data([0xEF, 0xBB]), Data([0xF0, 0x9F])]
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                let bytes = (0..<random.below(40)).reduce(into: Data()) { data, _ in
                    data.append(words[random.below(words.count)])
                }
                let whole = try Self.parse([bytes])
                var pieces: [Data] = []
                var rest = bytes
                while !rest.isEmpty {
                    let count = 1 + random.below(6)
                    pieces.append(rest.prefix(count))
                    rest = rest.dropFirst(count)
                }
                let cut = try Self.parse(pieces)
                #expect(cut.events == whole.events)
                #expect(cut.parser.lastEventID == whole.parser.lastEventID)
                #expect(cut.parser.reconnectionTime == whole.parser.reconnectionTime)
            }
        }
    }
}
