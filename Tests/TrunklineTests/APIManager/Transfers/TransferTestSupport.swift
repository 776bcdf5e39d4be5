import Foundation
import Trunkline
import TrunklineTesting

/// A service whose session reaches a real server.
final class TransferService: TestService {
    var own: SessionManager?
    var signs: RequestSigning?
    override var session: SessionManager { own ?? .default }
    override var signing: RequestSigning? { signs }
}

/// Hears progress, and writes it into the log of a screen, so that its place among the callbacks is seen.
@MainActor
final class ProgressLog: APIManagerProgressDelegate {
    struct Value: Equatable {
        var completed: Int64
        var total: Int64?
    }

    var values: [Value] = []
    var ids: Set<RequestID> = []
    var sent = 0
    weak var screen: Screen?
    var onValue: ((Value) -> Void)?

    func manager(_ manager: BaseAPIManager, didSend sent: Int64, of total: Int64?, requestID: RequestID) {
        self.sent += 1
        note(sent, total, requestID)
    }

    func manager(_ manager: BaseAPIManager, didReceive received: Int64, of total: Int64?, requestID: RequestID) {
        note(received, total, requestID)
    }

    private func note(_ completed: Int64, _ total: Int64?, _ id: RequestID) {
        let value = Value(completed: completed, total: total)
        values.append(value)
        ids.insert(id)
        if screen?.log.last != "progress" { screen?.log.append("progress") }
        onValue?(value)
    }
}

/// A transfer manager with all it needs, over a loopback server and a directory of its own.
@MainActor
final class TransferRig<Manager: TransferAPIManager> {
    let server: LoopbackServer
    let service = TransferService()
    let screen = Screen()
    let progress = ProgressLog()
    let manager: Manager
    nonisolated let root: URL
    nonisolated let target: URL

    init(_ manager: Manager, retry: RetryPolicy = .never, _ routes: (LoopbackServer) -> Void) throws {
        self.manager = manager
        root = FileManager.default.temporaryDirectory
            .appendingPathComponent("trunkline-manager-\(UUID().uuidString)", isDirectory: true)
        target = root.appendingPathComponent("target", isDirectory: true)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        server = try LoopbackServer()
        routes(server)
        service.base = "http://127.0.0.1:\(server.port)"
        service.version = ""
        service.own = Self.session(root, retry)
        let (factory, service) = (ServiceFactory(), service)
        factory.register(.test) { service }
        manager.serviceFactory = factory
        screen.attach(manager)
        progress.screen = screen
        manager.progressDelegate = progress
        manager.progressInterval = .zero
    }

    private static func session(_ root: URL, _ retry: RetryPolicy) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(
                retry: retry, transferDirectory: root.appendingPathComponent("transfers")))
    }

    /// Another session over the same directory, as a later process has it.
    func startAnew() { service.own = Self.session(root, .never) }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: root)
    }

    /// The names in the target directory, hidden ones too.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []).sorted() }

    func file(_ name: String) -> URL { target.appendingPathComponent(name, isDirectory: false) }

    func text(_ name: String) -> String? { try? String(contentsOf: file(name), encoding: .utf8) }

    /// Loads and waits for the callback.
    func loadOnce() async -> Bool {
        let before = screen.ends.count
        manager.loadData()
        return await eventually { self.screen.ends.count == before + 1 }
    }
}

/// A download with every hook settable.
final class FileAPI: DownloadAPIManager, APIManagerProtocol {
    var method = "f"
    var place: ((Parameters) throws -> DownloadDestination)?
    var sum: DownloadChecksum?
    var keeps = TransferResumption.automatic
    var policy = ReloadPolicy.allow
    func methodName() -> String { method }
    func serviceIdentifier() -> ServiceIdentifier { .test }
    override func destination(with params: Parameters) throws -> DownloadDestination {
        try place?(params) ?? super.destination(with: params)
    }
    override func checksum() -> DownloadChecksum? { sum }
    override func resumption() -> TransferResumption { keeps }
    override func reloadPolicy() -> ReloadPolicy { policy }
}

/// Content that can be asked for from any byte on, and that breaks off where a test says.
enum RangedContent {
    static let size = 400_000
    static let pattern = LoopbackPattern(seed: 7)
    static var bytes: Data { pattern.bytes(count: size) }

    /// - Parameters:
    ///   - cut: after how many bytes the connection is reset.
    ///   - gate: what the second half waits at.
    static func response(
        _ request: LoopbackRequest, cut: Int? = nil, rate: Int? = nil, gate: LoopbackGate? = nil
    ) -> LoopbackResponse {
        let offset = Int((request.headers["Range"] ?? "").filter(\.isNumber)) ?? 0
        var head = "HTTP/1.1 \(offset > 0 ? "206 Partial Content" : "200 OK")\r\nETag: \"v1\"\r\n"
        head += "Content-Length: \(size - offset)\r\n"
        if offset > 0 { head += "Content-Range: bytes \(offset)-\(size - 1)/\(size)\r\n" }
        let count = min(cut ?? size, size - offset)
        if let gate {
            let (first, rest) = (count / 2, count - count / 2)
            return .raw([
                .send(head + "\r\n"), .send(pattern.bytes(from: Int64(offset), count: first)), .hold(gate),
                .send(pattern.bytes(from: Int64(offset + first), count: rest)),
            ])
        }
        return .raw(
            [
                .limitRate(bytesPerSecond: rate), .send(head + "\r\n"),
                .send(pattern.bytes(from: Int64(offset), count: count)),
            ] + (cut == nil ? [] : [.wait(.milliseconds(100)), .reset]))
    }
}
