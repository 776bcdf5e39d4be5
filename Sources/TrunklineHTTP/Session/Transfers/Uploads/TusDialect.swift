import Foundation

/// tus 1.0.
struct TusDialect: UploadDialect {
    let metadata: [String: String]
    let sendsContentAtCreation: Bool
    let sendsChecksums: Bool

    private static let version = "1.0.0"
    private static let contentType = "application/offset+octet-stream"

    var name: String { "tus" }

    func prepareCreation(_ request: inout HTTPRequest, length: Int64, file: URL) throws(HTTPError) {
        request.headers.set("Tus-Resumable", TusDialect.version)
        request.headers.set("Upload-Length", String(length))
        request.headers.remove("Content-Type")
        if request.body != nil { request.headers.set("Content-Type", TusDialect.contentType) }
        guard !metadata.isEmpty else { return }
        var pairs: [String] = []
        for (key, value) in metadata.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }) else {
                throw .invalidRequest(
                    .header(name: "Upload-Metadata", reason: "the key \"\(key)\" is empty or not plain ASCII"))
            }
            pairs.append(value.isEmpty ? key : "\(key) \(Data(value.utf8).base64EncodedString())")
        }
        request.headers.set("Upload-Metadata", pairs.joined(separator: ","))
    }

    func prepareQuery(_ request: inout HTTPRequest) {
        request.headers.set("Tus-Resumable", TusDialect.version)
    }

    func prepareAppend(_ request: inout HTTPRequest, offset: Int64, isLast: Bool, digest: [UInt8]?) {
        request.headers.set("Tus-Resumable", TusDialect.version)
        request.headers.set("Upload-Offset", String(offset))
        request.headers.set("Content-Type", TusDialect.contentType)
        if let digest { request.headers.set("Upload-Checksum", "sha256 \(Data(digest).base64EncodedString())") }
    }

    func read(_ response: HTTPResponse, to step: UploadStep, length: Int64) -> UploadAnswer {
        // 460: what arrived was damaged on the way, and was dropped.
        if response.statusCode == 460 { return .unknownOffset }
        // "403, 404 or 410" tell that an upload is over.
        if response.statusCode == 403, step == .query { return .gone }
        if let answer = common(response.statusCode, step: step) { return answer }
        if let known = number(response.headers, "Upload-Length"), known != length { return .gone }
        let offset = number(response.headers, "Upload-Offset")
        if let offset, offset > length { return .nonsense("its offset \(offset) is beyond the \(length) bytes") }
        if offset == length { return .complete }
        switch (step, offset) {
        case (.create, nil): return length == 0 ? .complete : .offset(0)
        case (.query, nil): return .nonsense("a HEAD was answered without Upload-Offset")
        case (.append, nil): return .unknownOffset
        case (_, let offset?): return .offset(offset)
        }
    }
}
