import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Reading header lines")
struct HeadParserTests {
    private func fields(_ bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { HeadParser.fields(in: $0, skippingFirstLine: true) }.fields.map {
            "\($0.name)=\($0.value)"
        }
    }

    private func fields(_ text: String) -> [String] { fields(Array(text.utf8)) }

    @Test("Lines of every shape")
    func lines() {
        #expect(fields("HTTP/1.1 200 OK\r\nA: 1\r\nB:2\r\n\r\n") == ["A=1", "B=2"])
        #expect(fields("x\nA: 1\nB:\t 2 \t\n\n") == ["A=1", "B=2"])
        #expect(fields("x\r\nA: 1") == ["A=1"])
        #expect(fields("x\r\nA:\r\n:v\r\nnothing\r\n") == ["A="])
        #expect(fields("x\r\nA: 1\r\n  2\r\n\t3\r\n \r\n") == ["A=1 2 3"])
        #expect(fields("x\r\n folded first\r\nA: 1") == ["A=1"])
        #expect(fields("x\r\nA:\r\n 1") == ["A=1"])
        #expect(fields("x\r\nA : b:c") == ["A=b:c"])
        #expect(fields("").isEmpty)
        #expect(fields("x").isEmpty)
        #expect(fields("\r\n\r\n\n\n").isEmpty)
    }

    @Test("UTF-8 where it is valid, Latin-1 where it isn't")
    func encodings() {
        #expect(fields("x\r\nA: Zoë") == ["A=Zoë"])
        #expect(fields(Array("x\r\nA: caf".utf8) + [0xE9]) == ["A=café"])
        #expect(fields(Array("x\r\nA: ".utf8) + [0xFF, 0xFE]) == ["A=ÿþ"])
    }

    @Test("No bytes can make it stop")
    func anyBytesFuzz() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<FuzzRounds.count(full: 10_000) {
            let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator)
                    : [0x0A, 0x0D, 0x3A, 0x20, 0x41][Int.random(in: 0..<5, using: &generator)]
            }
            _ = fields(bytes)
        }
    }
}
