import CTrunklineCurl
import Foundation

/// Reads a finished transfer: a response, or the error.
enum CurlResult {
    /// The response of a transfer that left libcurl with `code`.
    static func response(of transfer: CurlTransfer, code: Int32) throws(HTTPError) -> HTTPResponse {
        if let error = error(of: transfer, code: code) { throw error }
        let state = transfer.handle.pointer
        var response = head(
            of: transfer, status: state.pointee.status,
            lines: UnsafeRawBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head_end))
        response.body = body(of: transfer)
        response.trailers = trailers(of: transfer)
        response.metrics = metrics(of: transfer)
        return response
    }

    /// The fields after the content, as far as they have come.
    static func trailers(of transfer: CurlTransfer) -> HTTPHeaders {
        let state = transfer.handle.pointer
        guard state.pointee.head_complete, state.pointee.head.length > state.pointee.head_end else { return [:] }
        let all = UnsafeRawBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head.length)
        return HeadParser.fields(
            in: UnsafeRawBufferPointer(rebasing: all[state.pointee.head_end...]), skippingFirstLine: false)
    }

    /// A response with a status and fields.
    static func head(of transfer: CurlTransfer, status: Int32, lines: UnsafeRawBufferPointer) -> HTTPResponse {
        HTTPResponse(
            request: transfer.request, statusCode: Int(status),
            headers: HeadParser.fields(in: lines, skippingFirstLine: true))
    }

    /// What the consumer of a stream is told at its end.
    static func streamError(of transfer: CurlTransfer, _ outcome: CurlOutcome) -> HTTPError? {
        switch outcome {
        case .finished(let code): error(of: transfer, code: code)
        case .failed(let error): error
        case .head: nil
        }
    }

    private static func body(of transfer: CurlTransfer) -> ResponseBody {
        if case .file(let url) = transfer.request.options.delivery { return .file(url) }
        var count = 0
        guard let bytes = tlc_transfer_take_body(transfer.handle.pointer, &count) else { return .data(Data()) }
        return .data(Data(bytesNoCopy: bytes, count: count, deallocator: .free))
    }

    private static func error(of transfer: CurlTransfer, code: Int32) -> HTTPError? {
        let state = transfer.handle.pointer
        if let failure = transfer.failure { return failure }
        let hasHead = state.pointee.head_complete
        if code == TLC_OK, hasHead, state.pointee.failure == TLC_FAILURE_NONE {
            guard tlc_transfer_is_cut(state) else { return nil }
            return .connectionLost(
                ConnectionLoss(
                    stage: .duringBody, reason: "the content ended before its coding did",
                    response: partial(of: transfer)))
        }
        // The server answered in full and closed before it had read the whole request: the answer stands.
        if code == TLC_SEND_ERROR, hasHead, !state.pointee.chunked,
            state.pointee.declared_length >= 0, !state.pointee.encoded,
            state.pointee.declared_length == state.pointee.received
        {
            return nil
        }
        var failure = CurlFailure(
            code: Int(code), shim: Int(state.pointee.failure), errno: state.pointee.failure_errno,
            detail: detail(of: transfer, code: code),
            isConnected: state.pointee.starts > 0
                || !transfer.loop.library.reportsConnections,
            hasHead: hasHead, url: transfer.request.url)
        if case .file(let url) = transfer.request.options.delivery { failure.fileOut = url }
        if case .file(let url, _) = transfer.request.body?.source { failure.fileIn = url }
        return failure.error(attaching: hasHead ? partial(of: transfer) : nil)
    }

    /// What arrived of a response that was cut short.
    private static func partial(of transfer: CurlTransfer) -> HTTPResponse {
        let state = transfer.handle.pointer
        var response = head(
            of: transfer, status: state.pointee.status,
            lines: UnsafeRawBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head_end))
        response.metrics = metrics(of: transfer)
        if transfer.download == nil { response.body = body(of: transfer) }
        return response
    }

    private static func detail(of transfer: CurlTransfer, code: Int32) -> String {
        if code == TLC_OK { return "the connection was closed in the middle of the header fields" }
        let state = transfer.handle.pointer
        let text = withUnsafeBytes(of: &state.pointee.error_text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? transfer.loop.library.text(of: code) : text
    }

    /// What was measured so far.
    static func metrics(of transfer: CurlTransfer) -> TransportMetrics {
        let figures = transfer.handle.pointer.pointee.metrics
        func time(_ microseconds: Int64) -> Duration? { microseconds > 0 ? .microseconds(microseconds) : nil }
        var metrics = TransportMetrics()
        let isReused = figures.new_connections == 0
        if !isReused {
            metrics.nameLookup = time(figures.name_lookup)
            metrics.connect = time(figures.connect)
            metrics.secureConnect = time(figures.secure_connect)
        }
        metrics.firstByte = time(max(figures.first_byte, transfer.firstByteAfterUpload))
        metrics.total = time(figures.total)
        metrics.bytesReceived = figures.received >= 0 ? figures.received : nil
        metrics.bytesSent = transfer.bytesSent
        metrics.networkProtocol =
            switch figures.http_version {
            case 1: "http/1.0"
            case 2: "http/1.1"
            case 3: "h2"
            case 30...: "h3"
            default: nil
            }
        metrics.isReusedConnection = figures.new_connections >= 0 ? isReused : nil
        metrics.remoteAddress = transfer.remoteAddress
        return metrics
    }
}

extension CurlTransfer {
    /// When the answer to a request with content began, in microseconds: libcurl's own figure is that of the first byte
    /// sent then. 0 for others.
    fileprivate var firstByteAfterUpload: Int64 {
        let state = handle.pointer
        guard request.body != nil, state.pointee.began_at > startedAt else { return 0 }
        let elapsed = (state.pointee.began_at - startedAt) / 1000
        return state.pointee.metrics.total > 0 ? min(elapsed, state.pointee.metrics.total) : elapsed
    }

    /// The content bytes that libcurl took.
    fileprivate var bytesSent: Int64 {
        let state = handle.pointer
        return state.pointee.body_kind == TLC_BODY_BYTES ? state.pointee.content_length : state.pointee.sent
    }

    /// `address:port` of the server, an IPv6 address in brackets.
    fileprivate var remoteAddress: String? {
        let state = handle.pointer
        let address = withUnsafeBytes(of: &state.pointee.remote_address) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard !address.isEmpty else { return nil }
        let port = state.pointee.remote_port
        return address.utf8.contains(0x3A) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
