import Foundation

/// What must not be seen in texts about a request: logs, cURL commands, HAR files, spans, descriptions of errors. What
/// goes on the wire is never touched.
///
/// ```swift
/// let redaction = Redaction.standard.hiding(headers: ["X-Tenant"], jsonPaths: ["user.address.*", "cards[].number"])
/// ```
///
/// A name matches in any letter case and whatever is between its parts: `apiKey`, `API-Key` and `api_key` are one name.
/// The name stays, the value becomes ``mask``.
public struct Redaction: Hashable, Sendable {
    /// What stands in for a hidden value.
    public static let mask = "<redacted>"

    /// Names of header fields whose values are hidden.
    public var headers: Set<String> {
        get { headerNames.names }
        set { headerNames = RedactedNames(newValue) }
    }

    /// Names of query items and form fields whose values are hidden.
    public var fields: Set<String> {
        get { fieldNames.names }
        set { fieldNames = RedactedNames(newValue) }
    }

    /// Names of JSON members whose values are hidden, at any depth.
    public var jsonKeys: Set<String> {
        get { keyNames.names }
        set { keyNames = RedactedNames(newValue) }
    }

    /// Words that hide the value of every header field, query item, form field and JSON member whose name contains one:
    /// `token` hides `X-Device-Token` and `pushToken`. JSON numbers and Booleans are shown, as in `max_tokens`.
    public var words: Set<String> {
        get { wordNames.names }
        set { wordNames = RedactedNames(newValue) }
    }

    /// JSON members by their whole path, `user.pin`; `*` is any member, `[]` any element: `cards[].number`,
    /// `*.secret.*`. What is under a hidden member is hidden with it.
    public var jsonPaths: Set<String>
    /// Rules of the app's, asked for everything the names don't hide.
    public var rules: [Rule]
    /// Whether a user and a password in a URL are hidden.
    public var hidesUserInfo: Bool

    var headerNames: RedactedNames
    var fieldNames: RedactedNames
    var keyNames: RedactedNames
    var wordNames: RedactedNames

    /// Makes a redaction; what is left out hides nothing.
    public init(
        headers: Set<String>, fields: Set<String> = [], jsonKeys: Set<String> = [], words: Set<String> = [],
        jsonPaths: Set<String> = [], rules: [Rule] = [], hidesUserInfo: Bool = true
    ) {
        headerNames = RedactedNames(headers)
        fieldNames = RedactedNames(fields)
        keyNames = RedactedNames(jsonKeys)
        wordNames = RedactedNames(words)
        self.jsonPaths = jsonPaths
        self.rules = rules
        self.hidesUserInfo = hidesUserInfo
    }

    /// Hides credentials: the header fields, query items and JSON members they usually travel in. The default everywhere.
    public static let standard = Redaction(
        headers: [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Cookie2", "Set-Cookie2", "X-Auth",
            "X-Amz-Security-Token", "Authentication-Info", "Proxy-Authentication-Info", "X-Forwarded-Authorization",
        ],
        fields: [
            "key", "sig", "code", "auth", "jwt", "otp", "pin", "sid", "pwd", "code_verifier", "assertion",
            "client_assertion", "X-Amz-Signature", "X-Amz-Credential",
        ],
        jsonKeys: ["password", "passwd", "pwd", "pin", "otp", "jwt", "secret", "client_assertion", "assertion"],
        words: [
            "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "secretkey",
            "authkey", "subscriptionkey", "credential", "signature", "authorization", "cookie", "csrf", "xsrf",
            "sessionid", "bearer",
        ])

    /// Hides nothing: an explicit choice.
    public static let none = Redaction(headers: [], hidesUserInfo: false)

    /// This redaction with more names, words and rules.
    public func hiding(
        headers: Set<String> = [], fields: Set<String> = [], jsonKeys: Set<String> = [], words: Set<String> = [],
        jsonPaths: Set<String> = [], rules: [Rule] = []
    ) -> Redaction {
        var redaction = self
        redaction.headers.formUnion(headers)
        redaction.fields.formUnion(fields)
        redaction.jsonKeys.formUnion(jsonKeys)
        redaction.words.formUnion(words)
        redaction.jsonPaths.formUnion(jsonPaths)
        redaction.rules += rules
        return redaction
    }

    /// This redaction, and the fields of the credential that the pipeline has put on the request, whatever they are called.
    func coveringCredential(of request: HTTPRequest) -> Redaction {
        guard self != .none, let fields = request.options.credentialFields else { return self }
        return hiding(headers: Set(fields))
    }
}
