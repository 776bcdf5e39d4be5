import Foundation

/// What a request was, as httpbin writes it.
struct RequestEcho: Encodable, Sendable {
    /// One value, or the list where a name is repeated.
    enum Values: Encodable, Sendable {
        case one(String)
        case many([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let value): try container.encode(value)
            case .many(let values): try container.encode(values)
            }
        }
    }

    let args: [String: Values]
    let data: String
    let files: [String: Values]
    let form: [String: Values]
    let headers: [String: String]
    /// The content as JSON; null where it is none.
    let json: JSONValue
    let method: String
    let origin: String
    let url: String

    init(_ request: LoopbackRequest, _ host: String, _ port: Int) {
        args = RequestEcho.grouped(request.queryItems.map { ($0.name, $0.value ?? "") })
        method = request.method.rawValue
        headers = RequestEcho.headers(of: request)
        origin = host
        url = request.target.contains("://") ? request.target : "http://\(host):\(port)\(request.target)"
        let type = request.headers["Content-Type"] ?? ""
        if let parts = MultipartReader.parts(of: request.body, contentType: type) {
            form = RequestEcho.grouped(
                parts.filter { $0.fileName == nil }.map { ($0.name, RequestEcho.text($0.content)) })
            files = RequestEcho.grouped(
                parts.filter { $0.fileName != nil }.map { ($0.name, RequestEcho.text($0.content)) })
            (data, json) = ("", .null)
        } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            form = RequestEcho.grouped(request.formItems.map { ($0.name, $0.value ?? "") })
            (files, data, json) = ([:], "", .null)
        } else {
            (form, files) = ([:], [:])
            data = RequestEcho.text(request.body)
            json = (try? JSONValue(parsing: request.body)) ?? .null
        }
    }

    /// The header fields by name, repeated ones joined.
    static func headers(of request: LoopbackRequest) -> [String: String] {
        request.headers.reduce(into: [:]) { fields, field in
            let known = fields.keys.first { $0.lowercased() == field.name.lowercased() } ?? field.name
            fields[known] = fields[known].map { "\($0), \(field.value)" } ?? field.value
        }
    }

    private static func grouped(_ pairs: [(String, String)]) -> [String: Values] {
        Dictionary(grouping: pairs, by: \.0).mapValues { pairs in
            pairs.count == 1 ? .one(pairs[0].1) : .many(pairs.map(\.1))
        }
    }

    private static func text(_ data: Data) -> String {
        String(data: data, encoding: .utf8) ?? "data:application/octet-stream;base64,\(data.base64EncodedString())"
    }
}
