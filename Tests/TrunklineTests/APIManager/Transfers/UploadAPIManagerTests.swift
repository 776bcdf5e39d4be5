import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// An upload with every hook settable.
final class SendAPI: UploadAPIManager, APIManagerProtocol {
    var method = "up"
    var content: APIUploadContent?
    var onMayCall: () async -> Bool = { true }
    func methodName() -> String { method }
    func serviceIdentifier() -> ServiceIdentifier { .test }
    override func uploadContent(with params: Parameters) throws -> APIUploadContent {
        try content ?? super.uploadContent(with: params)
    }
    override func mayCallAPI(with params: Parameters) async -> Bool { await onMayCall() }
}

@MainActor
@Suite("Upload managers")
struct UploadAPIManagerTests {
    private func rig(_ content: APIUploadContent?, _ routes: (LoopbackServer) -> Void) throws -> TransferRig<SendAPI> {
        let api = SendAPI()
        api.content = content
        return try TransferRig(api, routes)
    }

    private func form(_ size: Int = 200_000) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(LoopbackPattern(seed: 3).bytes(count: size), name: "photo", fileName: "p.jpg")
        return form
    }

    @Test("A form has the parameters as its first fields, and the whole is told before the success")
    func multipart() async throws {
        let rig = try rig(.multipart(form())) { server in
            server.route(.post, "/books/{id}/up", respond: .json(#"{"ok": true}"#))
        }
        rig.manager.method = "books/{id}/up"
        rig.screen.params = ["id": 7, "title": "Tea & cake =ä+ %41", "user": ["name": "x"], "tags": ["a", "b"]]
        rig.service.params = ["app": "t"]
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .success, "\(String(describing: rig.manager.error))")
        let request = try #require(rig.server.requests.first)
        #expect(request.target == "/books/7/up")
        let text = String(decoding: request.body, as: UTF8.self)
        let names = text.components(separatedBy: "; name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(names == ["app", "tags[]", "tags[]", "title", "user[name]", "photo"])
        #expect(text.contains("\r\n\r\nTea & cake =ä+ %41\r\n") && text.contains("\r\n\r\nx\r\n"))
        #expect(request.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        let whole = ProgressLog.Value(completed: request.bodyCount, total: request.bodyCount)
        #expect(rig.progress.values.last == whole && rig.progress.values.filter { $0 == whole }.count == 1)
        #expect(rig.progress.sent == rig.progress.values.count && rig.manager.progress?.fraction == 1)
        let log = rig.screen.log
        #expect(log.prefix(4) == ["params", "shouldCall", "validate params", "afterCall"])
        #expect(log.suffix(3) == ["beforeSuccess", "success", "afterSuccess"])
        #expect(log.lastIndex(of: "progress").map { $0 < log.count - 3 } == true)
    }

    @Test("Bytes and files go as they are, with the parameters in the query")
    func content() async throws {
        let rig = try rig(.data(Data("abc".utf8), contentType: "text/x-test")) { server in
            server.route(.post, "/up", respond: .json(#"{"id": 9}"#))
        }
        rig.screen.params = ["a": 1]
        #expect(await rig.loadOnce())
        let file = rig.file("note.txt")
        try Data("of a file".utf8).write(to: file)
        rig.manager.content = .file(file)
        struct Made: Decodable { let id: Int }
        #expect(try await rig.manager.loadValue(of: Made.self).id == 9)
        rig.manager.content = .content(.json(["k": 1]))
        #expect(await rig.loadOnce())
        let requests = rig.server.requests
        #expect(requests.map(\.target) == ["/up?a=1", "/up?a=1", "/up?a=1"])
        #expect(requests.map(\.text) == ["abc", "of a file", #"{"k":1}"#])
        #expect(requests.map { $0.headers["Content-Type"] } == ["text/x-test", "text/plain", "application/json"])
        struct Other: Decodable { let name: String }
        let error = await #expect(throws: APIError.self) { try await rig.manager.loadValue(of: Other.self) }
        #expect(error?.type == .invalidContent)
    }

    @Test("What can't be uploaded ends the load once, and nothing is sent")
    func impossible() async throws {
        let rig = try rig(nil) { $0.route(.post, "/up", respond: .json("{}")) }
        #expect(rig.manager.loadData() == nil)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.errorType == .requestError)
        #expect(rig.manager.error?.reason.contains("uploadContent") == true)
        rig.manager.content = .file(rig.file("missing"))
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .requestError && rig.screen.ends.count == 2)
        var form = MultipartFormData()
        form.append(file: rig.file("missing"), name: "f")
        rig.manager.content = .multipart(form)
        #expect(rig.manager.loadData() == nil)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.manager.errorType == .requestError && rig.server.requests.isEmpty)
    }

    @Test("A refused upload is a failure in the server's words, and a refused token an event")
    func refused() async throws {
        let rig = try rig(.multipart(form(10))) { server in
            server.route(.post, "/up", respond: .json(#"{"message": "too big"}"#, status: 413))
            server.route(.post, "/in", respond: .status(401))
        }
        rig.screen.dataVerdict = { .invalid($0.json?["message"]?.string ?? "none") }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorMessage == "too big" && rig.manager.response?.statusCode == 413)
        rig.manager.method = "in"
        rig.service.tokenErrorStatus = 401
        var events = 0
        rig.service.onEvent = { _ in events += 1 }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorType == .tokenError && events == 1)
    }

    @Test("A hook that waits holds the upload, and a cancel ends it with nothing sent")
    func hook() async throws {
        let rig = try rig(.multipart(form(10))) { $0.route(.post, "/up", respond: .json("{}")) }
        let isOpen = Protected(false)
        rig.manager.onMayCall = {
            while !isOpen.current, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            return true
        }
        let id = try #require(rig.manager.loadData())
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.errorType == .cancelled && rig.progress.values.isEmpty)
        rig.manager.loadData()
        isOpen.withLock { $0 = true }
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.manager.errorType == .success && rig.server.requests.count == 1)
    }

    @Test("A load that is held before it is sent stays so until it may go on")
    func held() async throws {
        let rig = try rig(.multipart(form(10))) { $0.route(.post, "/up", respond: .json("{}")) }
        let isOpen = Protected(false)
        rig.manager.onMayCall = {
            while !isOpen.current { try? await Task.sleep(for: .milliseconds(1)) }
            return true
        }
        rig.manager.loadData()
        let other = try #require(rig.manager.loadData())
        rig.manager.suspendAllRequests()
        isOpen.withLock { $0 = true }
        try await Task.sleep(for: .milliseconds(50))
        #expect(rig.server.requests.isEmpty && rig.screen.ends.isEmpty && !rig.screen.log.contains("afterCall"))
        rig.manager.cancelRequest(other)
        #expect(await eventually { rig.screen.ends.map(\.type) == [.cancelled] })
        rig.manager.resumeAllRequests()
        #expect(await eventually { rig.screen.ends.map(\.type) == [.cancelled, .success] })
        #expect(rig.server.requests.count == 1)
    }

    // MARK: - Going on

    @Test("A resumable file goes on where the server is, after a cancel and with another manager")
    func resumable() async throws {
        let gate = LoopbackGate()
        let server = TusServer(holdsFrom: 100_000, gate: gate)
        let rig = try rig(nil) { server.attach(to: $0) }
        let file = rig.file("f.bin")
        let content = LoopbackPattern(seed: 4).bytes(count: 300_000)
        try content.write(to: file)
        rig.manager.content = .resumableFile(file, by: .tus(chunkSize: 100_000))
        let id = try #require(rig.manager.loadData())
        #expect(await eventually { gate.waiting == 1 })
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.errorType == .cancelled)
        gate.open()
        let other = SendAPI()
        other.content = rig.manager.content
        other.serviceFactory = rig.manager.serviceFactory
        other.progressDelegate = rig.progress
        rig.screen.attach(other)
        let heard = rig.progress.values.count
        other.progressInterval = .zero
        other.loadData()
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(other.errorType == .success, "\(String(describing: other.error))")
        #expect(server.data == content && server.created == 1)
        #expect((rig.progress.values.dropFirst(heard).first?.completed ?? 0) >= 100_000)
        #expect(rig.progress.values.last == ProgressLog.Value(completed: 300_000, total: 300_000))
    }

    @Test("A refused resumable upload is read as any answer")
    func resumableRefused() async throws {
        let rig = try rig(nil) { $0.route(.post, "/up", respond: .json(#"{"message": "no room"}"#, status: 413)) }
        let file = rig.file("f.bin")
        try Data("abc".utf8).write(to: file)
        rig.manager.content = .resumableFile(file, by: .tus())
        rig.screen.dataVerdict = { .invalid($0.json?["message"]?.string ?? "none") }
        #expect(await rig.loadOnce())
        #expect(rig.manager.errorMessage == "no room" && rig.manager.response?.statusCode == 413)
    }
}

/// As much of a tus server as one upload needs.
private final class TusServer: Sendable {
    private struct State {
        var data = Data()
        var length = 0
        var created = 0
    }

    private let state = Protected(State())
    private let holdsFrom: Int
    private let gate: LoopbackGate

    init(holdsFrom: Int, gate: LoopbackGate) {
        self.holdsFrom = holdsFrom
        self.gate = gate
    }

    var data: Data { state.current.data }
    var created: Int { state.current.created }

    func attach(to server: LoopbackServer) {
        server.route(.post, "/up") { [state] request in
            state.withLock { state in
                state.created += 1
                state.length = Int(request.headers["Upload-Length"] ?? "") ?? 0
            }
            return .status(201, headers: ["Location": "/files/1", "Tus-Resumable": "1.0.0"])
        }
        server.route(.head, "/files/1") { [state] _ in
            .status(
                200,
                headers: [
                    "Upload-Offset": "\(state.current.data.count)", "Upload-Length": "\(state.current.length)",
                    "Tus-Resumable": "1.0.0",
                ])
        }
        server.route(.patch, "/files/1") { [state, gate, holdsFrom] request in
            if state.current.data.count >= holdsFrom { try await gate.wait() }
            return state.withLock { state in
                guard Int(request.headers["Upload-Offset"] ?? "") == state.data.count else { return .status(409) }
                state.data.append(request.body)
                return .status(204, headers: ["Upload-Offset": "\(state.data.count)", "Tus-Resumable": "1.0.0"])
            }
        }
    }
}
