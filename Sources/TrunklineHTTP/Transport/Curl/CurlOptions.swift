import CTrunklineCurl
import Foundation

/// The options of a configuration that are set once for every easy handle.
///
/// `@unchecked Sendable`: besides values it owns a C list that is written in the initialiser, read by libcurl, and freed
/// in `deinit`.
final class CurlOptions: @unchecked Sendable {
    private let configuration: TransportConfiguration
    private let library: CurlLibrary
    private let connectTo: UnsafeMutableRawPointer?
    private let usesProxy: Bool

    init(configuration: TransportConfiguration, library: CurlLibrary) throws(HTTPError) {
        self.configuration = configuration
        self.library = library
        usesProxy =
            switch configuration.proxy {
            case .none: false
            case .proxy: true
            // libcurl looks at a dozen variables for every request; without any there is nothing to look for.
            case .environment: ProcessInfo.processInfo.environment.keys.contains { $0.lowercased().hasSuffix("_proxy") }
            }
        var list: UnsafeMutableRawPointer?
        for override in configuration.hostOverrides {
            list = tlc_list_append(library.pointer, list, CurlOptions.connectTo(override))
        }
        connectTo = list
    }

    deinit {
        if let connectTo { tlc_list_free(library.pointer, connectTo) }
    }

    /// `HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT`, IPv6 addresses in brackets.
    static func connectTo(_ override: HostOverride) -> String {
        func bracketed(_ host: String) -> String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }
        let port = override.port.map { String($0) } ?? ""
        let addressPort = override.addressPort.map { String($0) } ?? ""
        return "\(bracketed(override.host ?? "")):\(port):\(bracketed(override.address)):\(addressPort)"
    }

    func apply(to handle: CurlHandle) throws(HTTPError) {
        let transfer = handle.pointer
        tlc_set_long(transfer, Int32(TLC_OPT_BUFFERSIZE), 48 * 1024)
        tlc_set_long(transfer, Int32(TLC_OPT_UPLOAD_BUFFERSIZE), 64 * 1024)
        tlc_set_long(
            transfer, Int32(TLC_OPT_DNS_CACHE_TIMEOUT), Int(clamping: Int64(configuration.dnsCacheLifetime.seconds)))
        tlc_set_long(transfer, Int32(TLC_OPT_EXPECT_100_TIMEOUT_MS), 1000)
        try applyVersion(to: transfer)
        try applyRoute(to: transfer)
        try applyTLS(to: transfer)
    }

    private func require(_ code: Int32, _ feature: String) throws(HTTPError) {
        if code != TLC_OK {
            throw .unsupported(feature: feature, platform: "libcurl \(String(cString: library.version.text))")
        }
    }

    private func applyVersion(to transfer: UnsafeMutablePointer<tlc_transfer>) throws(HTTPError) {
        let option = Int32(TLC_OPT_HTTP_VERSION)
        switch configuration.http2 {
        case .disabled:
            tlc_set_long(transfer, option, TLC_HTTP_VERSION_1_1)
        case .automatic:
            guard library.has(TLC_FEATURE_HTTP2) else {
                tlc_set_long(transfer, option, TLC_HTTP_VERSION_1_1)
                return
            }
            tlc_set_long(transfer, option, TLC_HTTP_VERSION_2_OVER_TLS)
        case .priorKnowledge:
            try require(tlc_set_long(transfer, option, TLC_HTTP_VERSION_2_PRIOR_KNOWLEDGE), "HTTP/2")
        }
    }

    private func applyRoute(to transfer: UnsafeMutablePointer<tlc_transfer>) throws(HTTPError) {
        if let path = configuration.unixSocketPath {
            try require(tlc_set_text(transfer, Int32(TLC_OPT_UNIX_SOCKET_PATH), path), "A Unix-domain socket")
        }
        if let connectTo { try require(tlc_set_connect_to(transfer, connectTo), "A host override") }
        if !usesProxy {
            tlc_set_text(transfer, Int32(TLC_OPT_PROXY), "")
            // Without it libcurl would look for `no_proxy` in the environment of every request.
            tlc_set_text(transfer, Int32(TLC_OPT_NOPROXY), "*")
        }
        guard case .proxy(let proxy) = configuration.proxy else { return }
        if proxy.kind == .https, !library.has(TLC_FEATURE_HTTPS_PROXY) {
            try require(Int32(TLC_NOT_BUILT_IN), "A proxy that is reached over TLS")
        }
        let host = proxy.host.contains(":") && !proxy.host.hasPrefix("[") ? "[\(proxy.host)]" : proxy.host
        try require(tlc_set_text(transfer, Int32(TLC_OPT_PROXY), "\(host):\(proxy.port)"), "A proxy")
        let kind =
            switch proxy.kind {
            case .http: TLC_PROXY_HTTP
            case .https: TLC_PROXY_HTTPS
            case .socks5: TLC_PROXY_SOCKS5_HOSTNAME
            }
        try require(tlc_set_long(transfer, Int32(TLC_OPT_PROXYTYPE), kind), "The kind of proxy")
        if let user = proxy.user { tlc_set_text(transfer, Int32(TLC_OPT_PROXYUSERNAME), user) }
        if let password = proxy.password { tlc_set_text(transfer, Int32(TLC_OPT_PROXYPASSWORD), password) }
        tlc_set_text(transfer, Int32(TLC_OPT_NOPROXY), proxy.exceptions.joined(separator: ","))
    }

    private func applyTLS(to transfer: UnsafeMutablePointer<tlc_transfer>) throws(HTTPError) {
        guard library.has(TLC_FEATURE_TLS) else { return }
        let tls = configuration.tls
        tlc_set_long(transfer, Int32(TLC_OPT_SSL_VERIFYPEER), 1)
        tlc_set_long(transfer, Int32(TLC_OPT_SSL_VERIFYHOST), 2)
        let version = tls.minimumVersion == .tls13 ? 7 : 6  // CURL_SSLVERSION_TLSv1_3, _TLSv1_2
        try require(tlc_set_long(transfer, Int32(TLC_OPT_SSLVERSION), version), "The minimum TLS version")
        switch tls.trust {
        case .system: break
        case .caFile(let url):
            try require(tlc_set_text(transfer, Int32(TLC_OPT_CAINFO), url.path), "A CA file")
            tlc_set_text(transfer, Int32(TLC_OPT_CAPATH), nil)
        case .caPEM(let data):
            let code = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { tlc_set_blob(transfer, Int32(TLC_OPT_CAINFO_BLOB), $0, bytes.count) }
                    ?? Int32(TLC_UNKNOWN_OPTION)
            }
            try require(code, "A CA in memory")
            tlc_set_text(transfer, Int32(TLC_OPT_CAPATH), nil)
        }
        switch tls.clientIdentity {
        case nil: break
        case .pemFiles(let certificate, let key, let password):
            try require(tlc_set_text(transfer, Int32(TLC_OPT_SSLCERT), certificate.path), "A client certificate")
            tlc_set_text(transfer, Int32(TLC_OPT_SSLKEY), key.path)
            tlc_set_text(transfer, Int32(TLC_OPT_KEYPASSWD), password)
        case .pkcs12File(let url, let password):
            try require(tlc_set_text(transfer, Int32(TLC_OPT_SSLCERTTYPE), "P12"), "A PKCS #12 identity")
            try require(tlc_set_text(transfer, Int32(TLC_OPT_SSLCERT), url.path), "A client certificate")
            tlc_set_text(transfer, Int32(TLC_OPT_KEYPASSWD), password)
        }
    }
}
