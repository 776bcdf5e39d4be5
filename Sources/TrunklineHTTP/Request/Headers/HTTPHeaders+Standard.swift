import Foundation

extension HTTPHeaders {
    /// The fields a session sends by default: `Accept-Language` from the user's languages and `User-Agent`. Made once, so
    /// they are the same in every request of the process.
    ///
    /// `Accept-Encoding` is not among them: the transport announces the codings it can undo.
    public static let standard: HTTPHeaders = {
        var headers = HTTPHeaders()
        let languages = Locale.preferredLanguages.filter(isLanguageTag)
        if !languages.isEmpty { headers.add(.acceptLanguage(languages)) }
        headers.add(.userAgent(standardUserAgent))
        return headers
    }()

    /// `App/1.2 Trunkline/1.0.0 (Linux 6.1)`: the program and its version where it has one, the library, the system. No
    /// host name, user, device model or path.
    static let standardUserAgent: String = userAgent(
        process: ProcessInfo.processInfo.processName,
        version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
        system: SystemInfo.name, systemVersion: ProcessInfo.processInfo.operatingSystemVersion)

    static func userAgent(
        process: String, version: String?, system: String, systemVersion: OperatingSystemVersion
    ) -> String {
        var product = token(process)
        if product.isEmpty { product = "App" }
        if let version = version.map(token), !version.isEmpty { product += "/\(version)" }
        let release = "\(systemVersion.majorVersion).\(systemVersion.minorVersion)"
        return "\(product) Trunkline/\(SystemInfo.libraryVersion) (\(system) \(release))"
    }

    /// Languages in order with weights 1, 0.9, 0.8 … down to 0.1 (RFC 9110, section 12.5.4); ten at most.
    static func weighted(_ languages: [String]) -> String {
        languages.prefix(10).enumerated().map { index, language in
            index == 0 ? language : "\(language);q=0.\(10 - index)"
        }
        .joined(separator: ", ")
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            }
    }

    /// The text with everything a product token can't have (RFC 9110, section 10.1.5) as `-`.
    private static func token(_ text: String) -> String {
        String(decoding: text.utf8.map { HTTPToken.isTokenByte($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
}
