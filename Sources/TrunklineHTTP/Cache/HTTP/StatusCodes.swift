/// What the cache knows about status codes.
enum StatusCodes {
    /// Whether an answer with the status may be stored and used for a guessed time when it says nothing about it (RFC 9110,
    /// section 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether the cache knows what the status asks of it, as `must-understand` demands (RFC 9111, section 5.2.2.3): those
    /// of RFC 9110.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// The failures for which an older answer may stand in (RFC 5861, section 4).
    static func isServerFailure(_ status: Int) -> Bool {
        switch status {
        case 500, 502, 503, 504: true
        default: false
        }
    }
}
