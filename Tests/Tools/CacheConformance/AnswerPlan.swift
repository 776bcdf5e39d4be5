import Foundation
import TrunklineHTTP
import TrunklineTesting

/// What the origin answers to one request.
struct AnswerPlan: Sendable {
    let step: Step
    let record: Origin.Record
    private let status: (code: Int, reason: String)
    private let headers: HTTPHeaders
    private let body: Data
    /// Whether the length it tells is not that of the body.
    private let lies: Bool

    /// - Parameters:
    ///   - former: the step before.
    ///   - records: what the origin saw before.
    init(
        _ step: Step, former: Step?, number: Int, token: String, base: String, request: LoopbackRequest,
        records: [Origin.Record]
    ) {
        self.step = step
        let now = Date()
        var fields: HTTPHeaders = [
            "Server-Base-Url": base, "Server-Request-Count": String(records.count + 1),
            "Client-Request-Count": String(number),
            "Server-Now": String(Int(now.timeIntervalSince1970 * 1000)),
            "Request-Numbers": (records.map(\.number) + [number]).map(String.init).joined(separator: " "),
        ]
        let old = step.rfc850Fields
        for field in step.responseFields {
            var text = field.value.text(for: field.name, now: now, asRFC850: old.contains(field.name.lowercased()))
            let isLocation = ["location", "content-location"].contains(field.name.lowercased())
            if isLocation, step.hasMagicLocations { text = text.isEmpty ? base : base + "/" + text }
            fields.add(field.name, text)
        }
        fields.setDefault("Content-Type", "text/plain")

        var status = step.responseStatus ?? (200, "OK")
        switch step.expectedType {
        case .etagValidated:
            let tag = AnswerPlan.former("ETag", former, records)
            status = tag != nil && request.headers["If-None-Match"] == tag ? (304, "Not Modified") : AnswerPlan.missed
        case .lastModifiedValidated:
            let date = AnswerPlan.former("Last-Modified", former, records)
            let matches = date != nil && request.headers["If-Modified-Since"] == date
            status = matches ? (304, "Not Modified") : AnswerPlan.missed
        case .cached, .notCached, nil: break
        }
        self.status = status

        let hasBody = status.code != 204 && status.code != 304
        switch step.responseBody {
        case .none: body = Data(token.utf8)
        case .some(let text): body = Data((text ?? "").utf8)
        }
        lies = hasBody && fields.contains("Content-Length") && fields["Content-Length"] != String(body.count)
        if hasBody { fields.setDefault("Content-Length", String(body.count)) }
        headers = fields
        record = Origin.Record(
            number: number, method: request.method, requestHeaders: request.headers, responseHeaders: fields)
        isForHead = request.method == .head
    }

    private let isForHead: Bool
    private static let missed = (999, "Not conditional")

    /// The value the step before sent, or the last one that was sent.
    private static func former(_ name: String, _ step: Step?, _ records: [Origin.Record]) -> String? {
        guard step?.responseFields.contains(where: { $0.name.lowercased() == name.lowercased() }) == true else {
            return nil
        }
        return records.last { $0.responseHeaders.contains(name) }?.responseHeaders[name]
    }

    /// The bytes.
    var script: [ScriptStep] {
        var text = ""
        for interim in step.interimResponses {
            text += "HTTP/1.1 \(interim.code) Interim\r\n"
            for field in interim.fields { text += "\(field.name): \(field.value)\r\n" }
            text += "\r\n"
        }
        text += "HTTP/1.1 \(status.code) \(status.reason)\r\n"
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        text += "\r\n"
        let hasBody = status.code != 204 && status.code != 304 && !isForHead
        let bytes = Data(text.utf8) + (hasBody ? body : Data())
        // Bytes beyond the length would be read as the next answer.
        return lies ? [.send(bytes), .close] : [.send(bytes)]
    }
}
