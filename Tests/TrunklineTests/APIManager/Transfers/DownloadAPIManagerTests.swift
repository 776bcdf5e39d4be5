import Foundation
import Observation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Download managers")
struct DownloadAPIManagerTests {
    private func rig(_ routes: (LoopbackServer) -> Void) throws -> TransferRig<FileAPI> {
        let rig = try TransferRig(FileAPI(), routes)
        let target = rig.target
        rig.manager.place = { _ in .directory(target) }
        return rig
    }

    @Test("A load goes through every step, the whole is told before the success, and the file is there then")
    func order() async throws {
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0) } }
        var seen: URL?
        rig.screen.onEnd = { seen = ($0 as? FileAPI)?.fileURL }
        #expect(await rig.loadOnce())
        #expect(
            rig.screen.log == [
                "params", "shouldCall", "validate params", "afterCall", "progress", "validate data", "progress",
                "beforeSuccess", "success", "afterSuccess",
            ]
                || rig.screen.log == [
                    "params", "shouldCall", "validate params", "afterCall", "progress", "validate data",
                    "beforeSuccess",
                    "success", "afterSuccess",
                ], "\(rig.screen.log)")
        let whole = ProgressLog.Value(completed: Int64(RangedContent.size), total: Int64(RangedContent.size))
        #expect(rig.progress.values.last == whole && rig.progress.values.filter { $0 == whole }.count == 1)
        #expect(zip(rig.progress.values, rig.progress.values.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        #expect(rig.manager.progress?.fraction == 1 && rig.progress.sent == 0)
        #expect(seen == rig.file("f") && rig.manager.response?.fileURL == seen && rig.names == ["f"])
        #expect(try Data(contentsOf: rig.file("f")) == RangedContent.bytes)
    }

    @Test("Awaited, with a closure, and as a sequence of values that ends with the load")
    func awaited() async throws {
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0, rate: 2_000_000) } }
        #expect(try await rig.manager.loadFile() == rig.file("f"))
        var outcome: Result<URL, APIError>?
        rig.manager.loadFile { outcome = $0 }
        var values: [TransferProgress] = []
        for await progress in rig.manager.progressUpdates { values.append(progress) }
        #expect(values.last == TransferProgress(completed: 400_000, total: 400_000))
        #expect(await eventually { outcome != nil })
        #expect(try outcome?.get() == rig.file("f (1)"))
        for await _ in rig.manager.progressUpdates { Issue.record("no load, and a value") }
        let batch = await rig.manager.awaitedTwice()
        #expect(batch == 2 && rig.names == ["f", "f (1)", "f (2)", "f (3)"])
    }

    @Test("Progress is observable, and values come no faster than asked")
    func observed() async throws {
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0, rate: 1_000_000) } }
        rig.manager.progressInterval = .seconds(30)
        let isChanged = Protected(false)
        withObservationTracking {
            _ = rig.manager.progress
        } onChange: {
            isChanged.withLock { $0 = true }
        }
        #expect(await rig.loadOnce())
        #expect(isChanged.current && rig.manager.progress?.fraction == 1)
        // The first, and the whole.
        #expect(rig.progress.values.count <= 2 && rig.progress.values.last?.completed == 400_000)
    }

    @Test("An answer that is no file explains itself, and nothing changes where the file would be")
    func refused() async throws {
        let rig = try rig { server in
            server.route(.get, "/f", respond: .json(#"{"message": "gone"}"#, status: 404))
        }
        let file = rig.file("f")
        try Data("old".utf8).write(to: file)
        rig.manager.place = { _ in .file(file) }
        rig.screen.dataVerdict = { .invalid($0.json?["message"]?.string ?? "no JSON") }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .serverError(status: 404, body: Data(#"{"message": "gone"}"#.utf8)))
        #expect(rig.manager.errorMessage == "gone" && rig.manager.fileURL == nil)
        #expect(rig.text("f") == "old" && rig.names == ["f"])
        #expect(!rig.progress.values.contains { $0.completed == $0.total })
    }

    @Test("A file the validator refuses never gets to its place")
    func unaccepted() async throws {
        let rig = try rig { $0.route(.get, "/f", respond: .text("new")) }
        let file = rig.file("f")
        try Data("old".utf8).write(to: file)
        rig.manager.place = { _ in .file(file) }
        rig.screen.dataVerdict = { $0.fileURL == nil ? .valid : .invalid("not that one") }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .noContent && rig.manager.errorMessage == "not that one")
        #expect(rig.text("f") == "old")
        #expect(await eventually { rig.names == ["f"] }, "\(rig.names)")
        rig.screen.dataVerdict = { _ in .valid }
        #expect(await rig.loadOnce())
        #expect(rig.text("f") == "new" && rig.names == ["f"])
    }

    @Test("A file waits elsewhere while a hook is waited for, and is gone when the load is cancelled then")
    func hook() async throws {
        let rig = try rig { $0.route(.get, "/f", respond: .text("new")) }
        let (door, outer) = (HookDoor(), OuterHooks(rig.screen))
        rig.manager.interceptor = outer
        var waiting: URL?
        outer.success = { response in
            waiting = response.fileURL
            await door.pass()
            return true
        }
        let id = try #require(rig.manager.loadData())
        #expect(await eventually { door.arrivals == 1 })
        let file = try #require(waiting)
        #expect(rig.names == [] && FileManager.default.fileExists(atPath: file.path))
        #expect(file.path.hasPrefix(rig.root.appendingPathComponent("transfers").path))
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        door.open()
        #expect(await eventually { !FileManager.default.fileExists(atPath: file.path) })
        #expect(rig.screen.ends.map(\.type) == [.cancelled] && rig.names == [])
        #expect(await rig.loadOnce())
        #expect(rig.names == ["f"] && rig.manager.fileURL == rig.file("f"))
    }

    @Test("A token that is refused is a token error, with its event")
    func token() async throws {
        let rig = try rig { $0.route(.get, "/f", respond: .status(401)) }
        rig.service.tokenErrorStatus = 401
        var events = 0
        rig.service.onEvent = { if case .tokenInvalid = $0 { events += 1 } }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .tokenError && events == 1 && rig.names == [])
    }

    @Test("Names of the server stay in the directory; of the manager's own, it says which")
    func places() async throws {
        let rig = try rig { server in
            server.route(
                .get, "/f",
                respond: .text("x", headers: ["Content-Disposition": "attachment; filename=\"../../e/..\\evil.txt\""]))
        }
        #expect(await rig.loadOnce())
        #expect(rig.names == ["evil.txt"])
        let target = rig.target
        rig.screen.params = ["id": 7]
        rig.manager.place = { params in
            .file(target.appendingPathComponent("deep/cover-\(params["id"]?.int ?? 0)"))
        }
        #expect(await rig.loadOnce())
        #expect(rig.text("deep/cover-7") == "x")
        struct NoPlace: Error {}
        rig.manager.place = { _ in throw NoPlace() }
        let sent = rig.server.requests.count
        #expect(rig.manager.loadData() == nil)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.manager.errorType == .requestError && rig.server.requests.count == sent)
    }

    @Test("A file that is there fails a load that may not replace it")
    func conflict() async throws {
        let rig = try rig { $0.route(.get, "/f", respond: .text("new")) }
        let file = rig.file("f")
        try Data("old".utf8).write(to: file)
        rig.manager.place = { _ in .file(file, onConflict: .fail) }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .requestError && rig.screen.ends.count == 1)
        #expect(rig.text("f") == "old")
        #expect(await eventually { rig.names == ["f"] }, "\(rig.names)")
        #expect(rig.screen.log.suffix(3) == ["beforeFail", "failed", "afterFail"])
    }

    @Test("Content with the wrong sum is refused")
    func checksum() async throws {
        let rig = try rig { $0.route(.get, "/f", respond: .text("abc")) }
        rig.manager.sum = .sha256(String(repeating: "0", count: 64))
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .invalidContent && rig.names == [])
        rig.manager.sum = .sha256("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .success && rig.names == ["f"])
    }

    // MARK: - Going on

    @Test("After a lost connection a later load, of another process too, goes on where the first stopped")
    func resumed() async throws {
        let count = Protected(0)
        let rig = try rig { server in
            server.route(.get, "/f") { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return RangedContent.response(request, cut: number == 1 ? 150_000 : nil)
            }
        }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .connectionError && rig.names == [])
        let first = rig.progress.values.count
        rig.startAnew()
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .success, "\(String(describing: rig.manager.error))")
        #expect(rig.server.requests.last?.headers["Range"]?.hasPrefix("bytes=1") == true)
        #expect((rig.progress.values.dropFirst(first).first?.completed ?? 0) > 100_000)
        #expect(try Data(contentsOf: rig.file("f")) == RangedContent.bytes)
    }

    @Test("A cancel ends it once; what has arrived is kept, or not, as asked", arguments: [true, false])
    func cancelled(keeps: Bool) async throws {
        let gate = LoopbackGate()
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0, gate: gate) } }
        let id = try #require(rig.manager.loadData())
        #expect(await eventually { rig.progress.values.contains { $0.completed > 0 } })
        rig.manager.cancelRequest(id, keepingPartial: keeps)
        let heard = rig.progress.values.count
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && rig.progress.values.count == heard)
        gate.open()
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .success && rig.screen.ends.count == 2)
        #expect((rig.server.requests.last?.headers["Range"] != nil) == keeps)
        #expect(try Data(contentsOf: rig.file("f")) == RangedContent.bytes && rig.names == ["f"])
    }

    @Test("A user who has changed gets nothing of the one before")
    func userSwitch() async throws {
        let gate = LoopbackGate()
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0, gate: gate) } }
        rig.service.userIdentifier = "a"
        rig.manager.loadData()
        #expect(await eventually { !rig.progress.values.isEmpty })
        rig.service.userIdentifier = "b"
        gate.open()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled)
        #expect(await eventually { rig.names == [] }, "\(rig.names)")
    }

    @Test("A load that is held stops, and goes on")
    func suspended() async throws {
        let gate = LoopbackGate()
        let rig = try rig { $0.route(.get, "/f") { RangedContent.response($0, gate: gate) } }
        let id = try #require(rig.manager.loadData())
        #expect(await eventually { !rig.progress.values.isEmpty })
        rig.manager.suspendAllRequests()
        #expect(rig.manager.isSuspended(id) && rig.manager.isLoading)
        gate.open()
        // Unheld, the rest would be here in no time.
        try await Task.sleep(for: .milliseconds(500))
        #expect(rig.screen.ends.isEmpty && rig.manager.isLoading, "\(rig.screen.ends) \(rig.manager.errorType)")
        rig.manager.resumeRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.errorType == .success && rig.names == ["f"])
    }

    @Test("A manager that is released takes its load with it, and leaves no file")
    func released() async throws {
        let gate = LoopbackGate()
        var rig: TransferRig<FileAPI>? = try self.rig {
            $0.route(.get, "/f") { RangedContent.response($0, gate: gate) }
        }
        let (service, progress, screen) = try #require(rig.map { ($0.service, $0.progress, $0.screen) })
        rig?.manager.loadData()
        #expect(await eventually { !progress.values.isEmpty })
        weak let manager = rig?.manager
        rig = nil
        #expect(await eventually { manager == nil })
        #expect(await eventually { service.session.activeRequests.isEmpty })
        #expect(screen.ends.isEmpty)
    }
}

extension FileAPI {
    /// How many of two loads side by side succeed.
    fileprivate func awaitedTwice() async -> Int {
        async let first = loadFile()
        async let second = loadFile()
        var count = 0
        if (try? await first) != nil { count += 1 }
        if (try? await second) != nil { count += 1 }
        return count
    }
}
