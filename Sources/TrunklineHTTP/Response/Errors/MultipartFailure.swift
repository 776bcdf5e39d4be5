/// A part of a multipart body that could not be sent as it was described.
public struct MultipartFailure: Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: Hashable, Sendable {
        /// The part yielded another number of bytes than announced. Sending it would break the message: a short body
        /// stalls the server, the rest of a long one is read as the next request (RFC 9112, section 6.2). `actual` is what
        /// had been seen when it was noticed.
        case unexpectedLength(expected: Int64, actual: Int64)
        /// The part's file or stream can't be read; with what the system said.
        case unreadable(String)
        /// The boundary given occurs in the part, which would cut it in two.
        case containsBoundary
    }

    /// The part's field name.
    public var part: String
    /// What was wrong.
    public var reason: Reason

    /// Makes a failure.
    public init(part: String, reason: Reason) {
        self.part = part
        self.reason = reason
    }

    /// What was wrong with which part.
    public var description: String {
        switch reason {
        case .unexpectedLength(let expected, let actual):
            "The part \"\(part)\" was announced with \(expected) bytes and has \(actual)."
        case .unreadable(let reason): "The part \"\(part)\" can't be read: \(reason)."
        case .containsBoundary: "The part \"\(part)\" contains the boundary; let the form choose one."
        }
    }
}
