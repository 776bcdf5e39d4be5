extension DecodingFailure {
    /// Puts what a decoder threw into words, with the path to the place.
    init(type: String, error: any Error, response: HTTPResponse?) {
        guard let error = error as? DecodingError else {
            self.init(type: type, reason: String(describing: error), response: response)
            return
        }
        switch error {
        case .typeMismatch(let expected, let context):
            self.init(
                type: type, path: Self.path(context.codingPath), reason: "expected \(expected)", response: response)
        case .valueNotFound(let expected, let context):
            self.init(
                type: type, path: Self.path(context.codingPath), reason: "expected \(expected), found null",
                response: response)
        case .keyNotFound(let key, let context):
            self.init(
                type: type, path: Self.path(context.codingPath), reason: "the key \"\(key.stringValue)\" is missing",
                response: response)
        case .dataCorrupted(let context):
            self.init(
                type: type, path: Self.path(context.codingPath), reason: context.debugDescription.trimmedPeriod,
                response: response)
        @unknown default:
            self.init(type: type, reason: String(describing: error), response: response)
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

extension String {
    fileprivate var trimmedPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
