import Foundation

/// What is kept of a resumable upload: its address, and the file it is of. How far it is, the server knows.
struct UploadState: Hashable, Sendable {
    /// Where the upload is, absolute.
    var upload: String
    /// Where it was created.
    var endpoint: String
    /// The dialect it was created in.
    var dialect: String
    var length: Int64
    var modified: Double
    /// When the server forgets it; nil where it doesn't say.
    var expires: Date?

    private static let magic: [UInt8] = Array("TLUL1".utf8)

    init(
        upload: String, endpoint: String, dialect: String, length: Int64, modified: Double, expires: Date? = nil
    ) {
        self.upload = upload
        self.endpoint = endpoint
        self.dialect = dialect
        self.length = length
        self.modified = modified
        self.expires = expires
    }

    /// The file's bytes, a checksum at their end.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.field(UploadState.magic)
        writer.field(upload)
        writer.field(endpoint)
        writer.field(dialect)
        writer.fixed(length)
        writer.fixed(modified.bitPattern)
        writer.byte(expires == nil ? 0 : 1)
        writer.date(expires ?? Date(timeIntervalSinceReferenceDate: 0))
        return writer.sealed
    }

    /// Reads a file's bytes; nil when they are not what was written.
    init?(bytes: [UInt8]) {
        guard var reader = ByteReader(sealed: bytes), let magic = reader.field(), Array(magic) == UploadState.magic,
            let upload = reader.string(),
            let endpoint = reader.string(), let dialect = reader.string(), let length = reader.fixed(Int64.self),
            let modified = reader.fixed(UInt64.self), let expires = reader.byte(), let date = reader.date(),
            reader.isAtEnd
        else { return nil }
        self.init(
            upload: upload, endpoint: endpoint, dialect: dialect, length: length,
            modified: Double(bitPattern: modified), expires: expires == 1 ? date : nil)
    }

    /// Whether it is of this file, in this dialect, from this place, and not over.
    func fits(_ source: UploadSource, dialect: String, now: Date) -> Bool {
        length == source.length && modified == source.modified && self.dialect == dialect
            && expires.map { $0 > now } ?? true
    }
}
