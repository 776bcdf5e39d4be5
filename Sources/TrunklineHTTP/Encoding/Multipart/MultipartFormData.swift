import Foundation

/// A form of several parts: fields, bytes, files and streams (RFC 7578).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Holiday", name: "title")
/// form.append(file: photoURL, name: "photo")
/// let upload: Endpoint = .post("https://example.com/photos", body: try .multipart(form))
/// ```
///
/// Parts are sent in the order they were added. Files and streams are read while they are sent, a chunk at a time: a form
/// of any size needs little memory and no temporary file. The length is computed first and sent as `Content-Length`; a
/// part that turns out longer or shorter ends the request with an error instead of a broken message.
public struct MultipartFormData: Sendable {
    /// The delimiter between the parts: chosen at random so that it can't occur in a part, or the one given.
    public private(set) var boundary: String
    /// The parts in order.
    public private(set) var parts: [MultipartPart] = []

    private let boundaryIsGiven: Bool

    /// Makes an empty form.
    ///
    /// - Parameter boundary: the delimiter; leave it out outside of tests. A given one is checked when the form is
    ///   encoded: 1 to 70 characters of those RFC 2046 allows, and not contained in a part held in memory.
    public init(boundary: String? = nil) {
        boundaryIsGiven = boundary != nil
        self.boundary = boundary ?? MultipartBoundary.random()
    }

    /// Adds a text field, in UTF-8.
    public mutating func append(_ text: String, name: String, contentType: String? = nil) {
        append(MultipartPart(name: name, contentType: contentType, content: .data(Data(text.utf8))))
    }

    /// Adds bytes: a file when `fileName` is given, else a field.
    ///
    /// - Parameters:
    ///   - data: the content.
    ///   - name: the field's name.
    ///   - fileName: the file name to announce, in any language.
    ///   - contentType: the media type; by default the one of the file name's extension, and none for a field.
    public mutating func append(_ data: Data, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(
            MultipartPart(
                name: name, fileName: fileName, contentType: contentType ?? fileName.map { MIMEType.of(fileName: $0) },
                content: .data(data)))
    }

    /// Adds a file. Nothing is read before the form is encoded.
    ///
    /// - Parameters:
    ///   - file: a file URL. It may not change until the request has ended.
    ///   - name: the field's name.
    ///   - fileName: the file name to announce; by default the file's own.
    ///   - contentType: the media type; by default the one of the file name's extension.
    public mutating func append(file: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        append(
            MultipartPart(
                name: name, fileName: fileName, contentType: contentType ?? MIMEType.of(fileName: fileName),
                content: .file(file)))
    }

    /// Adds a stream of known length.
    ///
    /// - Parameters:
    ///   - length: the exact number of bytes; another number ends the request with an error.
    ///   - name: the field's name.
    ///   - fileName: the file name to announce, or nil for a field.
    ///   - contentType: the media type; by default the one of the file name's extension.
    ///   - stream: makes the chunks; called once for each attempt to send the form.
    public mutating func append(
        length: Int64, name: String, fileName: String? = nil, contentType: String? = nil,
        stream: @escaping @Sendable () throws -> RequestBody.Chunks
    ) {
        append(
            MultipartPart(
                name: name, fileName: fileName, contentType: contentType ?? fileName.map { MIMEType.of(fileName: $0) },
                content: .stream(length: length, make: stream)))
    }

    private mutating func append(_ part: MultipartPart) {
        parts.append(part)
        // A random boundary of 190 bits in a part would be a miracle, but looking is cheap and makes it impossible.
        while !boundaryIsGiven, parts.contains(where: { $0.contains(boundary) }) {
            boundary = MultipartBoundary.random()
        }
    }

    /// The form with text fields in front of its parts.
    package func prepending(_ fields: [(name: String, text: String)]) -> MultipartFormData {
        var form = self
        form.parts = []
        for field in fields { form.append(field.text, name: field.name) }
        for part in parts { form.append(part) }
        return form
    }

    /// The value of the request's `Content-Type`.
    public var contentType: String {
        "multipart/form-data; boundary=\(HTTPToken.isToken(boundary) ? boundary : "\"\(boundary)\"")"
    }
}

extension MultipartFormData {
    /// The form's bytes in memory: for small forms and tests. The same bytes ``RequestBody/multipart(_:)`` sends.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with the part that can't be read or has an unexpected length.
    public func encoded() async throws(HTTPError) -> Data {
        var reader = try reader()
        var data = Data()
        while let chunk = try await reader.next() { data.append(chunk) }
        return data
    }

    /// Writes the form's bytes to a file, which is there complete or not at all. The same bytes
    /// ``RequestBody/multipart(_:)`` sends.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with the part that can't be read, or ``HTTPError/file(_:)`` when the file
    ///   can't be written. A file that was there before stays as it was then.
    public func write(to url: URL) async throws(HTTPError) {
        var reader = try reader()
        let file = try PartialFile(for: url)
        do {
            while let chunk = try await reader.next() { try file.write(chunk) }
            try file.commit()
        } catch {
            file.discard()
            throw HTTPError(error)
        }
    }

    /// The form as it is read front to back, checked as far as it can be before the first byte.
    func reader() throws(HTTPError) -> MultipartReader {
        try MultipartReader(segments: segments())
    }

    /// The pieces of the body in order, each with its length.
    func segments() throws(HTTPError) -> [MultipartSegment] {
        try MultipartBoundary.check(boundary)
        var segments: [MultipartSegment] = []
        for part in parts {
            guard !part.contains(boundary) else { throw part.failure(.containsBoundary) }
            let head = "--\(boundary)\r\n\(try part.headerLines())\r\n"
            segments.append(
                MultipartSegment(part: part.name, length: Int64(head.utf8.count), content: .data(Data(head.utf8))))
            segments.append(MultipartSegment(part: part.name, length: try part.length(), content: part.content))
            segments.append(MultipartSegment(part: part.name, length: 2, content: .data(Data("\r\n".utf8))))
        }
        let end = Data("--\(boundary)--\r\n".utf8)
        segments.append(MultipartSegment(part: "", length: Int64(end.count), content: .data(end)))
        return segments
    }
}
