import Foundation

/// What a protocol for resumable uploads writes and reads; no state and no I/O. The requests have their URL, credentials
/// and content already.
protocol UploadDialect: Sendable {
    /// A name for the kept state: one dialect's is of no use to another.
    var name: String { get }
    /// Whether the request that creates the upload carries content.
    var sendsContentAtCreation: Bool { get }
    /// Whether requests with content need its SHA-256.
    var sendsChecksums: Bool { get }

    func prepareCreation(_ request: inout HTTPRequest, length: Int64, file: URL) throws(HTTPError)
    func prepareQuery(_ request: inout HTTPRequest)
    func prepareAppend(_ request: inout HTTPRequest, offset: Int64, isLast: Bool, digest: [UInt8]?)

    /// Reads an answer to any of them.
    func read(_ response: HTTPResponse, to step: UploadStep, length: Int64) -> UploadAnswer
}

/// What was asked.
enum UploadStep: Hashable, Sendable {
    /// To make an upload; with the bytes that came along.
    case create(sent: Int64)
    /// How far the upload is.
    case query
    /// To add the bytes up to this offset; they are the last ones.
    case append(end: Int64, isLast: Bool)
}

/// What the server says about an upload.
enum UploadAnswer: Hashable, Sendable {
    /// It has so many bytes.
    case offset(Int64)
    /// It has everything.
    case complete
    /// It has another offset than the one asked about, or doesn't say which.
    case unknownOffset
    /// There is no such upload any more.
    case gone
    /// It can't be done now.
    case later
    /// It won't be done.
    case refused
    /// It is not an answer of the protocol.
    case nonsense(String)
}

extension UploadDialect {
    /// What a status says that is the same in all of them.
    func common(_ status: Int, step: UploadStep) -> UploadAnswer? {
        switch status {
        case 200..<300: return nil
        case 404, 410:
            if case .create = step { return .refused }
            return .gone
        case 409:
            if case .append = step { return .unknownOffset }
            return .refused
        case 408, 423, 425, 429, 500, 502, 503, 504: return .later
        default: return .refused
        }
    }

    /// A field with a whole number, not negative.
    func number(_ headers: HTTPHeaders, _ name: String) -> Int64? {
        guard let text = headers[name]?.trimmingCharacters(in: .whitespaces), !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
