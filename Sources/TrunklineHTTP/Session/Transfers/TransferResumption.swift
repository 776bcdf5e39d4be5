import Foundation

/// Whether a transfer goes on where an earlier one stopped: after a lost connection, a cancel, or the end of the process,
/// however that came.
public enum TransferResumption: Hashable, Sendable {
    /// A download's content is kept under the request's URL, an upload's address under its URL and the file's path; both
    /// apart for each cache partition.
    case automatic
    /// It is kept under this name, whatever the URL is: where URLs change from one time to the next, such as signed ones.
    /// A download goes on where the server confirms the validator, and starts anew where it doesn't.
    case key(String)
    /// Nothing is kept; every transfer starts anew.
    case never
}
