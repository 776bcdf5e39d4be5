extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, as ``Redaction/standard`` shows it: header fields and content are left out, so that a
    /// request in a log gives no secret away.
    public var description: String {
        "\(method.rawValue) \(Redaction.standard.coveringCredential(of: self).url(url))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing more than ``description``, for `dump` and the like.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, and the request it answers; header fields and content are left out.
    public var description: String { "\(statusCode) for \(request)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing more than ``description``, for `dump` and the like.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields as ``Redaction/standard`` shows them, a line each.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing more than ``description``, for `dump` and the like.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field as ``Redaction/standard`` shows it.
    public var description: String { "\(name): \(Redaction.standard.value(value, ofHeader: name))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing more than ``description``, for `dump` and the like.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
