import Foundation

/// One part of a multipart form.
public struct MultipartPart: Sendable {
    /// Where the content comes from.
    enum Content: Sendable {
        case data(Data)
        case file(URL)
        case stream(length: Int64, make: @Sendable () throws -> RequestBody.Chunks)
    }

    /// The field's name.
    public let name: String
    /// The file name announced, if any.
    public let fileName: String?
    /// The media type announced, if any.
    public let contentType: String?

    let content: Content

    init(name: String, fileName: String? = nil, contentType: String? = nil, content: Content) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
    }

    /// The number of bytes of the content.
    func length() throws(HTTPError) -> Int64 {
        switch content {
        case .data(let data): return Int64(data.count)
        case .stream(let length, _):
            guard length >= 0 else { throw failure(.unreadable("the length \(length) is negative")) }
            return length
        case .file(let url):
            do {
                return try FileFacts.length(of: url)
            } catch .file(let reason) {
                throw failure(.unreadable(reason.description))
            }
        }
    }

    /// The header lines, each with its line end. Names go out as UTF-8 with only `"`, CR and LF escaped (WHATWG HTML,
    /// multipart/form-data encoding algorithm); `filename*` must not be used (RFC 7578, section 4.2).
    func headerLines() throws(HTTPError) -> String {
        var lines = "Content-Disposition: form-data; name=\"\(MultipartPart.escape(name))\""
        if let fileName { lines += "; filename=\"\(MultipartPart.escape(fileName))\"" }
        lines += "\r\n"
        if let contentType {
            try HTTPHeaders([.contentType(contentType)]).validate()
            lines += "Content-Type: \(contentType)\r\n"
        }
        return lines
    }

    /// Whether the content, where it is in memory, holds the delimiter.
    func contains(_ boundary: String) -> Bool {
        guard case .data(let data) = content else { return false }
        return MultipartBoundary.occurs(boundary, in: data)
    }

    func failure(_ reason: MultipartFailure.Reason) -> HTTPError {
        .invalidRequest(.multipart(MultipartFailure(part: name, reason: reason)))
    }

    private static func escape(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x0D, 0x0A: PercentEncoding.appendEscaped(byte, to: &output)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
