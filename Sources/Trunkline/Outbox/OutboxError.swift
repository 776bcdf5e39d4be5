/// Why an outbox could not be opened, or did not take a request.
public enum OutboxError: Error, Hashable, Sendable {
    /// Another outbox, of this process or another one, works in the directory.
    case inUse(directory: String)
    /// The disk refused.
    case file(String, reason: String)
    /// The request carries credentials, which are not stored: they are applied when it is sent.
    case credentials(field: String)
    /// The request could not be built.
    case request(reason: String)
    /// The sealer refused to seal, or to open an entry that is not damaged: a key that is not there yet, say. The entry
    /// stays where it is.
    case sealer(reason: String)
    /// The outbox was closed.
    case closed
}

extension OutboxError: CustomStringConvertible {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .inUse(let directory):
            "Another outbox works in \(directory). Open one for each directory and share it."
        case .file(let path, let reason): "The outbox can't use \(path): \(reason)."
        case .credentials(let field):
            "The request has \"\(field)\", which an outbox does not store. Leave it out: an interceptor or the service's "
                + "authentication applies it when the request is sent."
        case .request(let reason): "The request can't be kept: \(reason)"
        case .sealer(let reason): "The outbox's sealer refused: \(reason)."
        case .closed: "The outbox was closed. Open it again."
        }
    }
}
