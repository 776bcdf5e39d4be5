import CTrunklineCurl
import Foundation

/// How a transfer ended that did not succeed, as values: what ``error(attaching:)`` turns into the library's words.
struct CurlFailure {
    /// libcurl's result, a `CURLcode`.
    var code: Int
    /// What the shim's callbacks found, `TLC_FAILURE_…`.
    var shim = TLC_FAILURE_NONE
    /// The system's error that goes with ``shim``.
    var errno: Int32 = 0
    /// libcurl's words.
    var detail: String
    /// Whether the connection was made.
    var isConnected = false
    /// Whether the head of the response was complete.
    var hasHead = false
    /// The request's URL.
    var url: URL
    /// The file of the response body, where there is one.
    var fileOut: URL?
    /// The file of the request body, where there is one.
    var fileIn: URL?

    /// The error for it, with what arrived of the response.
    func error(attaching response: HTTPResponse?) -> HTTPError {
        if let error = shimError(response) { return error }
        // Certificate alerts of TLS 1.3 arrive after the handshake, as an error of the first read.
        if code == TLC_RECV_ERROR || code == TLC_SSL_CONNECT_ERROR || code == TLC_SEND_ERROR, isCertificateAlert {
            return .tls(TLSFailure(reason: .clientCertificate, detail: detail))
        }
        switch code {
        case TLC_COULDNT_RESOLVE_HOST: return .nameResolution(host: url.host ?? "")
        case TLC_COULDNT_RESOLVE_PROXY: return .connectionFailed(reason: "the proxy's name could not be resolved")
        case TLC_OPERATION_TIMEDOUT: return .timedOut(isConnected ? .idle : .connect)
        case TLC_URL_MALFORMAT: return .invalidRequest(.url(url.absoluteString, reason: detail))
        case TLC_UNSUPPORTED_PROTOCOL where !isConnected: return .unsupported(feature: detail, platform: "this libcurl")
        case TLC_NOT_BUILT_IN, TLC_UNKNOWN_OPTION: return .unsupported(feature: detail, platform: "this libcurl")
        case TLC_WEIRD_SERVER_REPLY, TLC_UNSUPPORTED_PROTOCOL, TLC_BAD_CONTENT_ENCODING, TLC_FILESIZE_EXCEEDED,
            TLC_CHUNK_FAILED, TLC_TOO_LARGE, TLC_WRITE_ERROR:
            return .invalidResponse(reason: detail)
        case TLC_OUT_OF_MEMORY where isConnected && !hasHead:
            return .invalidResponse(reason: "a header line is too long")
        case TLC_RECV_ERROR where detail.contains("chunked-encoding"):
            return .invalidResponse(reason: detail)
        case TLC_RECV_ERROR where !isConnected, TLC_PROXY, TLC_COULDNT_CONNECT, TLC_INTERFACE_FAILED:
            return .connectionFailed(reason: detail)
        default: break
        }
        if let reason = tlsReason { return .tls(TLSFailure(reason: reason, detail: detail)) }
        return isConnected ? lost(response) : .connectionFailed(reason: detail)
    }

    private func lost(_ response: HTTPResponse?) -> HTTPError {
        .connectionLost(
            ConnectionLoss(stage: hasHead ? .duringBody : .beforeResponse, reason: detail, response: response))
    }

    private var isCertificateAlert: Bool {
        detail.contains("certificate required") || detail.contains("alert bad certificate")
            || detail.contains("alert unknown ca") || detail.contains("alert certificate")
    }

    private var tlsReason: TLSFailure.Reason? {
        switch code {
        case TLC_SSL_CONNECT_ERROR: .handshake
        case TLC_PEER_FAILED_VERIFICATION:
            detail.contains("subject name") || detail.contains("host name") || detail.contains("hostname")
                ? .hostMismatch : .untrustedCertificate
        case TLC_SSL_ISSUER_ERROR, TLC_SSL_INVALIDCERTSTATUS: .untrustedCertificate
        case TLC_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch
        case TLC_SSL_CLIENTCERT: .clientCertificate
        case TLC_SSL_CERTPROBLEM, TLC_SSL_CACERT_BADFILE, TLC_SSL_CIPHER, TLC_SSL_CRL_BADFILE,
            TLC_SSL_ENGINE_NOTFOUND, TLC_SSL_ENGINE_SETFAILED, TLC_SSL_ENGINE_INITFAILED:
            .configuration
        default: nil
        }
    }

    private func shimError(_ response: HTTPResponse?) -> HTTPError? {
        let system = String(cString: strerror(errno))
        switch shim {
        case TLC_FAILURE_MEMORY: return .invalidResponse(reason: "there is no memory for its content")
        case TLC_FAILURE_STATUS_LINE: return .invalidResponse(reason: "the status line is malformed")
        case TLC_FAILURE_HEAD_SIZE: return .invalidResponse(reason: "the header fields exceed the limit of bytes")
        case TLC_FAILURE_FIELD_COUNT: return .invalidResponse(reason: "there are more header fields than the limit")
        case TLC_FAILURE_INFORMATIONAL: return .invalidResponse(reason: "informational responses never end")
        case TLC_FAILURE_CONTENT_LENGTH:
            return .invalidResponse(reason: "Content-Length is malformed, or given twice with different values")
        case TLC_FAILURE_BODY_SIZE: return .invalidResponse(reason: "the content exceeds the limit of bytes")
        case TLC_FAILURE_CODING:
            return .invalidResponse(reason: "the content is not in the coding that Content-Encoding names, or can't be")
        case TLC_FAILURE_FILE_WRITE:
            return .file(FileFailure(url: fileOut ?? url, operation: .write, reason: system))
        case TLC_FAILURE_FILE_READ:
            return .file(FileFailure(url: fileIn ?? url, operation: .read, reason: system))
        case TLC_FAILURE_BODY_SHORT:
            return .invalidRequest(.body(reason: "the file became shorter while it was sent"))
        case TLC_FAILURE_RESENT:
            return .connectionLost(
                ConnectionLoss(
                    stage: .beforeResponse,
                    reason: "the connection was closed without an answer, and the method must not be sent twice"))
        default: return nil
        }
    }
}
