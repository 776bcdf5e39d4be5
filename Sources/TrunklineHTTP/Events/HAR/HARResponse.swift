import Foundation

/// What came of a request.
public struct HARResponse: Hashable, Sendable, Codable {
    /// The status code; 0 where there was no answer.
    public var status: Int
    /// The reason phrase, by the status: the library does not keep the one that was sent.
    public var statusText: String
    /// The protocol, `HTTP/1.1` or `h2`; empty where it is unknown.
    public var httpVersion: String
    /// The cookies of `Set-Cookie` fields.
    public var cookies: [HARCookie]
    /// The header fields, as they came. A `Content-Encoding` among them was decoded: ``content`` is what was inside.
    public var headers: [HARField]
    /// The content.
    public var content: HARContent
    /// The target of a redirect, as in its `Location`; empty for other answers.
    public var redirectURL: String
    /// The bytes of the head, or -1.
    public var headersSize: Int
    /// The bytes of the content as they came, before decoding; -1 where it is unknown.
    public var bodySize: Int64
    /// What the exchange failed with, in words; the name browsers use.
    public var error: String?
    /// The kind of the failure, a name of ``HARFailure``; the library's own member.
    public var failure: String?
    /// The trailer fields; the library's own member.
    public var trailers: [HARField]?

    /// Makes a response.
    public init(
        status: Int, statusText: String = "", httpVersion: String = "HTTP/1.1", cookies: [HARCookie] = [],
        headers: [HARField] = [], content: HARContent = HARContent(), redirectURL: String = "", headersSize: Int = -1,
        bodySize: Int64 = -1, error: String? = nil, failure: String? = nil, trailers: [HARField]? = nil
    ) {
        self.status = status
        self.statusText = statusText
        self.httpVersion = httpVersion
        self.cookies = cookies
        self.headers = headers
        self.content = content
        self.redirectURL = redirectURL
        self.headersSize = headersSize
        self.bodySize = bodySize
        self.error = error
        self.failure = failure
        self.trailers = trailers
    }

    enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
        case error = "_error"
        case failure = "_failure"
        case trailers = "_trailers"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        status = try values.decodeIfPresent(Int.self, forKey: .status) ?? 0
        statusText = try values.decodeIfPresent(String.self, forKey: .statusText) ?? ""
        httpVersion = try values.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
        cookies = (try? values.decodeIfPresent([HARCookie].self, forKey: .cookies)) ?? []
        headers = try values.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        content = try values.decodeIfPresent(HARContent.self, forKey: .content) ?? HARContent()
        redirectURL = (try? values.decodeIfPresent(String.self, forKey: .redirectURL)) ?? ""
        headersSize = (try? values.decodeIfPresent(Int.self, forKey: .headersSize)) ?? -1
        bodySize = (try? values.decodeIfPresent(Int64.self, forKey: .bodySize)) ?? -1
        error = try? values.decodeIfPresent(String.self, forKey: .error)
        failure = try? values.decodeIfPresent(String.self, forKey: .failure)
        trailers = try? values.decodeIfPresent([HARField].self, forKey: .trailers)
    }
}
