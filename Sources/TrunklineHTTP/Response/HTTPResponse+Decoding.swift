import Foundation

extension HTTPResponse {
    /// Decodes the JSON content.
    ///
    /// A byte-order mark is skipped (RFC 8259, section 8.1, lets a parser ignore it) and any JSON value may be the top
    /// level. No content gives `nil` for an optional type.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - decoder: the decoder to use.
    /// - Throws: ``HTTPError/emptyResponse(_:)`` when there is no content; ``HTTPError/decoding(_:)``, with the coding
    ///   path, when it is not a `type`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws(HTTPError) -> Value {
        let json = try wholeContent().withoutByteOrderMark
        guard !json.isEmpty else {
            if let absent = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
                return absent
            }
            throw .emptyResponse(self)
        }
        do {
            return try decoder.decode(type, from: json)
        } catch {
            throw .decoding(DecodingFailure(type: String(describing: type), error: error, response: self))
        }
    }

    /// The content as text.
    ///
    /// - Parameter encoding: the encoding to use; by default the one of the `Content-Type`, and UTF-8 where that names
    ///   none or an unknown one (RFC 9110, section 8.3.2, has no other default). A byte-order mark is skipped.
    /// - Throws: ``HTTPError/decoding(_:)`` when the bytes are not text in that encoding.
    public func string(encoding: String.Encoding? = nil) throws(HTTPError) -> String {
        let encoding = encoding ?? TextEncoding.named(MediaType(headers["Content-Type"] ?? "")?.charset) ?? .utf8
        var bytes = try wholeContent()
        if encoding == .utf8 { bytes = bytes.withoutByteOrderMark }
        guard let text = String(data: bytes, encoding: encoding) else {
            throw .decoding(DecodingFailure(type: "String", reason: "the bytes are not \(encoding)", response: self))
        }
        return text
    }

    /// The content in memory: a file is read, a stream has to be read by its consumer.
    func wholeContent() throws(HTTPError) -> Data {
        switch body {
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw .file(FileFailure(url: url, operation: .read, reason: error.localizedDescription))
            }
        case .stream:
            throw .decoding(
                DecodingFailure(
                    type: "whole value", reason: "the content is a stream; read its chunks instead", response: self))
        }
    }
}

extension Data {
    /// The bytes after a UTF-8 byte-order mark, or all of them.
    var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
