import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct StreamValuesTests {
    struct Item: Decodable, Equatable, Sendable {
        var n: Int
    }

    private func session(_ body: String) -> SessionManager {
        SessionManager(transport: StubTransport { .stub(for: $0, data: Data(body.utf8)) })
    }

    @Test func `values come one a line, blank lines and a byte-order mark left out`() async throws {
        let session = session("\u{FEFF}{\"n\":1}\n\r\n  \n{\"n\":\r2}\r\n{\"n\":3}")
        var items: [Item] = []
        for try await item in session.stream("http://h/").values(of: Item.self) { items.append(item) }
        #expect(items == [Item(n: 1), Item(n: 2), Item(n: 3)])
    }

    @Test func `a line that is no value ends the stream with its number`() async throws {
        let session = session("{\"n\":1}\n\n{\"n\":\"x\"}\n{\"n\":3}\n")
        var items: [Item] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await item in session.stream("http://h/").values(of: Item.self) { items.append(item) }
        }
        #expect(items == [Item(n: 1)])
        guard case .decoding(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.line == 3)
        #expect(failure.path == "n")
        #expect(failure.description.contains("in line 3"))
    }

    @Test func `or is left out and reported`() async throws {
        let session = session("{\"n\":1}\nnonsense\n{\"n\":3}\n{")
        let left = Collector<InvalidLine>()
        var items: [Item] = []
        let values = session.stream("http://h/").values(of: Item.self, invalidLines: .skip { left.add($0) })
        for try await item in values { items.append(item) }
        #expect(items == [Item(n: 1), Item(n: 3)])
        #expect(left.all.map(\.failure.line) == [2, 4])
        #expect(left.all.map { String(decoding: $0.content, as: UTF8.self) } == ["nonsense", "{"])
    }

    @MainActor @Test func `values are decoded off the consumer's actor`() async throws {
        struct Probe: Decodable, Sendable {
            var wasMain: Bool
            init(from decoder: any Decoder) throws { wasMain = Thread.isMainThread }
        }
        let session = session("1\n2\n")
        for try await probe in session.stream("http://h/").values(of: Probe.self) {
            #expect(!probe.wasMain)
        }
    }
}
