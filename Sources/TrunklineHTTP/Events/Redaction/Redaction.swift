import Foundation

/// What must not be seen in texts about a request: logs, cURL commands, descriptions. What goes on the wire is never
/// touched.
///
/// Names match in any letter case. The name stays, the value becomes ``mask``.
public struct Redaction: Hashable, Sendable {
    /// What stands in for a hidden value.
    public static let mask = "<redacted>"

    /// Names of header fields whose values are hidden.
    public var headers: Set<String>
    /// Names of query items and form fields whose values are hidden.
    public var fields: Set<String>
    /// Names of JSON members whose values are hidden, at any depth.
    public var jsonKeys: Set<String>

    /// Makes a rule of names.
    public init(headers: Set<String>, fields: Set<String> = [], jsonKeys: Set<String> = []) {
        self.headers = headers
        self.fields = fields
        self.jsonKeys = jsonKeys
    }

    /// Hides credentials: the header fields, query items and JSON members they usually travel in. The default everywhere.
    public static let standard = Redaction(
        headers: [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "API-Key", "X-Auth-Token",
            "X-Access-Token", "X-CSRF-Token", "X-Amz-Security-Token",
        ],
        fields: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "key", "password", "passwd",
            "secret", "client_secret", "code_verifier", "signature", "sig", "X-Amz-Signature", "X-Amz-Security-Token",
            "X-Amz-Credential",
        ],
        jsonKeys: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "password", "passwd", "secret",
            "client_secret",
        ])

    /// Hides nothing: an explicit choice.
    public static let none = Redaction(headers: [])

    /// This rule with more names.
    public func hiding(headers: Set<String> = [], fields: Set<String> = [], jsonKeys: Set<String> = []) -> Redaction {
        Redaction(
            headers: self.headers.union(headers), fields: self.fields.union(fields),
            jsonKeys: self.jsonKeys.union(jsonKeys))
    }
}

extension Redaction {
    /// This rule, and the fields of the credential that the pipeline has put on the request, whatever they are called.
    func coveringCredential(of request: HTTPRequest) -> Redaction {
        guard self != .none, let fields = request.options.credentialFields else { return self }
        return hiding(headers: Set(fields))
    }

    /// The value of a header field as it may be shown.
    public func value(_ value: String, ofHeader name: String) -> String {
        hides(name, headers) ? Redaction.mask : value
    }

    /// The URL as it may be shown: a password in it and the values of hidden query items are masked.
    public func url(_ url: URL) -> String {
        guard self != .none else { return url.absoluteString }
        var text = url.absoluteString
        if let credentials = text.range(of: "://[^/?#@]*:[^/?#@]*@", options: .regularExpression) {
            text.replaceSubrange(credentials, with: "://\(Redaction.mask)@")
        }
        guard let question = text.firstIndex(of: "?") else { return text }
        let start = text.index(after: question)
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        return text[..<start] + form(String(text[start..<end])) + text[end...]
    }

    /// The content as it may be shown, by its media type: JSON and forms with hidden values masked, other text as it is.
    ///
    /// - Returns: nil when the bytes are not text. JSON that can't be read, and has the name of a hidden member in it, is
    ///   hidden whole.
    public func text(of body: Data, contentType: String?) -> String? {
        guard let text = String(data: body, encoding: .utf8) else { return nil }
        guard let type = contentType.flatMap({ MediaType($0) }) else { return json(text, body) ?? text }
        if type.essence == "application/x-www-form-urlencoded" { return form(text) }
        return type.isJSON ? json(text, body) ?? text : text
    }

    /// The text of a form's field, or nil when it is none.
    func fieldText(_ data: Data, named name: String) -> String? {
        String(data: data, encoding: .utf8).map { hides(name, fields) ? Redaction.mask : $0 }
    }

    /// Masks values of `a=1&b=2`.
    private func form(_ text: String) -> String {
        guard !fields.isEmpty else { return text }
        return text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let name = String(pair[..<equals])
            return hides(name.removingPercentEncoding ?? name, fields) ? "\(name)=\(Redaction.mask)" : String(pair)
        }.joined(separator: "&")
    }

    /// Masks members; nil where there is nothing to mask, so that the text stays as it was.
    private func json(_ text: String, _ body: Data) -> String? {
        let lowercased = text.lowercased()
        // A name may be written with escapes: then only the parsed tree tells.
        guard !jsonKeys.isEmpty,
            lowercased.contains("\\u") || jsonKeys.contains(where: { lowercased.contains($0.lowercased()) })
        else { return nil }
        guard let tree = try? JSONValue(parsing: body), let data = try? encoder.encode(masked(tree)) else {
            return text.first == "{" || text.first == "[" ? Redaction.mask : nil
        }
        return String(decoding: data, as: UTF8.self)
    }

    private var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(masked))
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, hides(name, jsonKeys) ? .string(Redaction.mask) : masked(value))
                    }))
        default: value
        }
    }

    private func hides(_ name: String, _ names: Set<String>) -> Bool {
        names.contains { HTTPHeaders.equal($0, name) }
    }
}
