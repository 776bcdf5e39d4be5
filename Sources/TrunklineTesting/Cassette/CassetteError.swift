import Foundation
import TrunklineHTTP

/// What is wrong with a cassette. A request fails with it as `HTTPError.custom(_:)`.
public enum CassetteError: Error, Sendable {
    /// There is no file to replay.
    case missing(URL)
    /// The file is no HAR file, or not a whole one. It is left as it is.
    case damaged(URL, reason: String)
    /// No recorded exchange answers the request; with the nearest one and what differs.
    case noMatch(request: String, nearest: String?, differences: [String], file: URL)
    /// The recorded exchange has no content that can be replayed.
    case contentMissing(entry: String, file: URL)
    /// The file can't be written; the exchange itself went well.
    case notWritten(URL, reason: String)
}

extension CassetteError: CustomStringConvertible, LocalizedError {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .missing(let url): "There is no cassette at \(url.path); record it first."
        case .damaged(let url, let reason):
            "The cassette \(url.path) is no whole HAR file: \(reason) Remove it and record it anew."
        case .noMatch(let request, nil, _, let file): "The cassette \(file.path) has no exchange left for \(request)."
        case .noMatch(let request, let nearest?, let differences, let file):
            "The cassette \(file.path) has no exchange left for \(request). The nearest is \(nearest): "
                + differences.joined(separator: "; ") + "."
        case .contentMissing(let entry, let file):
            "The cassette \(file.path) was written without the content of \(entry); record it anew."
        case .notWritten(let url, let reason): "The cassette \(url.path) can't be written: \(reason)."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension HTTPError {
    /// What is wrong with the cassette behind this error, where there is one.
    public var cassetteError: CassetteError? {
        if case .custom(let error) = self { error as? CassetteError } else { nil }
    }
}
