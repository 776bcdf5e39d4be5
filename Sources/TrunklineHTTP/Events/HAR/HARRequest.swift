import Foundation

/// A request as it was sent.
public struct HARRequest: Hashable, Sendable, Codable {
    /// The method.
    public var method: String
    /// The absolute URL, without its fragment.
    public var url: String
    /// The protocol, `HTTP/1.1` or `h2`; empty where it is unknown.
    public var httpVersion: String
    /// The cookies of the `Cookie` field.
    public var cookies: [HARCookie]
    /// The header fields the library set.
    public var headers: [HARField]
    /// The items of the URL's query, percent-decoded.
    public var queryString: [HARField]
    /// The content; nil for none.
    public var postData: HARPostData?
    /// The bytes of the head, or -1.
    public var headersSize: Int
    /// The bytes of the content, 0 for none, or -1 where it is unknown.
    public var bodySize: Int64

    /// Makes a request.
    public init(
        method: String, url: String, httpVersion: String = "HTTP/1.1", cookies: [HARCookie] = [],
        headers: [HARField] = [], queryString: [HARField] = [], postData: HARPostData? = nil, headersSize: Int = -1,
        bodySize: Int64 = 0
    ) {
        self.method = method
        self.url = url
        self.httpVersion = httpVersion
        self.cookies = cookies
        self.headers = headers
        self.queryString = queryString
        self.postData = postData
        self.headersSize = headersSize
        self.bodySize = bodySize
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        method = try values.decode(String.self, forKey: .method)
        url = try values.decode(String.self, forKey: .url)
        httpVersion = try values.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
        cookies = (try? values.decodeIfPresent([HARCookie].self, forKey: .cookies)) ?? []
        headers = try values.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        queryString = try values.decodeIfPresent([HARField].self, forKey: .queryString) ?? []
        postData = try values.decodeIfPresent(HARPostData.self, forKey: .postData)
        headersSize = (try? values.decodeIfPresent(Int.self, forKey: .headersSize)) ?? -1
        bodySize = (try? values.decodeIfPresent(Int64.self, forKey: .bodySize)) ?? -1
    }
}
