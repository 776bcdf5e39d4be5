import Foundation

/// draft-ietf-httpbis-resumable-upload-05, interop version 6.
struct DraftDialect: UploadDialect {
    let contentType: String?

    private static let version = "6"

    var name: String { "draft-6" }
    var sendsContentAtCreation: Bool { false }
    var sendsChecksums: Bool { false }

    func prepareCreation(_ request: inout HTTPRequest, length: Int64, file: URL) throws(HTTPError) {
        request.headers.set("Upload-Draft-Interop-Version", DraftDialect.version)
        request.headers.set("Upload-Complete", "?0")
        request.headers.set("Upload-Length", String(length))
        request.headers.set("Content-Type", contentType ?? MIMEType.of(fileName: file.lastPathComponent))
    }

    func prepareQuery(_ request: inout HTTPRequest) {
        request.headers.set("Upload-Draft-Interop-Version", DraftDialect.version)
    }

    func prepareAppend(_ request: inout HTTPRequest, offset: Int64, isLast: Bool, digest: [UInt8]?) {
        request.headers.set("Upload-Draft-Interop-Version", DraftDialect.version)
        request.headers.set("Upload-Complete", isLast ? "?1" : "?0")
        request.headers.set("Upload-Offset", String(offset))
        request.headers.set("Content-Type", "application/partial-upload")
    }

    func read(_ response: HTTPResponse, to step: UploadStep, length: Int64) -> UploadAnswer {
        // A completed upload is not changed any more: the offset tells whether this is why.
        if response.statusCode == 400, case .append = step, response.headers.contains("Upload-Offset") {
            return .unknownOffset
        }
        if let answer = common(response.statusCode, step: step) { return answer }
        if let known = number(response.headers, "Upload-Length"), known != length { return .gone }
        let offset = number(response.headers, "Upload-Offset")
        if let offset, offset > length { return .nonsense("its offset \(offset) is beyond the \(length) bytes") }
        let complete = response.headers["Upload-Complete"]?.trimmingCharacters(in: .whitespaces)
        switch step {
        case .create: return .offset(offset ?? 0)
        case .query:
            if complete == "?1" { return .complete }
            return offset.map { .offset($0) } ?? .nonsense("a HEAD was answered without Upload-Offset")
        case .append(let end, let isLast):
            if isLast, complete != "?0", offset == nil || offset == end { return .complete }
            return offset.map { .offset($0) } ?? .unknownOffset
        }
    }
}
