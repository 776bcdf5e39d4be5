import Foundation

/// Why a download was not put in its place, or an upload could not go on.
public enum TransferFailure: Error, Hashable, Sendable {
    /// The content is not the one expected: its SHA-256 as hexadecimal digits, and the one it should have. Nothing was put
    /// in its place, and what had arrived was removed.
    case checksumMismatch(expected: String, actual: String)
    /// The server was to announce a SHA-256 (RFC 9530) and did not.
    case checksumMissing
    /// The checksum to compare with is not 64 hexadecimal digits. Nothing was sent.
    case checksumUnusable(String)
    /// There is a file at the destination, and the rule forbids replacing it. It was left as it is.
    case destinationExists(URL)
    /// The file that is uploaded changed meanwhile; uploading it again starts anew.
    case sourceChanged(URL)
    /// The server's answer doesn't fit the protocol of resumable uploads: what it answered.
    case uploadProtocol(reason: String)
    /// The upload made no progress any more: the offset it stays at, in bytes.
    case uploadStalled(offset: Int64)
}

extension TransferFailure: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .checksumMismatch(let expected, let actual):
            "The content has the SHA-256 \(actual) and should have \(expected); it was thrown away."
        case .checksumMissing: "The server announced no SHA-256 of the content in Repr-Digest or Content-Digest."
        case .checksumUnusable(let text): "\"\(text)\" is not a SHA-256 of 64 hexadecimal digits."
        case .destinationExists(let url): "There is a file at \(url.path) already, and it must not be replaced."
        case .sourceChanged(let url): "The file \(url.path) changed while it was uploaded; start again."
        case .uploadProtocol(let reason): "The server doesn't speak the upload protocol: \(reason)."
        case .uploadStalled(let offset): "The upload makes no progress beyond \(offset) bytes; try again later."
        }
    }
}
