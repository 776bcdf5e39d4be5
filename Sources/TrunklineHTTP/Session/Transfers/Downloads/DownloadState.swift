import Foundation

/// What is known about a partial download, beside its bytes: a small file that is written whole or not at all, before the
/// first byte of the content.
struct DownloadState: Hashable, Sendable {
    /// Where the content came from. For people; a download from another URL may go on with it.
    var url: String
    /// What must still hold for the bytes to be of any use.
    var validator: DownloadValidator
    /// The length of the whole, where the server told.
    var total: Int64?
    /// The SHA-256 the server announced, in hexadecimal digits.
    var digest: String?
    /// How many bytes were on the disk when this was written, whatever happened afterwards.
    var synced: Int64 = 0
    /// The ``BootSession`` it was written in.
    var boot: String?

    private static let magic: [UInt8] = Array("TLDL1".utf8)

    /// The file's bytes, a checksum at their end.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.field(DownloadState.magic)
        writer.field(url)
        writer.field(validator.text)
        writer.byte(validator.isDate ? 1 : 0)
        writer.fixed(total ?? -1)
        writer.field(optional: digest)
        writer.fixed(synced)
        writer.field(optional: boot)
        return writer.sealed
    }

    init(
        url: String, validator: DownloadValidator, total: Int64?, digest: String?, boot: String? = BootSession.id
    ) {
        self.url = url
        self.validator = validator
        self.total = total
        self.digest = digest
        self.boot = boot
    }

    /// Reads a file's bytes; nil when they are not what was written.
    init?(bytes: [UInt8]) {
        guard var reader = ByteReader(sealed: bytes), let magic = reader.field(), Array(magic) == DownloadState.magic,
            let url = reader.string(),
            let text = reader.string(), let kind = reader.byte(), let total = reader.fixed(Int64.self),
            let digest = reader.optionalString(), let synced = reader.fixed(Int64.self),
            let boot = reader.optionalString(), reader.isAtEnd, total >= -1, synced >= 0
        else { return nil }
        self.url = url
        validator = DownloadValidator(text: text, isDate: kind == 1)
        self.total = total >= 0 ? total : nil
        self.digest = digest
        self.synced = synced
        self.boot = boot
    }

    /// How many of the bytes that are there can be relied on.
    func trusted(of length: Int64, boot current: String? = BootSession.id) -> Int64 {
        let isSameRun = boot != nil && boot == current
        return max(0, min(isSameRun ? length : min(length, synced), total ?? .max))
    }
}
