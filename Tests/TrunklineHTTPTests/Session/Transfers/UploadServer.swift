import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A server of both protocols for resumable uploads, strict about what it is sent, with faults on request.
final class UploadServer: Sendable {
    enum Dialect: CaseIterable, Sendable {
        case tus, draft

        var method: ResumableUpload { method(chunkSize: nil) }

        func method(chunkSize: Int64?) -> ResumableUpload {
            switch self {
            case .tus: .tus(metadata: ["filename": "a b.bin"], chunkSize: chunkSize)
            case .draft: .ietfDraft(chunkSize: chunkSize)
            }
        }
    }

    /// What happens to the next request with content instead of the right thing.
    enum Fault: Sendable {
        /// So many of its bytes are taken, then the connection is reset.
        case drop(after: Int64)
        /// This status, and nothing is taken.
        case status(Int)
        /// Everything is taken, and the answer is lost.
        case loseAnswer
        /// The upload is forgotten before.
        case forget
        /// Half of it is taken, and the answer says so.
        case takeHalf
    }

    private struct Upload: Sendable {
        var length: Int64
        var data = Data()
        var isComplete = false
    }

    private struct State: Sendable {
        var uploads: [String: Upload] = [:]
        var created = 0
        var completions = 0
        var faults: [Fault] = []
        /// An upload whose content was cut, and how much of it counts.
        var cut: (id: String, offset: String?, count: Int64)?
        var complaints: [String] = []
        var answerHeaders: HTTPHeaders = [:]
    }

    let server: LoopbackServer
    let dialect: Dialect
    private let state = Protected(State())

    init(_ dialect: Dialect) throws {
        self.dialect = dialect
        server = try LoopbackServer()
        server.route(.post, "/files") { [weak self] in self?.create($0) ?? .status(500) }
        server.route(.head, "/files/{id}") { [weak self] in self?.query($0) ?? .status(500) }
        routeContent()
    }

    deinit { server.stop() }

    var url: URL { server.baseURL.appendingPathComponent("files") }
    var created: Int { state.current.created }
    var completions: Int { state.current.completions }
    var complaints: [String] { state.current.complaints }
    /// The content of the only complete upload.
    var content: Data? { state.current.uploads.values.first { $0.isComplete }?.data }
    var offsets: [String?] {
        server.requests.filter { $0.method == .patch }.map { $0.headers["Upload-Offset"] }
    }

    func fail(_ faults: [Fault]) {
        state.withLock { $0.faults = faults }
        routeContent()
    }

    /// Fields of every answer.
    func answer(with headers: HTTPHeaders) { state.withLock { $0.answerHeaders = headers } }

    func forgetAll() { state.withLock { $0.uploads = [:] } }

    private func routeContent() {
        // A request that is cut off has to be answered before it is there.
        if case .drop(let count) = state.current.faults.first {
            server.route(.patch, "/files/{id}", options: .respondsEarly) { [state] request in
                let isFirst = state.withLock { state in
                    guard case .drop = state.faults.first else { return false }
                    state.faults.removeFirst()
                    state.cut = (request["id"] ?? "", request.headers["Upload-Offset"], count)
                    return true
                }
                // URLSession on Linux sends the head of a request anew when a kept connection was reset (F12).
                return isFirst ? .raw([.waitForBodyBytes(count), .reset]) : .raw([.reset])
            }
        } else {
            server.route(.patch, "/files/{id}") { [weak self] in self?.append($0) ?? .status(500) }
        }
    }

    private func complain(_ text: String) -> LoopbackResponse {
        state.withLock { $0.complaints.append(text) }
        return .text(text, status: 400)
    }

    private func create(_ request: LoopbackRequest) -> LoopbackResponse {
        guard let length = Int64(request.headers["Upload-Length"] ?? "") else { return complain("no Upload-Length") }
        switch dialect {
        case .tus:
            if request.headers["Tus-Resumable"] != "1.0.0" { return complain("no Tus-Resumable") }
            if request.headers["Upload-Metadata"] != "filename YSBiLmJpbg==" { return complain("no metadata") }
        case .draft:
            if request.headers["Upload-Draft-Interop-Version"] != "6" { return complain("no version") }
            if request.headers["Upload-Complete"] != "?0" { return complain("not a careful creation") }
        }
        let id = state.withLock { state -> String in
            state.created += 1
            state.cut = nil
            var upload = Upload(length: length, data: request.body)
            if dialect == .tus, upload.length == Int64(upload.data.count) {
                upload.isComplete = true
                state.completions += 1
            }
            state.uploads["\(state.created)"] = upload
            return "\(state.created)"
        }
        routeContent()
        var headers = answerHeaders(for: id)
        headers.set("Location", "/files/\(id)")
        return .status(201, headers: headers)
    }

    private func query(_ request: LoopbackRequest) -> LoopbackResponse {
        takeCut()
        let id = request["id"] ?? ""
        for name in ["Upload-Offset", "Upload-Complete"] where request.headers.contains(name) {
            return complain("\(name) in a HEAD")
        }
        guard state.current.uploads[id] != nil else { return .status(404) }
        return .status(dialect == .tus ? 200 : 204, headers: answerHeaders(for: id))
    }

    /// Adds what arrived of a request that was cut.
    private func takeCut() {
        guard
            let cut = state.withLock({ state in
                defer { state.cut = nil }
                return state.cut
            })
        else { return }
        var body: Data?
        _ = waitUntil(within: .seconds(10)) {
            // Cut off, or so fast that all of it had come. The first one: what URLSession on Linux sends again (F12) has
            // the body from wherever its reader was.
            body =
                (server.abandonedRequests + server.requests).first {
                    $0.method == .patch && $0.headers["Upload-Offset"] == cut.offset && $0.bodyCount >= cut.count
                }?.body
            return body != nil
        }
        guard let body else { return }
        state.withLock { state in
            let count = max(0, min(Int(cut.count), body.count))
            state.uploads[cut.id]?.data.append(body.prefix(count))
        }
        routeContent()
    }

    private func append(_ request: LoopbackRequest) -> LoopbackResponse {
        let id = request["id"] ?? ""
        let fault = state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
        defer { routeContent() }
        if case .status(let status) = fault { return .status(status, headers: answerHeaders(for: id)) }
        if case .forget = fault { state.withLock { _ = $0.uploads.removeValue(forKey: id) } }
        guard let upload = state.current.uploads[id] else { return .status(404) }
        let type = dialect == .tus ? "application/offset+octet-stream" : "application/partial-upload"
        if request.headers["Content-Type"] != type { return complain("type \(request.headers["Content-Type"] ?? "")") }
        guard Int64(request.headers["Upload-Offset"] ?? "") == Int64(upload.data.count) else {
            return .status(409, headers: answerHeaders(for: id))
        }
        if let checksum = request.headers["Upload-Checksum"] {
            let digest = Data(SHA256Digest.bytes(of: Array(request.body))).base64EncodedString()
            if checksum != "sha256 \(digest)" { return complain("wrong checksum") }
        }
        var body = request.body
        if case .takeHalf = fault { body = body.prefix(body.count / 2) }
        state.withLock { [body] state in
            guard var upload = state.uploads[id] else { return }
            upload.data.append(body)
            let isAll = Int64(upload.data.count) == upload.length
            let isComplete = dialect == .tus ? isAll : isAll && request.headers["Upload-Complete"] == "?1"
            if isComplete, !upload.isComplete {
                upload.isComplete = true
                state.completions += 1
            }
            state.uploads[id] = upload
        }
        if case .loseAnswer = fault { return .raw([.reset]) }
        return .status(dialect == .tus ? 204 : 201, headers: answerHeaders(for: id))
    }

    private func answerHeaders(for id: String) -> HTTPHeaders {
        let state = state.current
        var headers = state.answerHeaders
        guard let upload = state.uploads[id] else { return headers }
        headers.set("Upload-Offset", String(upload.data.count))
        switch dialect {
        case .tus:
            headers.set("Tus-Resumable", "1.0.0")
            headers.set("Upload-Length", String(upload.length))
        case .draft:
            headers.set("Upload-Complete", upload.isComplete ? "?1" : "?0")
        }
        return headers
    }
}
