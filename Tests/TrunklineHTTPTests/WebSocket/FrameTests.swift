import Foundation
import Testing

@testable import TrunklineHTTP

/// Frames as RFC 6455 has them.
@Suite struct FrameTests {
    private static func bytes(_ hex: String) -> Data {
        Data(hex.split(separator: " ").compactMap { UInt8($0, radix: 16) })
    }

    private static func client(key: UInt32 = 0x37FA_213D) -> FrameEncoder { FrameEncoder(role: .client) { key } }
    private static let server = FrameEncoder(role: .server)

    /// What a side makes of the bytes, whole and byte by byte.
    private static func events(
        _ bytes: Data, role: WebSocketRole = .client, maximum: Int = 1 << 20
    ) -> [WebSocketReader.Event] {
        var whole = WebSocketReader(role: role, maximumMessageBytes: maximum)
        var cut = WebSocketReader(role: role, maximumMessageBytes: maximum)
        let events = whole.read(bytes)
        #expect(bytes.flatMap { cut.read(Data([$0])) } == events)
        return events
    }

    private static func code(_ events: [WebSocketReader.Event]) -> WebSocketCloseCode? {
        if case .violation(let violation)? = events.last { violation.code } else { nil }
    }

    // MARK: - Section 5.7

    @Test func `a single-frame unmasked text message`() {
        let wire = Self.bytes("81 05 48 65 6c 6c 6f")
        #expect(Self.server.encode(.text("Hello")) == wire)
        #expect(Self.events(wire) == [.message(.text("Hello"))])
    }

    @Test func `a single-frame masked text message`() {
        let wire = Self.bytes("81 85 37 fa 21 3d 7f 9f 4d 51 58")
        #expect(Self.client().encode(.text("Hello")) == wire)
        #expect(Self.events(wire, role: .server) == [.message(.text("Hello"))])
    }

    @Test func `a fragmented unmasked text message`() {
        #expect(Self.events(Self.bytes("01 03 48 65 6c 80 02 6c 6f")) == [.message(.text("Hello"))])
    }

    @Test func `an unmasked ping and its masked pong`() {
        #expect(Self.events(Self.bytes("89 05 48 65 6c 6c 6f")) == [.ping(Data("Hello".utf8))])
        let pong = Self.client().encode(WebSocketFrame(opcode: .pong, payload: Data("Hello".utf8)))
        #expect(pong == Self.bytes("8a 85 37 fa 21 3d 7f 9f 4d 51 58"))
        #expect(Self.events(pong, role: .server) == [.pong(Data("Hello".utf8))])
    }

    @Test(arguments: [(256, "82 7e 01 00"), (65536, "82 7f 00 00 00 00 00 01 00 00")])
    func `binary messages of 256 bytes and of 64 KiB`(count: Int, head: String) {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        #expect(Self.server.encode(.binary(data)) == Self.bytes(head) + data)
        var reader = WebSocketReader(role: .client, maximumMessageBytes: count)
        #expect(reader.read(Self.bytes(head) + data) == [.message(.binary(data))])
    }

    // MARK: - Lengths and masks

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65535, 65536, 65537, 1 << 20, 1 << 20 + 1, 3 << 20])
    func `messages of every length survive both ways`(count: Int) {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for role in [WebSocketRole.client, .server] {
            let wire = FrameEncoder(role: role).encode(.binary(data))
            var reader = WebSocketReader(role: role == .client ? .server : .client, maximumMessageBytes: count)
            #expect(reader.read(wire) == [.message(.binary(data))])
        }
    }

    @Test func `masking keys are random, and the payload is not on the wire`() {
        let encoder = FrameEncoder(role: .client)
        let text = String(repeating: "secret", count: 20)
        let frames = Set((0..<100).map { _ in encoder.encode(.text(text)) })
        #expect(frames.count > 95)
        #expect(frames.allSatisfy { $0.range(of: Data("secret".utf8)) == nil })
    }

    // MARK: - Fragments

    @Test func `control frames may come between fragments`() {
        var wire = Self.server.encode(WebSocketFrame(isFinal: false, opcode: .text, payload: Data("He".utf8)))
        wire += Self.server.encode(WebSocketFrame(opcode: .ping, payload: Data("p".utf8)))
        wire += Self.server.encode(WebSocketFrame(isFinal: false, opcode: .continuation))
        wire += Self.server.encode(WebSocketFrame(opcode: .pong, payload: Data("q".utf8)))
        wire += Self.server.encode(WebSocketFrame(opcode: .continuation, payload: Data("y".utf8)))
        #expect(
            Self.events(wire) == [.ping(Data("p".utf8)), .pong(Data("q".utf8)), .message(.text("Hey"))])
    }

    @Test func `text is checked over fragments, characters cut between them`() {
        func wire(_ pieces: [[UInt8]]) -> Data {
            pieces.enumerated().reduce(into: Data()) { data, piece in
                data += Self.server.encode(
                    WebSocketFrame(
                        isFinal: piece.offset == pieces.count - 1, opcode: piece.offset == 0 ? .text : .continuation,
                        payload: Data(piece.element)))
            }
        }
        #expect(Self.events(wire([[0xF0, 0x9F], [0x98], [0x80]])) == [.message(.text("\u{1F600}"))])
        #expect(Self.events(wire([[0xEF, 0xBB, 0xBF, 0x61]])) == [.message(.text("\u{FEFF}a"))])
        // Fails with the fragment that can't be right, not with the last.
        #expect(Self.code(Self.events(wire([[0xED, 0xA0], [0x80], [0x61]]).prefix(4))) == .invalidPayload)
        #expect(Self.code(Self.events(wire([[0x61], [0xC3]]))) == .invalidPayload)
        for invalid: [UInt8] in [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
        ] {
            #expect(Self.code(Self.events(wire([invalid]))) == .invalidPayload)
        }
        // Binary is not checked.
        #expect(Self.events(Self.server.encode(.binary(Data([0xFF])))) == [.message(.binary(Data([0xFF])))])
    }

    // MARK: - Violations

    @Test(arguments: [
        ("c1 00", "a reserved bit"), ("a1 00", "a reserved bit"), ("91 00", "a reserved bit"),
        ("83 00", "a reserved opcode"), ("87 00", "a reserved opcode"), ("8b 00", "a reserved opcode"),
        ("8f 00", "a reserved opcode"), ("09 00", "a ping in fragments"), ("08 00", "a close in fragments"),
        ("89 7e 00 7e", "a long ping"), ("88 7f", "a long close"), ("80 00", "a continuation of nothing"),
        ("00 00", "a continuation of nothing"), ("01 00 81 00", "a message within a message"),
        ("01 00 82 00", "a message within a message"), ("81 80 00 00 00 00", "a masked frame of a server"),
        ("82 7e 00 7d", "a length that is not minimal"), ("82 7f 00 00 00 00 00 00 ff ff", "the same, longer"),
        ("82 7f ff ff ff ff ff ff ff ff", "a negative length"), ("88 01 03", "half a close code"),
        ("88 02 03 e7", "999"), ("88 02 03 ec", "1004"), ("88 02 03 ed", "1005"), ("88 02 03 ee", "1006"),
        ("88 02 03 f7", "1015"), ("88 02 03 f8", "1016"), ("88 02 07 d0", "2000"), ("88 02 0b b7", "2999"),
        ("88 02 13 88", "5000"), ("88 02 ff ff", "65535"), ("88 02 00 00", "0"),
    ])
    func `broken frames are told with 1002`(hex: String, what: String) {
        #expect(Self.code(Self.events(Self.bytes(hex))) == .protocolError)
    }

    @Test func `an unmasked frame of a client is one too`() {
        #expect(Self.code(Self.events(Self.bytes("81 00"), role: .server)) == .protocolError)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func `close codes that may be sent`(code: UInt16) {
        let wire = Self.server.encodeClose(WebSocketCloseCode(code), reason: "why \u{E9}")
        #expect(Self.events(wire) == [.close(WebSocketClosure(code: WebSocketCloseCode(code), reason: "why \u{E9}"))])
    }

    @Test func `a close without a code, and with a reason that is not UTF-8`() {
        #expect(Self.events(Self.bytes("88 00")) == [.close(WebSocketClosure(code: .noStatus))])
        #expect(Self.code(Self.events(Self.bytes("88 03 03 e8 ff"))) == .invalidPayload)
        #expect(Self.code(Self.events(Self.bytes("88 04 03 e8 c3 28"))) == .invalidPayload)
    }

    @Test func `nothing counts after a close or a violation`() {
        let text = Self.server.encode(.text("late"))
        #expect(Self.events(Self.bytes("88 00") + text) == [.close(WebSocketClosure(code: .noStatus))])
        #expect(Self.events(Self.bytes("80 00") + text).count == 1)
    }

    @Test func `a message beyond the limit is told with 1009, before it is kept`() {
        let fits = Self.server.encode(.binary(Data(count: 10)))
        #expect(Self.events(fits, maximum: 10) == [.message(.binary(Data(count: 10)))])
        #expect(Self.code(Self.events(Self.bytes("82 0b"), maximum: 10)) == .messageTooBig)
        #expect(Self.code(Self.events(Self.bytes("82 7f 7f ff ff ff ff ff ff ff"), maximum: 10)) == .messageTooBig)
        // Over fragments.
        var wire = Self.server.encode(WebSocketFrame(isFinal: false, opcode: .binary, payload: Data(count: 6)))
        wire += Self.server.encode(WebSocketFrame(opcode: .continuation, payload: Data(count: 5)))
        #expect(Self.code(Self.events(wire, maximum: 10)) == .messageTooBig)
        // Control frames don't count.
        var pings = Self.server.encode(WebSocketFrame(isFinal: false, opcode: .binary, payload: Data(count: 10)))
        pings += Self.server.encode(WebSocketFrame(opcode: .ping, payload: Data(count: 100)))
        pings += Self.server.encode(WebSocketFrame(opcode: .continuation))
        #expect(Self.events(pings, maximum: 10).count == 2)
    }

    @Test func `garbage never traps, and the cuts make no difference Fuzz`() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 5)
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                var wire = Data()
                for _ in 0..<random.below(5) {
                    switch random.below(4) {
                    case 0: wire += Data((0..<random.below(20)).map { _ in UInt8(random.below(256)) })
                    case 1: wire += Self.server.encode(.text(String(repeating: "\u{E9}", count: random.below(100))))
                    case 2:
                        wire += Self.server.encode(
                            WebSocketFrame(opcode: .ping, payload: Data(count: random.below(126))))
                    default:
                        wire += Self.server.encode(
                            WebSocketFrame(
                                isFinal: random.below(2) == 0, opcode: random.below(2) == 0 ? .binary : .continuation,
                                payload: Data(count: random.below(300))))
                    }
                }
                var whole = WebSocketReader(role: .client, maximumMessageBytes: 1000)
                var cut = WebSocketReader(role: .client, maximumMessageBytes: 1000)
                let events = whole.read(wire)
                var pieces: [WebSocketReader.Event] = []
                var rest = wire
                while !rest.isEmpty {
                    let piece = rest.prefix(1 + random.below(9))
                    rest = rest.dropFirst(piece.count)
                    pieces += cut.read(piece)
                }
                #expect(pieces == events)
            }
        }
    }
}
