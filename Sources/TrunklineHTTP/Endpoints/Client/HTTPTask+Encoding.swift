extension HTTPTask.Encoding: Hashable {
    /// Custom encoders are equal when they are of one type and equal in it.
    public static func == (lhs: HTTPTask.Encoding, rhs: HTTPTask.Encoding) -> Bool {
        switch (lhs, rhs) {
        case (.url, .url), (.json, .json), (.urlAndJSON, .urlAndJSON), (.form, .form): true
        case (.custom(let left), .custom(let right)): AnyHashable(left) == AnyHashable(right)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .url: hasher.combine(0)
        case .json: hasher.combine(1)
        case .urlAndJSON: hasher.combine(2)
        case .form: hasher.combine(3)
        case .custom(let encoder): hasher.combine(AnyHashable(encoder))
        }
    }
}

extension HTTPTask {
    /// Writes the parameters into the request; those in `used` have filled its path already.
    func encode(into request: inout HTTPRequest, except used: [String]) throws {
        var query = urlParameters
        for name in used { query.remove(name) }
        try URLParameterEncoder.query.encode(query, into: &request)
        switch encoding {
        case .url:
            guard bodyParameters.isEmpty else {
                throw HTTPError.invalidRequest(
                    .body(
                        reason: "the encoding .url writes no body; give the parameters as `url`, or choose .json or "
                            + ".form"))
            }
        case .json, .urlAndJSON: try JSONParameterEncoder.json.encode(bodyParameters, into: &request)
        case .form: try URLParameterEncoder.form.encode(bodyParameters, into: &request)
        case .custom(let encoder): try encoder.encode(bodyParameters, into: &request)
        }
    }
}
