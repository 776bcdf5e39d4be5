import CTrunklineCurl
import Foundation

/// The transport on the system's libcurl (7.68 or newer), opened at run time: Linux's default.
///
/// One thread of its own runs everything in flight; it starts with the first request and ends with ``invalidate()``, when
/// the transport is released, or after ``TransportConfiguration/idleConnectionLifetime`` without work. Requests may be
/// sent from any thread. Progress is reported on the transport's thread.
///
/// - A request whose method is not idempotent goes out once at most: when a kept connection is closed before the answer,
///   it fails with ``HTTPError/connectionLost(_:)`` (RFC 9110, section 9.2.2). An idempotent one is sent again by
///   libcurl on a new connection, where not a byte of an answer had come.
/// - Time that a transfer spends waiting for the app (a slow reader of a stream, a slow producer of a body) or for its
///   turn among ``TransportConfiguration/maximumConnectionsPerHost`` does not count as idle.
/// - Of a streamed response about 1 MB is kept at most while its reader is busy.
/// - A WebSocket has a connection and a thread of its own, beside the limits on connections. libcurl makes the connection
///   (names, proxies, TLS, pins); the protocol is the library's own, so the libcurl needn't have been built with it.
public final class CurlTransport: Transport {
    /// What the library found on this machine can do.
    public let capabilities: TransportCapabilities
    let loop: CurlLoop
    let sockets = CurlSockets()

    /// Opens the system's libcurl.
    ///
    /// - Throws: ``HTTPError/unsupported(feature:platform:)`` when there is none, it is too old, or it can't do what the
    ///   configuration asks for.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) throws(HTTPError) {
        try self.init(configuration: configuration, library: try CurlLibrary.system.get())
    }

    /// Opens the libcurl at `libraryPath`.
    public convenience init(
        configuration: TransportConfiguration = TransportConfiguration(), libraryPath: String
    ) throws(HTTPError) {
        try self.init(configuration: configuration, library: try CurlLibrary(path: libraryPath))
    }

    init(configuration: TransportConfiguration, library: CurlLibrary) throws(HTTPError) {
        capabilities = library.capabilities
        loop = try CurlLoop(library: library, configuration: configuration)
        // A setting that this libcurl doesn't know is told now, not with the first request.
        loop.pool.put(try loop.pool.take())
    }

    deinit { invalidate() }

    /// Sends the request; see ``Transport/send(_:)``.
    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        let transfer = try CurlPreparation(loop: loop).transfer(for: exchange)
        startUpload(of: transfer)
        transfer.observeGate()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                if !loop.post(.start(transfer)) { transfer.resume(.failed(.sessionInvalidated)) }
            }
        } onCancel: {
            loop.post(.cancel(transfer))
        }
        tlc_transfer_observe(transfer.handle.pointer)
        switch outcome {
        case .finished(let code):
            return try CurlResult.response(of: transfer, code: code)
        case .head(let status, let lines, let metrics):
            var response = lines.withUnsafeBytes { CurlResult.head(of: transfer, status: status, lines: $0) }
            response.metrics = metrics
            if let download = transfer.download {
                response.body = .stream(download.chunks())
                response.lateTrailers = download.trailers
            }
            return response
        case .failed(let error):
            throw error
        }
    }

    /// Ends everything in flight; see ``Transport/invalidate()``.
    public func invalidate() {
        loop.invalidate()
        sockets.close()
    }

    private func startUpload(of transfer: CurlTransfer) {
        guard let upload = transfer.upload, case .stream(_, _, let make) = transfer.request.body?.source else { return }
        let loop = loop
        upload.start(make) { [weak transfer] in
            if let transfer { loop.post(.resumeSending(transfer)) }
        }
    }
}
