import Foundation

/// The content of a request.
public struct HARPostData: Hashable, Sendable, Codable {
    /// The media type.
    public var mimeType: String
    /// The fields of a form; empty for other content.
    public var params: [HARParameter]
    /// The content as text; empty where ``params`` tell it, or where it was not kept.
    public var text: String
    /// `base64` where ``text`` is that of content that is no text. The format has no member for it; this is the
    /// library's own.
    public var encoding: String?
    /// Words of whoever wrote it: why the content is not there.
    public var comment: String?

    /// Makes content.
    public init(
        mimeType: String, params: [HARParameter] = [], text: String = "", encoding: String? = nil,
        comment: String? = nil
    ) {
        self.mimeType = mimeType
        self.params = params
        self.text = text
        self.encoding = encoding
        self.comment = comment
    }

    enum CodingKeys: String, CodingKey {
        case mimeType, params, text, comment
        case encoding = "_encoding"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = try values.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
        params = try values.decodeIfPresent([HARParameter].self, forKey: .params) ?? []
        text = try values.decodeIfPresent(String.self, forKey: .text) ?? ""
        encoding = try values.decodeIfPresent(String.self, forKey: .encoding)
        comment = try? values.decodeIfPresent(String.self, forKey: .comment)
    }

    /// The bytes of ``text``; nil when it says it is base64 and is not.
    public var data: Data? { HARText.data(text, encoding: encoding) }
}
