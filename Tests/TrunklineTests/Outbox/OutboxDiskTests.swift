import Foundation
import Testing
import Trunkline
import TrunklineTesting

@Suite struct OutboxDiskTests {
    private let directory = OutboxDirectory()
    private let server = StubServer()

    private func open(_ sealer: FlippingSealer? = nil, setsAside: Bool = false) throws -> Outbox {
        try Outbox(
            directory: directory.url, session: server.session,
            configuration: OutboxConfiguration(setsAsideUnsealable: setsAside), sealer: sealer)
    }

    @Test func `One directory has one outbox at a time`() async throws {
        var first: Outbox? = try open()
        #expect(throws: OutboxError.inUse(directory: directory.url.path)) { try open() }
        await first?.close()
        var second: Outbox? = try open()
        first = nil
        #expect(throws: OutboxError.self) { try open() }
        second = nil
        _ = second
        #expect(await eventually { (try? open()) != nil })
    }

    @Test func `Damage at any byte costs that entry alone, and is told`() async throws {
        let written = try open()
        for number in 0..<3 { try await written.enqueue(.post("http://h/\(number)"), lane: "l") }
        await written.close()
        let file = try #require(directory.entryFiles.dropFirst().first)
        let bytes = try Data(contentsOf: file)
        for index in stride(from: 0, to: bytes.count, by: FuzzRounds.stride) {
            var damaged = bytes
            damaged[index] ^= 0x20
            try damaged.write(to: file)
            let outbox = try open()
            #expect(await outbox.entries.map(\.url) == ["http://h/0", "http://h/2"])
            #expect(await outbox.damagedFiles.count == 1)
            await outbox.close()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
        let outbox = try open()
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/0", "/2"])
    }

    @Test func `Damage that comes later is noticed before the entry is sent`() async throws {
        let outbox = try open()
        var events = outbox.events.makeAsyncIterator()
        let source = directory.url.appendingPathComponent("source")
        try Data("body".utf8).write(to: source)
        try await outbox.enqueue(.post("http://h/0"))
        try await outbox.enqueue(.post("http://h/1", body: .file(source)))
        try await outbox.enqueue(.post("http://h/2"))
        try Data("TLOUTBOX1\nno".utf8).write(to: try #require(directory.entryFiles.first))
        let body = try #require(directory.names.first { $0.hasSuffix(".body") })
        try Data("bodY".utf8).write(to: directory.url.appendingPathComponent(body))
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/2"])
        #expect(await outbox.damagedFiles.count == 2)
        var damaged = 0
        while damaged < 2, let event = await events.next() { if case .damaged = event { damaged += 1 } }
    }

    @Test func `What does not belong there blocks nothing`() async throws {
        let written = try open()
        try await written.enqueue(.post("http://h/0"))
        await written.close()
        let bytes = try Data(contentsOf: try #require(directory.entryFiles.first))
        // A copy under another name, a directory, an empty file, a false name, rests of a killed process.
        try bytes.write(to: directory.url.appendingPathComponent("0000000000000009.entry"))
        try FileManager.default.createDirectory(
            at: directory.url.appendingPathComponent("0000000000000005.entry"), withIntermediateDirectories: false)
        for name in [
            "0000000000000002.entry", "zzz.entry", "ffffffffffffffff.entry", ".x.tmp", "0000000000000007.body",
        ] {
            try Data().write(to: directory.url.appendingPathComponent(name))
        }
        let outbox = try open()
        #expect(await outbox.entries.map(\.url) == ["http://h/0"])
        #expect(await outbox.damagedFiles.count == 5)
        #expect(directory.names.filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".body") }.isEmpty)
        try await outbox.enqueue(.post("http://h/1"))
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/0", "/1"])
    }

    @Test func `Sealed entries show nothing, and another key loses nothing unless it is asked to`() async throws {
        let written = try open(FlippingSealer(mark: 1))
        try await written.enqueue(.post("http://h/secret", body: .text("private")))
        await written.close()
        let bytes = try Data(contentsOf: try #require(directory.entryFiles.first))
        #expect(bytes.range(of: Data("secret".utf8)) == nil && bytes.range(of: Data("private".utf8)) == nil)
        let error = #expect(throws: OutboxError.self) { try open(FlippingSealer(mark: 2)) }
        guard case .sealer = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(directory.entryFiles.count == 1)
        let right = try open(FlippingSealer(mark: 1))
        #expect(await right.entries.count == 1)
        await right.close()
        let lost = try open(FlippingSealer(mark: 2), setsAside: true)
        #expect(await lost.entries.isEmpty)
        #expect(await lost.damagedFiles.count == 1)
    }

    @Test func `Attempts are counted over processes`() async throws {
        server.answers.withLock { $0 = { _, _ in (503, [:]) } }
        for round in 1...3 {
            let outbox = try open()
            if round == 1 { try await outbox.enqueue(.post("http://h/0")) }
            #expect(await outbox.entries.first?.attempts == round - 1)
            await outbox.start()
            #expect(await eventually(outbox) { $0.first?.attempts == round && $0.first?.state == .waiting })
            await outbox.close()
        }
        try Data("not a number".utf8).write(
            to: directory.url.appendingPathComponent(try #require(directory.names.first { $0.hasSuffix(".attempts") })))
        let outbox = try open()
        #expect(await outbox.entries.map(\.attempts) == [0])
    }

    @Test func `An outbox that waits for hours is released, and its directory is free`() async throws {
        server.answers.withLock { $0 = { _, _ in (503, ["Retry-After": "3600"]) } }
        var outbox: Outbox? = try open()
        try await outbox?.enqueue(.post("http://h/0"))
        await outbox?.start()
        #expect(await eventually { server.paths.count == 1 })
        outbox = nil
        let freed = await eventually { (try? open()) != nil }
        #expect(freed)
    }
}
