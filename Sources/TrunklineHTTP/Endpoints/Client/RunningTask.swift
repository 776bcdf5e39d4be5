import Foundation

/// A call of a ``NetworkClient`` that has not ended.
public struct RunningTask: Hashable, Sendable, Identifiable {
    /// What kind of call it is.
    public enum Kind: Hashable, Sendable {
        /// A request for a value.
        case data
        /// An upload.
        case upload
        /// A download into a file.
        case download
    }

    /// The request's identity, the same as in the session.
    public let id: RequestID
    /// What kind of call it is.
    public let kind: Kind
    /// The base URL of its client.
    public let baseURL: URL
    /// The request, what ``NetworkClient/cancel(request:completion:)`` compares, field by field.
    public let request: APIRequest
}
