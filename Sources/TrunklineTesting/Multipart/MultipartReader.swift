import Foundation
import TrunklineHTTP

/// Reads `multipart/form-data` (RFC 7578), on its own so that it checks the encoder and does not share its mistakes.
enum MultipartReader {
    /// One part of a form.
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: Data
    }

    /// The parts; nil where the content is no whole form.
    static func parts(of body: Data, contentType: String) -> [Part]? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", in: contentType), !boundary.isEmpty
        else { return nil }
        let delimiter = Data("--\(boundary)".utf8)
        guard var position = body.range(of: delimiter)?.upperBound else { return nil }
        var parts: [Part] = []
        let lineEnd = Data("\r\n".utf8)
        let separator = lineEnd + delimiter
        while !body[position...].starts(with: Data("--".utf8)) {
            guard let start = body.range(of: lineEnd, in: position..<body.endIndex)?.upperBound,
                let head = body.range(of: lineEnd + lineEnd, in: body.index(start, offsetBy: -2)..<body.endIndex),
                let end = body.range(of: separator, in: head.upperBound - 2..<body.endIndex)
            else { return nil }
            let content = head.upperBound <= end.lowerBound ? Data(body[head.upperBound..<end.lowerBound]) : Data()
            let fields = start < head.lowerBound ? String(decoding: body[start..<head.lowerBound], as: UTF8.self) : ""
            parts.append(part(fields, content))
            position = end.upperBound
        }
        return parts
    }

    private static func part(_ fields: String, _ content: Data) -> Part {
        var part = Part(name: "", content: content)
        for line in fields.components(separatedBy: "\r\n") {
            let name = line.prefix { $0 != ":" }.lowercased()
            let value = line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            switch name {
            case "content-disposition":
                part.name = parameter("name", in: value) ?? ""
                part.fileName = parameter("filename", in: value)
            case "content-type": part.contentType = value
            default: break
            }
        }
        return part
    }

    /// The value of a parameter of a header field, quotes and escapes removed.
    static func parameter(_ name: String, in field: String) -> String? {
        HeaderParameters.all(in: field).first { $0.name.lowercased() == name }?.value
    }
}
