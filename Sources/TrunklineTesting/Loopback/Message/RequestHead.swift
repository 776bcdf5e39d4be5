import Foundation

/// A request head: what the server itself needs is read at once, header strings are made on demand.
struct RequestHead {
    /// Where a field's name and value are in ``bytes``.
    struct FieldRange {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// How the body is framed (RFC 9112, section 6.3).
    enum Framing: Equatable {
        case none
        case length(Int64)
        case chunked
    }

    var method = ""
    var target = ""
    var minorVersion = 1
    var fields: [FieldRange] = []
    var framing = Framing.none
    var keepsAlive = true
    var expectsContinue = false
    /// The head as received, the empty line included.
    var bytes: [UInt8] = []

    var version: String { minorVersion == 1 ? "HTTP/1.1" : "HTTP/1.0" }

    /// The header fields.
    var headers: HTTPHeaders {
        HTTPHeaders(RequestHead.strings(fields, in: bytes))
    }

    static func strings(_ fields: [FieldRange], in bytes: [UInt8]) -> [HTTPHeaders.Field] {
        fields.map { field in
            HTTPHeaders.Field(
                String(decoding: bytes[field.name], as: UTF8.self), String(decoding: bytes[field.value], as: UTF8.self))
        }
    }
}

/// Why a request is refused: the status that says so and a sentence.
struct RequestFault: Error {
    var status: Int
    var reason: String

    static func bad(_ reason: String) -> RequestFault { RequestFault(status: 400, reason: reason) }
}
