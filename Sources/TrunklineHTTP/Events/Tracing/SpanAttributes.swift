import Foundation

/// Attributes of spans by OpenTelemetry's semantic conventions for HTTP.
enum SpanAttributes {
    static func request(_ request: HTTPRequest) -> [String: TraceSpan.Value] {
        var attributes: [String: TraceSpan.Value] = [
            "http.request.method": .string(request.method.rawValue),
            "url.full": .string(Redaction.standard.coveringCredential(of: request).url(request.url)),
        ]
        let origin = Origin(request.url)
        attributes["server.address"] = .string(origin.host)
        attributes["server.port"] = .int(Int64(origin.port))
        if let length = request.body?.contentLength { attributes["http.request.body.size"] = .int(length) }
        return attributes
    }

    static func response(_ response: HTTPResponse) -> [String: TraceSpan.Value] {
        var attributes: [String: TraceSpan.Value] = ["http.response.status_code": .int(Int64(response.statusCode))]
        guard let metrics = response.metrics else { return attributes }
        if let received = metrics.bytesReceived { attributes["http.response.body.size"] = .int(received) }
        if let spoken = metrics.networkProtocol {
            attributes["network.protocol.name"] = .string("http")
            let version = spoken.hasPrefix("http/") ? String(spoken.dropFirst(5)) : String(spoken.dropFirst(1))
            attributes["network.protocol.version"] = .string(version)
        }
        if let peer = metrics.remoteAddress, let colon = peer.lastIndex(of: ":") {
            attributes["network.peer.address"] = .string(
                peer[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
            attributes["network.peer.port"] = Int64(peer[peer.index(after: colon)...]).map { .int($0) }
        }
        return attributes
    }

    /// A word of few different values, as the conventions ask for.
    static func type(of error: HTTPError) -> String {
        switch error {
        case .validation(let failure):
            if case .unacceptableStatus(let status) = failure.reason { return "\(status)" }
            return "validation"
        case .timedOut: return "timeout"
        case .custom(let error): return String(describing: Swift.type(of: error))
        default:
            let failure = HARFailure(error)
            if failure != .other { return failure.rawValue }
            return error.caseName
        }
    }
}

extension HTTPError {
    /// The name of the case.
    var caseName: String {
        switch self {
        case .cancelled: "cancelled"
        case .sessionInvalidated: "sessionInvalidated"
        case .invalidRequest: "invalidRequest"
        case .timedOut: "timedOut"
        case .offline: "offline"
        case .nameResolution: "nameResolution"
        case .connectionFailed: "connectionFailed"
        case .connectionLost: "connectionLost"
        case .tls: "tls"
        case .invalidResponse: "invalidResponse"
        case .tooManyRedirects: "tooManyRedirects"
        case .invalidRedirect: "invalidRedirect"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .validation: "validation"
        case .emptyResponse: "emptyResponse"
        case .decoding: "decoding"
        case .notInCache: "notInCache"
        case .file: "file"
        case .unsupported: "unsupported"
        case .custom: "custom"
        case .authentication: "authentication"
        case .webSocket: "webSocket"
        case .transfer: "transfer"
        case .circuitOpen: "circuitOpen"
        case .rateLimited: "rateLimited"
        }
    }
}
