import Foundation

/// The head of an entry's file: the key, and everything of the answer but its body, as tagged fields.
///
/// To add a field: give it the next ``Tag``, write it in ``bytes(of:for:)`` (only where it says something, so that other
/// entries stay as they were), and read it in ``Reading/take(_:_:)``. A reader that meets a tag it doesn't know takes the
/// entry for a miss, so that a field can never be overlooked by an older version of the library; a field that is missing
/// has its default.
enum CacheEntryCodec {
    /// The names of the fields in the file: never to be given another meaning.
    private enum Tag: UInt64 {
        case key = 1
        case requestMethod = 2
        case requestURL = 3
        case url = 4
        case statusCode = 5
        case requestedAt = 6
        case storedAt = 7
        case headers = 8
        case requestHeaders = 9
    }

    /// The head's bytes.
    static func bytes(of entry: CachedResponse, for key: CacheKey) -> [UInt8] {
        var head = ByteWriter(capacity: 1024)
        func put(_ tag: Tag, _ write: (inout ByteWriter) -> Void) {
            head.number(tag.rawValue)
            head.nested(write)
        }
        put(.key) { $0.raw(key.encoding) }
        put(.requestMethod) { $0.raw(entry.requestMethod.rawValue.utf8) }
        put(.requestURL) { $0.raw(entry.requestURL.absoluteString.utf8) }
        if entry.url != entry.requestURL { put(.url) { $0.raw(entry.url.absoluteString.utf8) } }
        put(.statusCode) { $0.count(entry.statusCode) }
        put(.requestedAt) { $0.date(entry.requestedAt) }
        put(.storedAt) { $0.date(entry.storedAt) }
        put(.headers) { $0.headers(entry.headers) }
        if !entry.requestHeaders.isEmpty { put(.requestHeaders) { $0.headers(entry.requestHeaders) } }
        return head.bytes
    }

    /// Reads a head: its key's encoding, and the entry without its body; nil when it is damaged or of another version.
    static func entry(_ bytes: ArraySlice<UInt8>) -> (key: [UInt8], entry: CachedResponse)? {
        var reader = ByteReader(bytes)
        var reading = Reading()
        while !reader.isAtEnd {
            guard let number = reader.number(), let tag = Tag(rawValue: number), let field = reader.field(),
                reading.take(tag, field)
            else { return nil }
        }
        return reading.result
    }

    /// The fields found so far.
    private struct Reading {
        private static let needed: Set<Tag> = [
            .key, .requestMethod, .requestURL, .statusCode, .requestedAt, .storedAt, .headers,
        ]
        private var seen: Set<Tag> = []
        private var key: [UInt8] = []
        private var requestURL: URL?
        private var storedAt: Date?
        private var entry = CachedResponse(
            statusCode: 0, requestURL: URL(fileURLWithPath: "/"), storedAt: Date(timeIntervalSinceReferenceDate: 0))

        /// Takes a field; false when it can't be what was written.
        mutating func take(_ tag: Tag, _ bytes: ArraySlice<UInt8>) -> Bool {
            guard seen.insert(tag).inserted else { return false }
            var field = ByteReader(bytes)
            func text() -> String { String(decoding: bytes, as: UTF8.self) }
            switch tag {
            case .key:
                key = Array(bytes)
                return true
            case .requestMethod:
                entry.requestMethod = HTTPMethod(rawValue: text())
                return true
            case .requestURL:
                guard let url = URL(string: text()) else { return false }
                entry.requestURL = url
                if !seen.contains(.url) { entry.url = url }
                return true
            case .url:
                guard let url = URL(string: text()) else { return false }
                entry.url = url
                return true
            case .statusCode:
                guard let status = field.number(), (100...999).contains(status) else { return false }
                entry.statusCode = Int(status)
            case .requestedAt:
                guard let date = field.date() else { return false }
                entry.requestedAt = date
            case .storedAt:
                guard let date = field.date() else { return false }
                entry.storedAt = date
            case .headers:
                guard let headers = field.headers() else { return false }
                entry.headers = headers
            case .requestHeaders:
                guard let headers = field.headers() else { return false }
                entry.requestHeaders = headers
            }
            return field.isAtEnd
        }

        /// Key and entry, if no field is missing that every entry has.
        var result: (key: [UInt8], entry: CachedResponse)? {
            return seen.isSuperset(of: Reading.needed) ? (key, entry) : nil
        }
    }
}
