import Foundation

/// Reads the answer to a WebSocket handshake: the head, and of a refusal the content. Pure.
struct HandshakeReader {
    /// How much of a refusal's content is kept.
    private static let keptOfRefusal = 1 << 20

    private let request: HTTPRequest
    private let maximumHead: Int
    private let maximumFields: Int
    private var bytes = Data()
    private var searched = 0
    private var informational = 0
    private var head: HTTPResponse?
    private var body: HandshakeBody?

    init(request: HTTPRequest, maximumHead: Int, maximumFields: Int) {
        self.request = request
        self.maximumHead = maximumHead
        self.maximumFields = maximumFields
    }

    /// What came after the head of an answer with status 101: the first frames.
    var rest: Data { bytes }

    /// Takes the next bytes; the answer once it is complete.
    mutating func read(_ piece: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPResponse? {
        bytes.append(contentsOf: piece)
        while head == nil {
            guard let end = endOfHead() else {
                if bytes.count > maximumHead { throw tooLong }
                return nil
            }
            if end > maximumHead { throw tooLong }
            let response = try parse(Data(bytes.prefix(end)))
            bytes = Data(bytes.dropFirst(end))
            searched = 0
            if response.statusCode >= 200 || response.statusCode == 101 {
                head = response
                if response.statusCode != 101 {
                    body = HandshakeBody(response.headers, status: response.statusCode, limit: Self.keptOfRefusal)
                }
            } else {
                // Informational: not the answer yet.
                informational += 1
                if informational > 64 { throw .invalidResponse(reason: "informational responses never end") }
            }
        }
        guard var response = head else { return nil }
        if response.statusCode == 101 { return response }
        guard let content = body?.read(&bytes) else { return nil }
        response.body = .data(content)
        return response
    }

    /// A refusal whose content the end of the connection has cut short, or ended: what there is of it.
    mutating func unfinishedRefusal() -> HTTPResponse? {
        guard var response = head, response.statusCode != 101 else { return nil }
        response.body = .data(body?.content ?? Data())
        return response
    }

    private var tooLong: HTTPError { .invalidResponse(reason: "the header fields exceed the limit of bytes") }

    /// Where the empty line ends.
    private mutating func endOfHead() -> Int? {
        var index = max(0, searched - 3)
        while let feed = bytes[index...].firstIndex(of: 0x0A) {
            let next = feed + 1
            if next < bytes.count, bytes[next] == 0x0A { return next + 1 }
            if next + 1 < bytes.count, bytes[next] == 0x0D, bytes[next + 1] == 0x0A { return next + 2 }
            index = next
        }
        searched = bytes.count
        return nil
    }

    private func parse(_ head: Data) throws(HTTPError) -> HTTPResponse {
        let line = String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].utf8.count == 3,
            let status = Int(parts[1]), status >= 100
        else { throw .invalidResponse(reason: "the status line is malformed") }
        let fields = head.withUnsafeBytes { HeadParser.fields(in: $0, skippingFirstLine: true) }
        if fields.count > maximumFields {
            throw .invalidResponse(reason: "there are more header fields than the limit")
        }
        if status == 101, parts[0] != "HTTP/1.1" {
            throw .invalidResponse(reason: "status 101 of \(parts[0]), which has no upgrade")
        }
        return HTTPResponse(request: request, statusCode: status, headers: fields)
    }
}
