import Foundation

/// The form of an entry's file. All numbers are little-endian.
///
///     offset  bytes
///     0       8      magic, "TRKLNCE" and a line feed
///     8       4      version of the form
///     12      4      length of the head
///     16      8      length of the body
///     24      8      checksum of the body
///     32      8      checksum of the 32 bytes before and of the head
///     40      …      the head: key, method, URLs, status, times, header lines of answer and request
///     …       …      the body
///
/// The head can be checked and judged without the body. The file's length must be exactly the sum of its parts.
enum CacheEntryCodec {
    static let version: UInt32 = 1
    static let preludeLength = 40
    private static let magic = Array("TRKLNCE\n".utf8)

    /// The first bytes of a file.
    struct Prelude: Sendable {
        var headLength: Int
        var bodyLength: Int
        var bodyChecksum: UInt64
        var headChecksum: UInt64
    }

    /// Prelude and head of the entry's file; the body follows them as it is. Nil when the head is too large for the form.
    static func head(of entry: CachedResponse, for key: CacheKey) -> [UInt8]? {
        var head = ByteWriter(capacity: 1024)
        head.field(key.encoding)
        head.field(entry.requestMethod.rawValue)
        head.field(entry.requestURL.absoluteString)
        head.field(entry.url.absoluteString)
        head.count(entry.statusCode)
        head.date(entry.requestedAt)
        head.date(entry.storedAt)
        head.headers(entry.headers)
        head.headers(entry.requestHeaders)
        guard let headLength = UInt32(exactly: head.bytes.count) else { return nil }

        var file = ByteWriter(capacity: preludeLength + head.bytes.count)
        for byte in magic { file.byte(byte) }
        file.fixed(version)
        file.fixed(headLength)
        file.fixed(UInt64(entry.body.count))
        file.fixed(entry.body.withUnsafeBytes { Checksum.of($0) })
        file.fixed(Checksum.of(head.bytes, seed: Checksum.of(file.bytes)))
        return file.bytes + head.bytes
    }

    /// Reads the prelude; nil when it is not one of a file of `fileLength` bytes.
    static func prelude(_ bytes: ArraySlice<UInt8>, fileLength: Int64) -> Prelude? {
        var reader = ByteReader(bytes.prefix(preludeLength))
        for expected in magic where reader.byte() != expected { return nil }
        guard reader.fixed(UInt32.self) == version, let head = reader.fixed(UInt32.self),
            let body = reader.fixed(UInt64.self), let bodyChecksum = reader.fixed(UInt64.self),
            let headChecksum = reader.fixed(UInt64.self)
        else { return nil }
        // Compared with what is there, so that no sum can overflow and no length is believed.
        guard let available = UInt64(exactly: fileLength - Int64(preludeLength)), UInt64(head) <= available,
            body == available - UInt64(head), let bodyLength = Int(exactly: body), let headLength = Int(exactly: head)
        else { return nil }
        return Prelude(
            headLength: headLength, bodyLength: bodyLength, bodyChecksum: bodyChecksum, headChecksum: headChecksum)
    }

    /// Reads the head and gives the entry without its body; nil when it is damaged or of another key.
    static func entry(_ prelude: Prelude, preludeBytes: ArraySlice<UInt8>, head: ArraySlice<UInt8>, key: CacheKey)
        -> CachedResponse?
    {
        let seed = Checksum.of(Array(preludeBytes.prefix(preludeLength - 8)))
        guard head.withUnsafeBytes({ Checksum.of($0, seed: seed) }) == prelude.headChecksum else { return nil }
        var reader = ByteReader(head)
        guard let encoding = reader.field(), encoding.elementsEqual(key.encoding),
            let method = reader.string(),
            let requestURL = reader.string().flatMap(URL.init(string:)),
            let url = reader.string().flatMap(URL.init(string:)),
            let status = reader.number(), (100...999).contains(status),
            let requestedAt = reader.date(), let storedAt = reader.date(),
            let headers = reader.headers(), let requestHeaders = reader.headers(), reader.isAtEnd
        else { return nil }
        return CachedResponse(
            statusCode: Int(status), headers: headers, requestMethod: HTTPMethod(rawValue: method),
            requestURL: requestURL, requestHeaders: requestHeaders, url: url, requestedAt: requestedAt,
            storedAt: storedAt)
    }
}
