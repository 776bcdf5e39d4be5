import Foundation

/// The content of a response, decoded.
public struct HARContent: Hashable, Sendable, Codable {
    /// Its bytes.
    public var size: Int64
    /// The bytes that a content coding saved; nil where it is unknown.
    public var compression: Int64?
    /// The value of `Content-Type`; empty for none.
    public var mimeType: String
    /// The content, where it was kept.
    public var text: String?
    /// `base64` where ``text`` is that; nil where it is the content itself.
    public var encoding: String?
    /// Words of whoever wrote it: why the content is not there, or not whole.
    public var comment: String?

    /// Makes content from its members.
    public init(
        size: Int64 = 0, compression: Int64? = nil, mimeType: String = "", text: String? = nil,
        encoding: String? = nil, comment: String? = nil
    ) {
        self.size = size
        self.compression = compression
        self.mimeType = mimeType
        self.text = text
        self.encoding = encoding
        self.comment = comment
    }

    /// Makes content of bytes, which ``data`` gives back exactly: text where they are valid UTF-8, base64 otherwise.
    public init(_ data: Data, mimeType: String) {
        let (text, encoding) = HARText.text(data)
        self.init(size: Int64(data.count), mimeType: mimeType, text: text, encoding: encoding)
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        size = (try? values.decodeIfPresent(Int64.self, forKey: .size)) ?? 0
        compression = try? values.decodeIfPresent(Int64.self, forKey: .compression)
        mimeType = try values.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
        text = try values.decodeIfPresent(String.self, forKey: .text)
        encoding = try values.decodeIfPresent(String.self, forKey: .encoding)
        comment = try? values.decodeIfPresent(String.self, forKey: .comment)
    }

    /// The bytes; empty where nothing was kept, nil when the text says it is base64 and is not.
    public var data: Data? { text.map { HARText.data($0, encoding: encoding) } ?? Data() }
}
