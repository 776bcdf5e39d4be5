import Foundation
import Testing

@testable import TrunklineHTTP

@Suite struct LineSplitterTests {
    /// The lines of the pieces.
    private func lines(_ pieces: [Data], splitsAtCR: Bool = true, maximum: Int = 1000) throws -> [String] {
        var splitter = LineSplitter(maximumLength: maximum, splitsAtCR: splitsAtCR)
        var lines: [String] = []
        for piece in pieces {
            splitter.append(piece)
            while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        if let last = try splitter.finish() { lines.append(String(decoding: last, as: UTF8.self)) }
        #expect(try splitter.finish() == nil)
        #expect(splitter.count == lines.count)
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]), ("\n", [""]), ("\r\n", [""]),
        ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\n\nb", ["a", "", "b"]),
        ("a\r\rb", ["a", "", "b"]), ("a\r\n\r\nb", ["a", "", "b"]), ("a\n\rb", ["a", "", "b"]),
        ("a\r\n\nb\r", ["a", "", "b"]), ("\u{E9}\u{1F600}\r\nx", ["\u{E9}\u{1F600}", "x"]),
    ])
    func `lines end with LF, CR LF or CR, wherever the pieces are cut`(text: String, expected: [String]) throws {
        let bytes = Data(text.utf8)
        #expect(try lines([bytes]) == expected)
        #expect(try lines(bytes.map { Data([$0]) }) == expected)
        for cut in 0...bytes.count {
            #expect(try lines([bytes.prefix(cut), bytes.dropFirst(cut)]) == expected, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        ("a\rb\nc", ["a\rb", "c"]), ("a\r\nb", ["a", "b"]), ("a\r", ["a\r"]), ("a\r\r\nb", ["a\r", "b"]),
    ])
    func `where only LF ends a line, CR stays`(text: String, expected: [String]) throws {
        let bytes = Data(text.utf8)
        #expect(try lines([bytes], splitsAtCR: false) == expected)
        #expect(try lines(bytes.map { Data([$0]) }, splitsAtCR: false) == expected)
    }

    @Test(arguments: [true, false])
    func `a line of the greatest length is one, a longer one is an error that names it`(splitsAtCR: Bool) throws {
        for end in ["\n", "\r\n", ""] {
            let fits = Data(("x\n" + String(repeating: "a", count: 10) + end).utf8)
            #expect(try lines([fits], splitsAtCR: splitsAtCR, maximum: 10).count == 2)
            #expect(try lines(fits.map { Data([$0]) }, splitsAtCR: splitsAtCR, maximum: 10).count == 2)
            let long = Data(("x\n" + String(repeating: "a", count: 11) + end).utf8)
            for pieces in [[long], long.map { Data([$0]) }] {
                let error = #expect(throws: HTTPError.self) {
                    try lines(pieces, splitsAtCR: splitsAtCR, maximum: 10)
                }
                guard case .invalidResponse(let reason) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(reason == "line 2 is longer than 10 bytes")
            }
        }
    }

    @Test func `any cuts give the same lines Fuzz`() async throws {
        try await HeavyWork.run {
            var random = SeededRandom(seed: 7)
            let alphabet = Array("ab\n\r\n\r\u{E9}".utf8)
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                let bytes = Data((0..<random.below(40)).map { _ in alphabet[random.below(alphabet.count)] })
                var pieces: [Data] = []
                var rest = bytes
                while !rest.isEmpty {
                    let count = 1 + random.below(5)
                    // Half of them as slices, whose indices don't begin at 0.
                    let piece = rest.prefix(count)
                    pieces.append(random.below(2) == 0 ? piece : Data(piece))
                    rest = rest.dropFirst(count)
                }
                for splitsAtCR in [true, false] {
                    let whole = try lines([bytes], splitsAtCR: splitsAtCR)
                    #expect(try lines(pieces, splitsAtCR: splitsAtCR) == whole)
                }
            }
        }
    }

    @Test func `many short lines in one piece take linear time`() async throws {
        try await HeavyWork.run {
            for end in ["\r", "\n"] {
                let data = Data(String(repeating: "abcdefg" + end, count: 100_000).utf8)
                let start = ContinuousClock.now
                let found = try lines([data])
                #expect(found.count == 100_000)
                #expect(ContinuousClock.now - start < .seconds(30))
            }
        }
    }
}
