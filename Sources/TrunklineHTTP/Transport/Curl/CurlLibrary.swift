import CTrunklineCurl
import Foundation

/// An opened libcurl.
///
/// `@unchecked Sendable`: the pointer is to a table that is written before it is handed out, never changed and never
/// freed.
struct CurlLibrary: @unchecked Sendable {
    let pointer: OpaquePointer
    let version: tlc_version

    /// The system's library, opened once.
    static let system = Result { () throws(HTTPError) in try CurlLibrary(path: nil) }

    /// Opens the library at `path`, or the system's.
    init(path: String?) throws(HTTPError) {
        var reason = [CChar](repeating: 0, count: 256)
        guard let opened = tlc_library_open(path, &reason, reason.count) else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw .unsupported(feature: "The libcurl transport", platform: "this machine (\(text))")
        }
        pointer = opened
        version = tlc_library_version(opened)
    }

    func has(_ feature: Int) -> Bool { Int(version.features) & feature != 0 }

    /// Whether the library says when a connection is made (`CURLOPT_PREREQFUNCTION`, 7.80).
    var reportsConnections: Bool { version.number >= 0x075000 }

    /// libcurl's words for a result.
    func text(of code: Int32) -> String { String(cString: tlc_library_error_text(pointer, code)) }

    /// What the library can do, in the transport's words.
    var capabilities: TransportCapabilities {
        var features: TransportCapabilities.Features = [
            .connectTimeout, .backpressure, .pausing, .metrics, .trailers, .proxies,
        ]
        if has(TLC_FEATURE_TLS) { features.formUnion([.customCA, .publicKeyPinning, .clientCertificates]) }
        if has(TLC_FEATURE_HTTP2) { features.insert(.http2) }
        if has(TLC_FEATURE_UNIX_SOCKETS) { features.insert(.unixSockets) }
        if version.raw_sockets { features.insert(.webSockets) }
        var encodings: [String] = []
        if has(TLC_FEATURE_ZLIB) { encodings += ["gzip", "deflate"] }
        if has(TLC_FEATURE_BROTLI) { encodings.append("br") }
        if has(TLC_FEATURE_ZSTD) { encodings.append("zstd") }
        return TransportCapabilities(
            name: "libcurl", version: String(cString: version.text),
            tlsLibrary: version.tls.map { String(cString: $0) },
            contentEncodings: encodings, features: features)
    }
}
