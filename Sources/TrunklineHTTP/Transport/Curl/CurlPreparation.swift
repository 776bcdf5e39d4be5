import CTrunklineCurl
import Foundation

/// Turns a request into a transfer that is ready for the loop: on the caller's thread, so the loop has less to do.
struct CurlPreparation {
    let loop: CurlLoop

    /// Bodies up to this size are handed to libcurl in one piece with the head; larger ones are copied from as they go.
    private static let smallBody = 64 * 1024

    func transfer(for exchange: Exchange) throws(HTTPError) -> CurlTransfer {
        let request = exchange.request
        let url = try CurlURL(request.url)
        if request.method == .connect { throw .invalidRequest(.method(request.method.rawValue)) }
        if request.method == .head, request.body != nil {
            throw .invalidRequest(.body(reason: "a HEAD request with a body can't be sent"))
        }
        let handle = try loop.pool.take()
        // From here on the transfer gives the handle and its files back, whatever happens.
        let transfer = CurlTransfer(loop: loop, handle: handle, exchange: exchange, originKey: url.origin)
        let state = handle.pointer
        state.pointee.maximum_head = max(0, loop.configuration.maximumHeaderBytes)
        state.pointee.maximum_fields = Int32(clamping: loop.configuration.maximumHeaderFields)
        state.pointee.maximum_body = loop.configuration.maximumBodyBytes ?? -1
        state.pointee.may_resend = request.method.isIdempotent
        try prepareDelivery(transfer)
        try prepareBody(transfer)
        try prepareHead(transfer, url: url)
        return transfer
    }

    private func prepareDelivery(_ transfer: CurlTransfer) throws(HTTPError) {
        let state = transfer.handle.pointer
        switch transfer.request.options.delivery {
        case .data: state.pointee.sink = Int32(TLC_SINK_MEMORY)
        case .file(let url):
            guard url.isFileURL else {
                throw .file(FileFailure(url: url, operation: .write, reason: "the URL is not a file URL"))
            }
            let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard file >= 0 else {
                throw .file(FileFailure(url: url, operation: .write, reason: String(cString: strerror(errno))))
            }
            state.pointee.file_out = file
            state.pointee.sink = Int32(TLC_SINK_FILE)
        case .stream:
            state.pointee.sink = Int32(TLC_SINK_STREAM)
            state.pointee.hears_head = true
            let loop = loop
            transfer.download = CurlDownload(
                resume: { [weak transfer] in
                    if let transfer { loop.post(.resumeReceiving(transfer)) }
                },
                abandon: { [weak transfer] in
                    if let transfer { loop.post(.cancel(transfer)) }
                })
        }
    }

    private func prepareBody(_ transfer: CurlTransfer) throws(HTTPError) {
        let state = transfer.handle.pointer
        guard let body = transfer.request.body else {
            // Methods whose content has a meaning say that there is none (RFC 9110, section 8.6).
            let method = transfer.request.method
            if method == .post || method == .put || method == .patch {
                state.pointee.body_kind = Int32(TLC_BODY_EMPTY)
            }
            return
        }
        state.pointee.content_length = body.contentLength ?? -1
        switch body.source {
        case .data(let data) where data.isEmpty:
            state.pointee.body_kind = Int32(TLC_BODY_EMPTY)
        case .data(let data) where data.count <= CurlPreparation.smallBody && transfer.progress?.sent == nil:
            state.pointee.body_kind = Int32(TLC_BODY_BYTES)
            guard data.withUnsafeBytes({ tlc_request_bytes(state, $0.baseAddress, $0.count) }) else {
                throw .invalidRequest(.body(reason: "there is no memory for it"))
            }
        case .data(let data):
            state.pointee.body_kind = Int32(TLC_BODY_PULL)
            transfer.upload = CurlUpload(data: data)
        case .file(let url, let length):
            state.pointee.file_in = try openBody(url, length: length)
            state.pointee.body_kind = Int32(length == 0 ? TLC_BODY_EMPTY : TLC_BODY_FILE)
        case .stream(let length, _, _):
            state.pointee.body_kind = Int32(TLC_BODY_PULL)
            transfer.upload = CurlUpload(length: length)
        }
    }

    private func openBody(_ url: URL, length: Int64) throws(HTTPError) -> Int32 {
        let file = open(url.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw .file(FileFailure(url: url, operation: .read, reason: String(cString: strerror(errno))))
        }
        var facts = stat()
        let isKnown = fstat(file, &facts) == 0
        guard isKnown, Int64(facts.st_size) == length else {
            close(file)
            throw .invalidRequest(
                .body(reason: "the file \(url.path) was \(length) bytes long and is \(facts.st_size) now"))
        }
        return file
    }

    private func prepareHead(_ transfer: CurlTransfer, url: CurlURL) throws(HTTPError) {
        let request = transfer.request
        let state = transfer.handle.pointer
        let isURLClean = url.withBytes { bytes in
            bytes.baseAddress.map { tlc_request_url(state, $0, bytes.count) } ?? false
        }
        guard isURLClean else {
            throw .invalidRequest(.url(request.url.absoluteString, reason: "it holds a control character"))
        }
        var method = request.method.rawValue
        let isMethodClean = method.withUTF8 { bytes in
            bytes.baseAddress.map { tlc_request_method(state, $0, bytes.count) } ?? false
        }
        guard isMethodClean else { throw .invalidRequest(.method(request.method.rawValue)) }
        let decodes = try CurlFields(request: request, policy: loop.configuration.expectContinue).add(to: state)
        try CurlPins.apply(loop.configuration.tls.pins, host: request.url, to: state)
        let connect = (transfer.connectLimit + 999_999) / 1_000_000
        let code = tlc_request_finish(state, decodes, awaitsSharing(url), connect)
        guard code == TLC_OK else {
            throw .invalidRequest(.url(request.url.absoluteString, reason: loop.library.text(of: code)))
        }
    }

    /// Whether a connection in the making may multiplex. Over TLS the handshake tells; in the clear only the first
    /// answer would, and waiting for that would send one request at a time.
    private func awaitsSharing(_ url: CurlURL) -> Bool {
        switch loop.configuration.http2 {
        case .disabled: false
        case .automatic: url.isSecure && loop.library.has(TLC_FEATURE_HTTP2)
        case .priorKnowledge: true
        }
    }
}
