/// What a server asks for with a 401: a scheme and its parameters (RFC 9110, section 11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
    /// One parameter.
    public struct Parameter: Hashable, Sendable {
        /// The name, spelt as it was received; it is compared without case.
        public var name: String
        /// The value, without quotes and escapes.
        public var value: String

        /// Makes a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The scheme, spelt as it was received; see ``isScheme(_:)``.
    public var scheme: String
    /// The parameters in order. Empty where there is a ``token68``.
    public var parameters: [Parameter]
    /// What some schemes have in the place of parameters, `Negotiate` for example.
    public var token68: String?

    /// Makes a challenge.
    public init(scheme: String, parameters: [Parameter] = [], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = parameters
        self.token68 = token68
    }

    /// The value of the first parameter of this name, in any case.
    public subscript(_ name: String) -> String? {
        parameters.first { HTTPHeaders.equal($0.name, name) }?.value
    }

    /// The protection space the challenge is for, or nil where it names none.
    public var realm: String? { self["realm"] }

    /// Whether the scheme is this one; schemes are compared without case (section 11.1).
    public func isScheme(_ name: String) -> Bool { HTTPHeaders.equal(scheme, name) }
}

extension AuthenticationChallenge {
    /// The challenges in a field's value, in order: a list, whose challenges have lists of their own (section 11.6.1).
    ///
    /// Takes any text. What is not a challenge is skipped, a quoted string without its end reaches to the end of the
    /// text, and values may lack quotes they need.
    public static func parse(_ text: String) -> [AuthenticationChallenge] {
        var reader = FieldReader(text)
        var challenges: [AuthenticationChallenge] = []
        while !reader.isAtEnd {
            if let scheme = reader.token() {
                challenges.append(read(scheme, &reader))
            } else {
                reader.skipAny()
            }
        }
        return challenges
    }

    /// The parameters of a field that is a list of them and nothing else, such as `Authentication-Info`.
    static func parseParameters(_ text: String) -> [Parameter] {
        var reader = FieldReader(text)
        return readParameters(&reader)
    }

    private static func read(_ scheme: String, _ reader: inout FieldReader) -> AuthenticationChallenge {
        guard reader.isAt(" ") || reader.isAt("\t") else { return AuthenticationChallenge(scheme: scheme) }
        reader.skipSpace()
        var ahead = reader
        if let token = ahead.token68() {
            ahead.skipSpace()
            if ahead.isAtEnd || ahead.isAt(",") {
                reader = ahead
                return AuthenticationChallenge(scheme: scheme, token68: token)
            }
        }
        return AuthenticationChallenge(scheme: scheme, parameters: readParameters(&reader))
    }

    private static func readParameters(_ reader: inout FieldReader) -> [Parameter] {
        var parameters: [Parameter] = []
        while true {
            // A name without `=` is the next challenge's scheme, and is left where it is.
            var ahead = reader
            repeat { ahead.skipSpace() } while ahead.skip(",")
            guard let name = ahead.token() else { return parameters }
            ahead.skipSpace()
            guard ahead.skip("=") else { return parameters }
            ahead.skipSpace()
            let value = ahead.isAt("\"") ? ahead.tokenOrQuoted() ?? "" : ahead.bareText()
            parameters.append(Parameter(name, value))
            reader = ahead
        }
    }
}

extension HTTPHeaders {
    /// The challenges of `WWW-Authenticate`, of one line or of several, in order.
    public var challenges: [AuthenticationChallenge] {
        values(for: "WWW-Authenticate").flatMap { AuthenticationChallenge.parse($0) }
    }
}
