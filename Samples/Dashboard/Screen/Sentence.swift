import Trunkline

/// What the reader is told about a part that is not there.
enum Sentence {
    static func about(_ error: any Error) -> String {
        switch error {
        case let error as APIError: error.message
        case GroupError.dependencyFailed(_, let cause, _): "\(cause) could not be loaded."
        case GroupError.cancelled: "cancelled"
        default: "\(error)"
        }
    }
}
