import Foundation
import TrunklineHTTP
import TrunklineTesting

/// Answers the page's requests.
final class InspectorService: Sendable {
    /// What the page hears when something changed.
    private struct Update: Encodable {
        /// Milliseconds since the inspector's start, now.
        let now: Double
        let reset: Bool
        let removed: [UInt64]
        let exchanges: [ExchangeSummary]
    }

    /// How many pages may listen at a time.
    private static let mostListeners = 8
    /// After so many bytes a listener has to come again: what one that doesn't read has waiting is bounded by it.
    private static let mostBytesAConnection = 8 << 20
    /// The shortest time between two updates.
    private static let pace = Duration.milliseconds(100)

    private let store: ExchangeStore
    private let renderer: ExchangeRenderer
    private let listeners = Protected(0)
    /// Masking and encoding contents takes its time: not on the threads of Swift's concurrency.
    private let queue = DispatchQueue(label: "trunkline-inspector", qos: .utility)

    init(store: ExchangeStore, renderer: ExchangeRenderer) {
        self.store = store
        self.renderer = renderer
    }

    func answer(_ request: LoopbackRequest, by guarding: RequestGuard) async -> LoopbackResponse {
        guard let resource = guarding.resource(of: request) else {
            return secured(.text("Not here. Open the URL that the inspector printed.\n", status: 403))
        }
        if let asset = PageAsset.all[resource], request.method == .get || request.method == .head {
            return secured(.data(Data(asset.text.utf8), contentType: asset.type))
        }
        switch (request.method, resource) {
        case (.get, "events"):
            return secured(live(after: request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0))
        case (.get, "har"):
            return secured(await har())
        case (.post, "clear"):
            store.clear()
            return secured(.status(204))
        case (.get, let path) where path.hasPrefix("exchanges/"):
            return secured(await details(path.dropFirst("exchanges/".count)))
        default:
            return secured(.text("There is nothing here.\n", status: 404))
        }
    }

    /// The answer with the fields that keep it where it is.
    private func secured(_ response: LoopbackResponse) -> LoopbackResponse {
        var response = response
        let fields: HTTPHeaders = [
            "Cache-Control": "no-store",
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        ]
        for field in fields { response.headers.set(field.name, field.value) }
        return response
    }

    // MARK: - Contents

    private func details(_ number: Substring) async -> LoopbackResponse {
        guard let value = UInt64(number), let record = store.record(value) else {
            return .text("This exchange is no longer kept.\n", status: 404)
        }
        return await rendered { [renderer] in try InspectorService.json(renderer.details(record)) }
    }

    private func har() async -> LoopbackResponse {
        let records = store.records
        return await rendered { [renderer] in try renderer.har(records).data() }
            .header("Content-Disposition", "attachment; filename=\"trunkline.har\"")
    }

    private func rendered(_ make: @escaping @Sendable () throws -> Data) async -> LoopbackResponse {
        do {
            return .data(try await onQueue(make), contentType: "application/json")
        } catch {
            return .text("This could not be shown: \(renderer.redaction.text("\(error)"))\n", status: 500)
        }
    }

    private func onQueue(_ make: @escaping @Sendable () throws -> Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try make() }) }
        }
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(value)
    }

    // MARK: - Live

    /// Server-Sent Events: everything first, then what changes. A listener that comes again goes on where it was.
    private func live(after revision: Int) -> LoopbackResponse {
        guard listeners.current < InspectorService.mostListeners else {
            return .text("Too many pages are open.\n", status: 503)
        }
        return .pipe(headers: ["Content-Type": "text/event-stream", "Connection": "close"]) { [self] pipe in
            // Counted here: a client that left before its answer began is never served.
            let mayListen = listeners.withLock { count in
                count += 1
                return count <= InspectorService.mostListeners
            }
            defer { listeners.withLock { $0 -= 1 } }
            guard mayListen else { return }
            var revision = revision
            var sent = 0
            pipe.send("retry: 500\n\n")
            for await _ in store.news.stream(from: ()) {
                let changes = store.changes(since: revision)
                let data = try await onQueue { [renderer] in
                    try InspectorService.json(
                        Update(
                            now: Phase.milliseconds(ContinuousClock.now - renderer.epoch), reset: changes.isWhole,
                            removed: changes.removed.map(\.value), exchanges: changes.records.map(renderer.summary)))
                }
                revision = changes.revision
                pipe.send(Data("id: \(revision)\ndata: ".utf8) + data + Data("\n\n".utf8))
                sent += data.count
                if sent > InspectorService.mostBytesAConnection { return }
                try await Task.sleep(for: InspectorService.pace)
            }
        }
    }
}
