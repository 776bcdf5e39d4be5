import Foundation

extension HTTPResponse {
    /// Decodes the content.
    ///
    /// A byte-order mark is skipped (RFC 8259, section 8.1, lets a parser ignore it) and any JSON value may be the top
    /// level. What an empty answer gives is up to the type:
    ///
    /// - an optional type: nil, and ``NoContent``: its value, whatever the status;
    /// - an ``EmptyContentRepresentable`` one: its empty value, where the status is among `emptyStatuses` or the request
    ///   was a HEAD;
    /// - any other: ``HTTPError/emptyResponse(_:)``.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - path: where in the content the value is, `data.items`; by default all of it.
    ///   - decoder: the decoder to use; by default a plain `JSONDecoder`.
    ///   - emptyStatuses: the statuses whose answers may be empty; by default 204 and 205 (RFC 9110, sections 15.3.5 and
    ///     15.3.6).
    /// - Throws: ``HTTPError/emptyResponse(_:)`` when there is no content; ``HTTPError/decoding(_:)``, with the coding
    ///   path, when it is not a `type`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, at path: ContentPath? = nil, using decoder: any DataDecoder = JSONDecoder(),
        emptyStatuses: Set<Int> = [204, 205]
    ) throws(HTTPError) -> Value {
        if type == NoContent.self, let nothing = NoContent.emptyContent as? Value { return nothing }
        let content = try wholeContent().withoutByteOrderMark
        guard !content.isEmpty else { return try emptyValue(emptyStatuses) }
        do {
            guard let path, !path.steps.isEmpty else { return try decoder.decode(type, from: content) }
            return try EnvelopePath.$current.withValue(path) {
                try decoder.decode(EnvelopedValue<Value>.self, from: content).value
            }
        } catch {
            throw .decoding(DecodingFailure(type: String(describing: type), error: error, response: self))
        }
    }

    private func emptyValue<Value>(_ emptyStatuses: Set<Int>) throws(HTTPError) -> Value {
        if let absent = Optional<Value>.nilValue { return absent }
        if emptyStatuses.contains(statusCode) || request.method == .head,
            let empty = (Value.self as? any EmptyContentRepresentable.Type)?.emptyContent as? Value
        {
            return empty
        }
        throw .emptyResponse(self)
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
