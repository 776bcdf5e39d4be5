import Foundation
import TrunklineHTTP
import TrunklineTesting

/// Shows a session's requests live in a browser: a small page, served on this machine to this machine.
///
/// ```swift
/// let inspector = try Inspector()
/// configuration.eventMonitors = [inspector]
/// print(inspector.url)
/// ```
///
/// The page lists the last exchanges with a waterfall of their timings, and shows of each the header fields, contents,
/// attempts, and the decisions of the cache, of retries and of redirects, with a cURL command to copy. All can be saved
/// as a HAR file.
///
/// - A tool for development: leave it out of what you ship. What the page shows went through a `Redaction`; the
///   requests themselves are kept in memory as they are.
/// - The server listens on 127.0.0.1 alone. Its URL has a random token, without which it answers nothing.
/// - What is kept is bounded. The oldest exchanges that have ended go first. Contents are kept up to a limit each: of a
///   longer answer its beginning, of a longer request its length.
/// - The configuration keeps the inspector; it stops when the last session that has it is gone, or by ``stop()``. One
///   inspector may watch several sessions.
///
/// All members may be used from any thread.
public final class Inspector: EventMonitor {
    /// Where the page is: `http://127.0.0.1:PORT/TOKEN/`. Who has it can read what the page shows.
    public let url: URL

    let store: ExchangeStore
    private let renderer: ExchangeRenderer
    let server: LoopbackServer

    /// Starts an inspector, with its server on a free port.
    ///
    /// - Parameters:
    ///   - redaction: what is masked; by default credentials. `Redaction.none` shows everything.
    ///   - maximumExchanges: the most exchanges that are kept; by default 500, and at least 1.
    ///   - maximumBytes: the most bytes that they take together, contents included; by default 32 MB.
    ///   - maximumBodyBytes: the most bytes of each content; by default 1 MB. Of content that is streamed or goes into
    ///     a file no more than 1 MB is kept.
    /// - Throws: `LoopbackError` when no socket can be opened.
    public init(
        redaction: Redaction = .standard, maximumExchanges: Int = 500, maximumBytes: Int = 32 << 20,
        maximumBodyBytes: Int = 1 << 20
    ) throws {
        store = ExchangeStore(
            redaction: redaction, maximumExchanges: maximumExchanges, maximumBytes: maximumBytes,
            maximumBodyBytes: maximumBodyBytes)
        renderer = ExchangeRenderer(
            redaction: redaction, epoch: ContinuousClock.now, maximumBodyBytes: maximumBodyBytes)
        var options = LoopbackOptions()
        options.recordsRequests = false
        options.discardsBodies = true
        options.maximumHeadBytes = 16 << 10
        server = try LoopbackServer(options: options)
        let guarding = RequestGuard(port: server.port, token: RequestGuard.randomToken())
        guard let url = server.url("/\(guarding.token)/") else {
            server.stop()
            throw HTTPError.invalidRequest(.url(server.baseURL.absoluteString, reason: "no page can be put below it"))
        }
        self.url = url
        // The server must not keep the inspector, whose end is the server's.
        let service = InspectorService(store: store, renderer: renderer)
        server.fallback { request in await service.answer(request, by: guarding) }
    }

    deinit { server.stop() }

    /// The content of streams and files too.
    public var details: EventDetails { .content }

    /// How many exchanges are kept.
    public var exchangeCount: Int { store.count }

    /// Hears an event; called by the sessions.
    public func receive(_ event: Event) { store.receive(event) }

    /// Forgets the exchanges that have ended.
    public func clear() { store.clear() }

    /// The exchanges as a HAR file, the same one the page saves: attempts that have ended, and answers that needed
    /// none. Takes the time to mask all contents; not for the main thread.
    public func har() -> HARFile { renderer.har(store.records) }

    /// Stops the server; the page shows that it is gone. What was kept stays, and ``har()`` still gives it. Waits for
    /// the server's thread to end; without effect the second time.
    public func stop() { server.stop() }
}
