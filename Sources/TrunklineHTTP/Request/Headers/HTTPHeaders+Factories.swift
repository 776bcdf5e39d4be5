import Foundation

extension HTTPHeaders.Field {
    /// `Accept`.
    public static func accept(_ value: String) -> HTTPHeaders.Field { .init("Accept", value) }

    /// `Accept-Language`, the languages in order of preference with falling weights.
    public static func acceptLanguage(_ languages: [String]) -> HTTPHeaders.Field {
        .init("Accept-Language", HTTPHeaders.weighted(languages))
    }

    /// `Authorization` with any scheme and credential.
    public static func authorization(_ value: String) -> HTTPHeaders.Field { .init("Authorization", value) }

    /// `Authorization: Bearer …` (RFC 6750).
    public static func bearer(_ token: String) -> HTTPHeaders.Field { .init("Authorization", "Bearer \(token)") }

    /// `Authorization: Basic …` in UTF-8 (RFC 7617).
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` when the user name contains a colon, which the scheme can't carry.
    public static func basic(username: String, password: String) throws(HTTPError) -> HTTPHeaders.Field {
        guard !username.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest(
                .header(name: "Authorization", reason: "the user name contains a colon (RFC 7617, section 2)"))
        }
        return .init("Authorization", "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }

    /// `Cache-Control`.
    public static func cacheControl(_ value: String) -> HTTPHeaders.Field { .init("Cache-Control", value) }

    /// `Content-Type`.
    public static func contentType(_ value: String) -> HTTPHeaders.Field { .init("Content-Type", value) }

    /// `If-Match`, an entity tag with its quotes.
    public static func ifMatch(_ etag: String) -> HTTPHeaders.Field { .init("If-Match", etag) }

    /// `If-None-Match`, an entity tag with its quotes.
    public static func ifNoneMatch(_ etag: String) -> HTTPHeaders.Field { .init("If-None-Match", etag) }

    /// `User-Agent`.
    public static func userAgent(_ value: String) -> HTTPHeaders.Field { .init("User-Agent", value) }
}

extension HTTPHeaders {
    /// Replaces every line of the field's name by this one.
    public mutating func set(_ field: Field) { set(field.name, field.value) }

    /// Adds a line, keeping those of the same name.
    public mutating func add(_ field: Field) { add(field.name, field.value) }
}
